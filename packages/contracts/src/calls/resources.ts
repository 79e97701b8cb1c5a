import { z } from 'zod'
import { agentIdSchema } from '../agents/resources.ts'
import { alwaysSent } from '../shared/always-sent.ts'
import { languageSchema, livemodeSchema, metadataSchema, timeSchema } from '../shared/checks.ts'
import { jsonObjectSchema } from '../shared/json.ts'
import { handleSchema, idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { phoneSchema } from '../shared/phone.ts'
import { described } from '../shared/route.ts'
import {
  CALL_DIRECTIONS,
  CALL_ENDED_BY,
  CALL_FAILURE_REASONS,
  CALL_SPEAKERS,
  CALL_STATUSES,
} from './states.ts'

export const callIdSchema = idSchema('call')

export const DEFAULT_CALL_LANGUAGE = 'ne-NP'

const callMetadata = {
  description: `Free key-value pairs, echoed in reads and webhooks. They fill the placeholders in the agent’s words, which may then have up to ${LIMITS.filledGreetingCharacters} characters.`,
  examples: [{ name: 'Sita', clinic: 'Patan' }],
}

const scheduledAtSchema = described(timeSchema, 'When to dial, as an ISO 8601 time with a UTC offset.')

export const placeCallSchema = z
  .strictObject({
    to: described(phoneSchema, 'Number to call, in E.164.'),
    agent_id: agentIdSchema,
    scheduled_at: scheduledAtSchema.optional(),
    from_caller_id: described(phoneSchema, 'A verified caller id of the account, in E.164.').optional(),
    language: described(languageSchema, 'Language of the agent.').default(DEFAULT_CALL_LANGUAGE),
    metadata: metadataSchema({ maxKeys: LIMITS.metadataKeys, maxBytes: LIMITS.metadataBytes })
      .meta(callMetadata)
      .optional(),
  })
  .meta({
    id: 'PlaceCallRequest',
    examples: [{ to: '+9779812345678', agent_id: 'reminder', metadata: { name: 'Sita' } }],
  })

const sentFields = z.object({
  language: z.string().meta({ description: 'Language of the agent.', examples: ['ne-NP'] }),
  direction: z.enum(CALL_DIRECTIONS).meta({
    description:
      'Who called whom: `outbound` if the agent placed the call, `inbound` if it was called. An inbound call is `queued` while it rings here.',
  }),
  livemode: livemodeSchema,
  carrier: z.string().meta({
    description:
      'Carrier of the call; with `simulator`, no phone rang. It may change until the phone rings, if the first takes no calls.',
    examples: ['simulator'],
  }),
  created_at: described(timeSchema, 'When the call was placed.'),
})

const sent = alwaysSent(sentFields)

const shareOfPackets = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description, examples: [0.004] })
const packets = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [6120] })
const latency = (description: string) =>
  z
    .number()
    .min(0)
    .meta({ description, examples: [12.5] })

const callQualitySchema = z
  .object({
    mos: z
      .number()
      .min(1)
      .max(4.5)
      .optional()
      .meta({
        description:
          'Mean opinion score that the E-model of ITU-T G.107 estimates from loss and delay: 4 and more is good, and below 3.1 most listeners are dissatisfied. Absent if no packet arrived.',
        examples: [4.37],
      }),
    packets_sent: packets('RTP packets that we sent.'),
    packets_received: packets('RTP packets that arrived; with 0, nothing of the recipient was heard.'),
    lost_fraction: shareOfPackets(
      'Of the packets sent to us, the fraction that did not arrive; absent if none arrived.',
    ).optional(),
    jitter_ms: latency(
      'Interarrival jitter of the packets sent to us, in milliseconds; absent if none arrived.',
    ).optional(),
    round_trip_ms: latency(
      'Round trip to the far end and back, in milliseconds, if it was measured.',
    ).optional(),
    remote_lost_fraction: shareOfPackets(
      'Of our packets, the fraction that did not arrive, if the far end reported it.',
    ).optional(),
    remote_jitter_ms: latency(
      'Jitter of our packets, in milliseconds, if the far end reported it.',
    ).optional(),
  })
  .meta({ id: 'CallQuality', description: 'Quality of the audio of a call, from RTP and RTCP (RFC 3550).' })
