import { z } from 'zod'
import { codePointCount, errorParams, languageSchema } from '../shared/checks.ts'
import type { ErrorCode } from '../shared/errors.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { emotionSchema, markupSchema, speedSchema, voiceSchema } from '../shared/speaking.ts'
import { textSchema } from '../shared/text.ts'
import { streamDescriptorSchema } from '../speech/resources.ts'
import { SYNTHESIS_MODELS, type SynthesisModel, synthesisModelSchema } from './resources.ts'

const DEFAULT_MODEL: SynthesisModel = SYNTHESIS_MODELS[0]

/** How a synthesis WebSocket speaks: the query of its upgrade. */
export const engineSocketQuerySchema = z
  .strictObject({
    model: synthesisModelSchema.default(DEFAULT_MODEL),
    voice: described(voiceSchema, '`default`, `alt1`, `alt2` or the id of a cloned voice.').default(
      'default',
    ),
    language: described(languageSchema, 'Language of the text.').default('en-US'),
    markup: markupSchema.default('strip'),
    emotion: described(emotionSchema, 'Emotion until the first message that sets one.').default('neutral'),
    speed: described(z.coerce.number().pipe(speedSchema), 'Rate of speech.').default(1),
  })
  .meta({ id: 'EngineSocketQuery' })
/** Members of the query of a synthesis WebSocket; all have defaults. */
export type EngineSocketQuery = z.input<typeof engineSocketQuerySchema>

/** A piece of text, which may be blank or end in the middle of a word, as those of a language model do. */
const pieceSchema = textSchema
  .refine((text) => codePointCount(text) <= LIMITS.streamInputCharacters, {
    error: `must have at most ${LIMITS.streamInputCharacters} characters`,
    params: errorParams('text_too_long'),
  })
  .meta({
    description:
      'A piece of the text, split between any two characters. Markup in it is never obeyed; see `markup`.',
    maxLength: LIMITS.streamInputCharacters,
  })

/** Messages that a client sends on the synthesis WebSocket. */
export const engineSocketClientMessageSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('speak'),
      text: pieceSchema,
      emotion: described(emotionSchema, 'Emotion of the phrases that begin in this text.').optional(),
      speed: described(speedSchema, 'Rate of the phrases that begin in this text.').optional(),
    }),
    z.strictObject({ type: z.literal('emotion'), emotion: emotionSchema }),
    z.strictObject({ type: z.literal('flush') }),
    z.strictObject({ type: z.literal('cancel') }),
    z.strictObject({ type: z.literal('end') }),
  ])
  .meta({ id: 'EngineSocketClientMessage' })
export type EngineSocketClientMessage = z.output<typeof engineSocketClientMessageSchema>

/** Error codes with which the server can end an open synthesis WebSocket. */
export const ENGINE_SOCKET_ERRORS = [
  'invalid_request',
  'text_too_long',
  'request_timeout',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]
export type EngineSocketError = (typeof ENGINE_SOCKET_ERRORS)[number]

const atMsSchema = z.number().min(0).meta({
  description:
    'Place in the audio of the session, in milliseconds; counts what was sent, also before a `cancel`.',
})

/** Text messages that the server sends on the synthesis WebSocket, between binary pcm16 frames. */
export const engineSocketServerMessageSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('started'), descriptor: streamDescriptorSchema }),
    z.object({
      type: z.literal('mark'),
      kind: z.enum(['phrase', 'word']).meta({
        description:
          'What begins here. Word marks come only from engines that tell when they say a word, as the embedded one does.',
      }),
      text: z.string().meta({
        description:
          'The words as they were written, without markup that was left out: `$12.50`, which is spoken as five words, is one mark.',
      }),
      at_ms: atMsSchema,
    }),
    z.object({ type: z.literal('flushed') }),
    z.object({
      type: z.literal('canceled'),
      at_ms: atMsSchema.meta({
        description: 'Place in the audio of the session at which the next audio begins.',
      }),
    }),
    z.object({
      type: z.literal('error'),
      code: z.enum(ENGINE_SOCKET_ERRORS),
      message: z.string().meta({ description: 'Explanation for the developer; its wording may change.' }),
      retryable: z.boolean().meta({ description: 'Whether the same session may succeed later.' }),
    }),
    z.object({ type: z.literal('ended'), duration_ms: z.number() }),
  ])
  .meta({ id: 'EngineSocketServerMessage' })
export type EngineSocketServerMessage = z.output<typeof engineSocketServerMessageSchema>
