import { z } from 'zod'
import { languageSchema, livemodeSchema, spokenTextSchema, timeSchema } from '../shared/checks.ts'
import type { ErrorCode } from '../shared/errors.ts'
import { voiceIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { DEFAULT_STREAM_VOICE, emotionSchema, SYNTHESIS_VOICES } from './voices.ts'

export const STREAM_MODEL = 'stream-tts'
export const SYNTHESIS_MODELS = ['synth-v1', 'synth-l1', 'synth-l2'] as const
export type SynthesisModel = (typeof SYNTHESIS_MODELS)[number]
export const AUDIO_FORMATS = ['wav', 'mp3', 'ogg'] as const
export const SYNTHESIS_SAMPLE_RATES_HZ = [16_000, 22_050, 44_100] as const

/** Streamed audio: 20 ms frames of 16 kHz mono 16-bit little-endian PCM; a chunk holds whole frames. */
export const PCM_STREAM = {
  sampleRateHz: 16_000,
  frameMs: 20,
  samplesPerFrame: 320,
  bytesPerFrame: 640,
} as const
/** Response header that carries the stream descriptor as one line of JSON. */
export const STREAM_DESCRIPTOR_HEADER = 'x-stream-descriptor'
export const SYNTHESIS_DESCRIPTOR_HEADER = 'x-synthesis-descriptor'

const speedSchema = z.number().min(LIMITS.speedMin).max(LIMITS.speedMax)
const voiceSchema = z.string().min(1).max(64)

export const streamSpeechSchema = z
  .strictObject({
    model: z.literal(STREAM_MODEL).meta({ description: `Always \`${STREAM_MODEL}\`.` }),
    input: described(spokenTextSchema(LIMITS.streamInputCharacters), 'Text to speak; never read as markup.'),
    voice: described(voiceSchema, 'nova, atlas or the id of a cloned voice.').default(DEFAULT_STREAM_VOICE),
    emotion: emotionSchema.default('neutral'),
    speed: described(speedSchema, 'Rate of speech.').default(1),
    format: z.literal('pcm16').default('pcm16').meta({ description: 'Encoding of the frames.' }),
    language: described(languageSchema, 'Language of the text.').default('en-US'),
  })
  .meta({ id: 'StreamSpeechRequest', examples: [{ model: STREAM_MODEL, input: 'नमस्ते', language: 'ne-NP' }] })
export type StreamSpeechRequest = z.input<typeof streamSpeechSchema>

export const streamDescriptorSchema = z
  .object({
    note: z.string(),
    first_byte_ms: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'Measured: from the request to the first audio.' }),
    format: z.literal('pcm16'),
    sample_rate_hz: z.literal(PCM_STREAM.sampleRateHz),
    request_id: z.string(),
    model: z.string(),
    voice: z.string(),
  })
  .meta({
    id: 'StreamDescriptor',
    description: `One line of JSON in the ${STREAM_DESCRIPTOR_HEADER} header.`,
  })
export type StreamDescriptor = z.output<typeof streamDescriptorSchema>

export const synthesizeSchema = z
  .strictObject({
    text: described(spokenTextSchema(LIMITS.synthesisTextCharacters), 'Text to speak; never read as markup.'),
    model: z.enum(SYNTHESIS_MODELS),
    language: described(languageSchema, 'Language of the text.').default('en-US'),
    voice: z
      .union([z.enum(SYNTHESIS_VOICES), voiceSchema])
      .default('default')
      .meta({
        description: 'default, alt1, alt2 or the id of a cloned voice.',
      }),
    emotion: emotionSchema.default('neutral'),
    speaking_rate: speedSchema.default(1),
    pitch_shift: z.number().min(LIMITS.pitchShiftMin).max(LIMITS.pitchShiftMax).default(0).meta({
      description: 'From -1 to 1: six semitones down to six up.',
    }),
    format: z.enum(AUDIO_FORMATS).default('wav'),
    sample_rate: z.literal(SYNTHESIS_SAMPLE_RATES_HZ).default(22_050),
    enable_watermark: z.boolean().default(true),
  })
  .meta({ id: 'SynthesizeRequest', examples: [{ model: 'synth-v1', text: 'Good morning.' }] })

