import { z } from 'zod'
import { CALL_FAILURE_REASONS } from '../calls/states.ts'
import { livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { phoneSchema } from '../shared/phone.ts'
import { described } from '../shared/route.ts'

/** Languages in which a verification call can say its code. */
export const CALLER_ID_LANGUAGES = ['en-US', 'ne-NP', 'hi-IN', 'fr-FR', 'es-ES', 'de-DE'] as const
export type CallerIdLanguage = (typeof CALLER_ID_LANGUAGES)[number]

/** Who verified that a number belongs to the account: its owner by a call with a code, or the operator. */
export const CALLER_ID_SOURCES = ['call', 'operator'] as const
export type CallerIdSource = (typeof CALLER_ID_SOURCES)[number]

export const CALLER_ID_STATUSES = ['pending', 'verified', 'failed'] as const

/** Why a verification failed: as a call does, or because of its code. */
export const CALLER_ID_FAILURE_REASONS = [...CALL_FAILURE_REASONS, 'expired', 'too-many-attempts'] as const
export type CallerIdFailureReason = (typeof CALLER_ID_FAILURE_REASONS)[number]

const CODE_PATTERN = new RegExp(`^\\d{${LIMITS.callerIdCodeDigits}}$`)
const codeSchema = z.string().regex(CODE_PATTERN, `must be ${LIMITS.callerIdCodeDigits} digits`)

export const startCallerIdSchema = z
  .strictObject({
    phone_number: described(phoneSchema, 'Number to verify, in E.164. It is called at once.'),
    language: z
      .enum(CALLER_ID_LANGUAGES)
      .default('en-US')
      .meta({ description: 'Language in which the call says the code.' }),
  })
  .meta({
    id: 'StartCallerIdRequest',
    examples: [{ phone_number: '+9779801234567', language: 'en-US' }],
  })

export const verifyCallerIdSchema = z
  .strictObject({ code: described(codeSchema, 'The code that the call said.') })
  .meta({ id: 'VerifyCallerIdRequest', examples: [{ code: '042917' }] })

export const ownCallerIdSchema = z
  .object({
    caller_id_id: idSchema('caller_id'),
    livemode: livemodeSchema,
    phone_number: z.string().meta({ description: 'In E.164.', examples: ['+9779801234567'] }),
    source: z
      .enum(CALLER_ID_SOURCES)
      .meta({ description: 'How it is verified: by a call with a code, or by the operator.' }),
    status: z
      .enum(CALLER_ID_STATUSES)
      .meta({ description: 'Calls may show the number only while it is `verified`.' }),
    failure_reason: z
      .enum(CALLER_ID_FAILURE_REASONS)
      .nullable()
      .meta({ description: 'Why it could not be verified; null unless it is `failed`.' }),
    attempts_left: described(
      z.int().min(0).nullable(),
      'How many codes may still be tried; null unless it is `pending`.',
    ),
    expires_at: described(timeSchema.nullable(), 'When the code expires; null unless it is `pending`.'),
    verified_at: described(timeSchema.nullable(), 'When it was verified; null before.'),
  })
  .meta({
    id: 'OwnCallerId',
    description: 'A number that calls of the account may show once it is verified.',
  })
export type OwnCallerId = z.output<typeof ownCallerIdSchema>

export const startedCallerIdSchema = ownCallerIdSchema
  .extend({
    test_code: described(
      z.string().optional(),
      'The code, in test mode with the simulator only, because no phone rings there. Absent if a phone rings.',
    ),
  })
  .meta({ id: 'StartedCallerId' })
export type StartedCallerId = z.output<typeof startedCallerIdSchema>
