import { z } from 'zod'
import { languageSchema, spokenTextSchema } from '../shared/checks.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { emotionSchema, markupSchema, speedSchema, SPOKEN_TEXT, voiceSchema } from '../shared/speaking.ts'

export const STREAM_MODEL = 'stream-tts'

/** Voices of the streaming model. */
export const STREAM_VOICES = ['nova', 'atlas'] as const
export type StreamVoice = (typeof STREAM_VOICES)[number]
export const DEFAULT_STREAM_VOICE: StreamVoice = 'nova'

/** Streamed audio: 20 ms frames of 16 kHz mono 16-bit little-endian PCM; a chunk holds whole frames. */
export const PCM_STREAM = {
  sampleRateHz: 16_000,
  frameMs: 20,
  samplesPerFrame: 320,
  bytesPerFrame: 640,
} as const
/** Response header that carries the stream descriptor as one line of JSON. */
export const STREAM_DESCRIPTOR_HEADER = 'x-stream-descriptor'

export const streamSpeechSchema = z
  .strictObject({
    model: z.literal(STREAM_MODEL).meta({ description: `Always \`${STREAM_MODEL}\`.` }),
    input: described(spokenTextSchema(LIMITS.streamInputCharacters), SPOKEN_TEXT),
    voice: described(voiceSchema, '`nova`, `atlas` or the id of a cloned voice.').default(
      DEFAULT_STREAM_VOICE,
    ),
    emotion: emotionSchema.default('neutral'),
    speed: described(speedSchema, 'Rate of speech.').default(1),
    format: z.literal('pcm16').default('pcm16').meta({ description: 'Encoding of the frames.' }),
    language: described(languageSchema, 'Language of the text.').default('en-US'),
    markup: markupSchema.default('keep'),
  })
  .meta({ id: 'StreamSpeechRequest', examples: [{ model: STREAM_MODEL, input: 'नमस्ते', language: 'ne-NP' }] })
export type StreamSpeechRequest = z.input<typeof streamSpeechSchema>

export const streamDescriptorSchema = z
  .object({
    note: z.string().meta({ description: 'Hint for the developer, such as a limitation of the language.' }),
    first_byte_ms: z.number().int().min(0).meta({
      description: 'Measured time from the request to the first audio, or on a WebSocket to `started`.',
    }),
    format: z.literal('pcm16'),
    sample_rate_hz: z.literal(PCM_STREAM.sampleRateHz),
    request_id: z.string(),
    model: z.string(),
    voice: z.string(),
  })
  .meta({
    id: 'StreamDescriptor',
    description: `Describes a stream, as one line of JSON in the ${STREAM_DESCRIPTOR_HEADER} header.`,
  })
export type StreamDescriptor = z.output<typeof streamDescriptorSchema>