export type CallQuality = z.output<typeof callQualitySchema>

export const callSchema = z
  .object({
    call_id: handleSchema('call'),
    status: z.enum(CALL_STATUSES).meta({ description: '`completed` and `failed` are terminal.' }),
    to: z.string().meta({ description: 'Number that was called, in E.164.', examples: ['+9779812345678'] }),
    agent_id: z.string().meta({ description: 'Id of the agent.', examples: ['reminder'] }),
    scheduled_at: scheduledAtSchema.optional(),
    from_caller_id: z.string().optional().meta({
      description:
        'Caller id shown to the recipient; present if one was given. Of an inbound call, the number of the caller as the phone line gives it, which proves nothing; absent if it is withheld.',
    }),
    language: sent.language,
    metadata: jsonObjectSchema.meta(callMetadata).optional(),
    ringing_since: described(
      timeSchema,
      'When the phone began to ring; present while the call is `queued` and rings.',
    ).optional(),
    answered_at: described(timeSchema, 'When the call was answered; absent until then.').optional(),
    duration_seconds: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'Seconds from answer to hang-up; present once an answered call has ended.' }),
    failure_reason: z
      .enum(CALL_FAILURE_REASONS)
      .optional()
      .meta({ description: 'Why the call failed; on failed calls only.' }),
    ended_by: z.enum(CALL_ENDED_BY).optional().meta({
      description:
        'Which side ended the call; on answered calls that have ended. `duration_limit`: the longest call, or the operator’s caps left no further minute.',
    }),
    sip_status: z
      .int()
      .min(300)
      .max(699)
      .optional()
      .meta({
        description:
          'Final SIP status of a call that was not answered, such as 486 for busy; absent if the carrier got none. A simulator reports the status that a phone line would have.',
        examples: [486],
      }),
    q850_cause: z
      .int()
      .min(0)
      .max(127)
      .optional()
      .meta({
        description:
          'Q.850 cause that the telephone network gave for the end of the call; absent if it gave none.',
        examples: [17],
      }),
    quality: callQualitySchema.optional().meta({
      description: 'Quality of the audio; on answered calls that have ended, if the carrier measures it.',
    }),
    direction: sent.direction,
    livemode: sent.livemode,
    carrier: sent.carrier,
    created_at: sent.created_at,
    ended_at: described(timeSchema, 'When the call ended; absent until then.').optional(),
  })
  .meta({ id: 'Call', description: 'A phone call of a voice agent.' })

const millisecondsSchema = (description: string) =>
  z
    .number()
    .min(0)
    .meta({ description, examples: [1240] })

const callTurnSchema = z
  .object({
    speaker: z
      .enum(CALL_SPEAKERS)
      .meta({ description: 'Who spoke; so far, only the words of the agent are written down.' }),
    language: z.string().meta({ description: 'Language of the words.', examples: ['ne-NP'] }),
    text: z.string().meta({
      description: 'What was heard of it, as it was written, without markup.',
      examples: ['Good morning, this is a reminder.'],
    }),
    start_ms: millisecondsSchema('When it began, in milliseconds from the answer, as in the recording.'),
    end_ms: millisecondsSchema('When it was last heard.'),
    words: z.array(
      z.object({
        text: z.string().meta({
          description:
            'With the punctuation and the space around it, so that all of them together are the text of the turn. It may be a whole sentence of an engine that does not report when it says a word.',
        }),
        start_ms: millisecondsSchema('When it began.'),
      }),
    ),
    cut_by: z.enum(CALL_ENDED_BY).optional().meta({
      description:
        'What cut it short; absent if it was said to its end. The last word may then be incomplete.',
    }),
  })
  .meta({ id: 'CallTurn' })
export type CallTurn = z.output<typeof callTurnSchema>

export const callTranscriptSchema = z
  .object({ call_id: handleSchema('call'), turns: z.array(callTurnSchema) })
  .meta({ id: 'CallTranscript', description: 'What was heard in a call, in the order in which it began.' })

export type CallTranscript = z.output<typeof callTranscriptSchema>

export type PlaceCallRequest = z.input<typeof placeCallSchema>
export type Call = z.output<typeof callSchema>
/** A call as our server sends it. */
export type SentCall = Call & z.output<typeof sentFields>
