import { z } from 'zod'
import { languageSchema, livemodeSchema, metadataSchema, timeSchema } from '../shared/checks.ts'
import { callIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { phoneSchema } from '../shared/phone.ts'
import { described } from '../shared/route.ts'
import { CALL_ENDED_BY, CALL_FAILURE_REASONS, CALL_STATUSES } from './states.ts'

export const DEFAULT_CALL_LANGUAGE = 'ne-NP'

export const agentIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9, _ and -')
  .meta({ description: 'Agent that speaks.', examples: ['reminder'] })

const callMetadataSchema = metadataSchema({
  maxKeys: LIMITS.metadataKeys,
  maxBytes: LIMITS.metadataBytes,
}).meta({
  description: `Free key-value pairs, echoed in reads and webhooks and filled into the agent’s words, which may then have up to ${LIMITS.filledGreetingCharacters} characters.`,
  examples: [{ name: 'Sita', clinic: 'Patan' }],
})

const scheduledAtSchema = described(timeSchema, 'When to dial, as an ISO 8601 time with its UTC offset.')

export const placeCallSchema = z
  .strictObject({
    to: described(phoneSchema, 'Whom to call, in E.164.'),
    agent_id: agentIdSchema,
    scheduled_at: scheduledAtSchema.optional(),
    from_caller_id: described(phoneSchema, 'A verified caller id of the account, in E.164.').optional(),
    language: described(languageSchema, 'Language of the agent.').default(DEFAULT_CALL_LANGUAGE),
    metadata: callMetadataSchema.optional(),
  })
  .meta({
    id: 'PlaceCallRequest',
    examples: [{ to: '+9779812345678', agent_id: 'reminder', metadata: { name: 'Sita' } }],
  })

export const callSchema = z
  .object({
    call_id: callIdSchema,
    status: z.enum(CALL_STATUSES).meta({ description: 'Terminal: completed and failed.' }),
    to: z.string().meta({ description: 'Destination in E.164.', examples: ['+9779812345678'] }),
    agent_id: agentIdSchema,
    scheduled_at: scheduledAtSchema.optional(),
    from_caller_id: z.string().optional().meta({ description: 'Present when one was given.' }),
    language: z.string().meta({ description: 'Language of the agent.', examples: ['ne-NP'] }),
    metadata: callMetadataSchema.optional(),
    duration_seconds: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'From answer to hang-up; present once the call has finished.' }),
    failure_reason: z.enum(CALL_FAILURE_REASONS).optional().meta({ description: 'On failed calls only.' }),
    ended_by: z
      .enum(CALL_ENDED_BY)
      .optional()
      .meta({ description: 'On calls that were answered and ended.' }),
    livemode: livemodeSchema,
    carrier: z.string().meta({ description: '`simulator`: no phone rang.', examples: ['simulator'] }),
    created_at: timeSchema,
    ended_at: timeSchema.optional(),
  })
  .meta({ id: 'Call', description: 'An outbound call of a voice agent.' })

export type PlaceCallRequest = z.input<typeof placeCallSchema>
export type Call = z.output<typeof callSchema>

export const agentSchema = z
  .object({
    agent_id: agentIdSchema,
    name: z
      .string()
      .min(1)
      .max(100)
      .meta({ examples: ['Appointment reminder'] }),
    language: described(languageSchema, 'Language of `greeting`.'),
    voice: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'Voice that speaks.', examples: ['nova'] }),
    greeting: z
      .string()
      .min(1)
      .max(LIMITS.agentTextCharacters)
      .meta({
        description:
          'What the agent says. `{{name}}` is filled from the call’s metadata, `{{name|friend}}` has a default.',
        examples: ['Hello {{name|there}}, this is a reminder.'],
      }),
    translations: z
      .record(languageSchema, z.string().min(1).max(LIMITS.agentTextCharacters))
      .meta({ description: 'The greeting in other languages; a call’s language picks one.' }),
    livemode: livemodeSchema,
  })
  .meta({ id: 'Agent' })
export type Agent = z.output<typeof agentSchema>

export const upsertAgentSchema = z
  .strictObject({
    ...agentSchema.omit({ agent_id: true, livemode: true }).shape,
    translations: agentSchema.shape.translations
      .refine((translations) => Object.keys(translations).length <= LIMITS.agentTranslations, {
        error: `must have at most ${LIMITS.agentTranslations} languages`,
      })
      .meta({ maxProperties: LIMITS.agentTranslations })
      .default({}),
  })
  .meta({ id: 'UpsertAgentRequest' })
