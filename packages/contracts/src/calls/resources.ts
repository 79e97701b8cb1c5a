import { z } from 'zod'
import { agentIdSchema } from '../agents/resources.ts'
import { languageSchema, livemodeSchema, metadataSchema, timeSchema } from '../shared/checks.ts'
import { callIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { phoneSchema } from '../shared/phone.ts'
import { described } from '../shared/route.ts'
import { CALL_ENDED_BY, CALL_FAILURE_REASONS, CALL_STATUSES } from './states.ts'

export const DEFAULT_CALL_LANGUAGE = 'ne-NP'

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
