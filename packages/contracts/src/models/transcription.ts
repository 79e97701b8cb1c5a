/** Speech to text in the wire format of OpenAI, passed on to upstreams. Forms and answers stay open, as in chats. */
import { z } from 'zod'
import { LIMITS } from '../shared/limits.ts'
import type { PartDefinition, StreamDefinition } from '../shared/route.ts'
import { textSchema } from '../shared/text.ts'

/** What a model may be asked to answer with. */
export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const

/** Media types of transcripts that are not JSON. */
export const TRANSCRIPT_MEDIA_TYPES = ['text/plain', 'text/vtt', 'application/x-subrip'] as const

/** Parts of the form; unknown texts are passed on too. */
export const TRANSCRIPTION_PARTS = {
  file: {
    kind: 'file',
    required: true,
    maxBytes: LIMITS.transcriptionAudioBytes,
    mediaTypes: ['audio/flac', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/wav', 'audio/webm'],
    description: 'Recording, in a format that the model reads.',
  },
  model: {
    kind: 'text',
    required: true,
    schema: textSchema.min(1).max(200),
    description: 'Name of a model that an upstream has for this.',
  },
  language: {
    kind: 'text',
    required: false,
    schema: textSchema.max(100),
    description: 'Language of the speech, as in `ne`.',
  },
  prompt: {
    kind: 'text',
    required: false,
    schema: textSchema,
    description: 'Words that guide the model.',
  },
  response_format: {
    kind: 'text',
    required: false,
    schema: z.enum(TRANSCRIPT_FORMATS),
    description: 'What to answer with, if the model can. Default: `json`.',
  },
  temperature: {
    kind: 'text',
    required: false,
    schema: textSchema.regex(/^\d(\.\d{1,20})?$/, 'must be a number such as 0.2'),
    description: 'Randomness, from 0.',
  },
  'timestamp_granularities[]': {
    kind: 'text',
    required: false,
    schema: z.enum(['word', 'segment']),
    description: 'What has times in `verbose_json`. May be sent twice.',
  },
  stream: {
    kind: 'text',
    required: false,
    schema: z.enum(['true', 'false']),
    description: 'Whether to send the transcript in events while it is made.',
  },
} as const satisfies Record<string, PartDefinition>

const usageSchema = z
  .looseObject({
    type: z.string().optional().meta({ description: '`tokens` or `duration`.' }),
    input_tokens: z.int().min(0).optional(),
    output_tokens: z.int().min(0).optional(),
    seconds: z.number().min(0).optional(),
  })
  .nullish()

export const transcriptionSchema = z
  .looseObject({
    text: z.string(),
    model: z.string().meta({ description: 'The name that the request used.' }),
    usage: usageSchema,
  })
  .meta({ id: 'Transcription' })

const transcriptionEventSchema = z
  .looseObject({
    type: z.string().meta({ description: '`transcript.text.delta`, or `transcript.text.done` at the end.' }),
    delta: z.string().optional(),
    text: z.string().optional().meta({ description: 'The whole transcript, at the end.' }),
    usage: usageSchema,
  })
  .meta({ id: 'TranscriptionEvent' })

const EVENTS_EXAMPLE = [
  { type: 'transcript.text.delta', delta: 'नमस्ते' },
  { type: 'transcript.text.done', text: 'नमस्ते' },
] satisfies z.output<typeof transcriptionEventSchema>[]

export const TRANSCRIPTION_STREAM: StreamDefinition = {
  item: transcriptionEventSchema,
  example: `${EVENTS_EXAMPLE.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
}