export const synthesisDescriptorSchema = z
  .object({
    request_id: z.string(),
    model: z.enum(SYNTHESIS_MODELS),
    voice: z.string(),
    language: z.string(),
    format: z.enum(AUDIO_FORMATS),
    sample_rate_hz: z.literal(SYNTHESIS_SAMPLE_RATES_HZ),
    duration_seconds: z.number().min(0),
    characters: z.number().int().min(0),
    watermark: z.boolean(),
    audio_b64: z
      .string()
      .optional()
      .meta({ description: 'Base64 of the audio, where the request accepts application/json.' }),
  })
  .meta({ id: 'SynthesisDescriptor' })

export const engineStreamSchema = z
  .strictObject({
    model: z.enum(SYNTHESIS_MODELS),
    input: described(spokenTextSchema(LIMITS.streamInputCharacters), 'Text to speak; never read as markup.'),
    voice: voiceSchema.default('default'),
    emotion: emotionSchema.default('neutral'),
    speed: speedSchema.default(1),
    language: languageSchema.default('en-US'),
  })
  .meta({ id: 'EngineStreamRequest' })

export const LANGUAGE_QUALITIES = ['native', 'fallback', 'degraded'] as const
export const engineLanguagesSchema = z
  .object({
    engine: z.string().meta({ description: 'Which engine speaks.' }),
    data: z.array(
      z.object({
        language: z.string().meta({ examples: ['ne-NP'] }),
        quality: z.enum(LANGUAGE_QUALITIES).meta({
          description:
            'native; fallback: spoken with a neighbouring accent; degraded: parts are read wrongly.',
        }),
        note: z
          .string()
          .optional()
          .meta({ description: 'What is missing, where the quality is not native.' }),
      }),
    ),
  })
  .meta({ id: 'EngineLanguages' })

export const voiceResourceSchema = z
  .object({
    voice_id: voiceIdSchema,
    livemode: livemodeSchema,
    name: z.string(),
    language: z.string().nullable(),
    status: z.enum(['ready', 'processing', 'failed']),
    created_at: timeSchema,
  })
  .meta({ id: 'Voice', description: 'A cloned voice.' })

/** Messages of the synthesis WebSocket, from the client. */
export const engineSocketClientMessageSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('speak'),
      text: spokenTextSchema(LIMITS.streamInputCharacters),
      emotion: emotionSchema.optional(),
      speed: speedSchema.optional(),
    }),
    z.strictObject({ type: z.literal('emotion'), emotion: emotionSchema }),
    z.strictObject({ type: z.literal('flush') }),
    z.strictObject({ type: z.literal('cancel') }),
    z.strictObject({ type: z.literal('end') }),
  ])
  .meta({ id: 'EngineSocketClientMessage' })

/** What the server can end the synthesis WebSocket with, once it is open. */
export const ENGINE_SOCKET_ERRORS = [
  'invalid_request',
  'text_too_long',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

/** Text messages of the synthesis WebSocket, from the server; between them come binary pcm16 frames. */
export const engineSocketServerMessageSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('started'), descriptor: streamDescriptorSchema }),
    z.object({ type: z.literal('mark'), text: z.string(), at_ms: z.number() }),
    z.object({ type: z.literal('flushed') }),
    z.object({ type: z.literal('canceled') }),
    z.object({
      type: z.literal('error'),
      code: z.enum(ENGINE_SOCKET_ERRORS),
      message: z.string().meta({ description: 'For the developer; may change.' }),
      retryable: z.boolean().meta({ description: 'Whether the same session may succeed later.' }),
    }),
    z.object({ type: z.literal('ended'), duration_ms: z.number() }),
  ])
  .meta({ id: 'EngineSocketServerMessage' })
