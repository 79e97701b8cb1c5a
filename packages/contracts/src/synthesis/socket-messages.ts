import { z } from 'zod'
import type { ErrorCode } from '../shared/errors.ts'
import { LIMITS } from '../shared/limits.ts'
import { spokenTextSchema } from '../shared/checks.ts'
import { emotionSchema, speedSchema } from '../shared/speaking.ts'
import { streamDescriptorSchema } from '../speech/resources.ts'

/** Messages that a client sends on the synthesis WebSocket. */
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

/** Error codes with which the server can end an open synthesis WebSocket. */
export const ENGINE_SOCKET_ERRORS = [
  'invalid_request',
  'text_too_long',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[]

/** Text messages that the server sends on the synthesis WebSocket, between binary pcm16 frames. */
export const engineSocketServerMessageSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('started'), descriptor: streamDescriptorSchema }),
    z.object({ type: z.literal('mark'), text: z.string(), at_ms: z.number() }),
    z.object({ type: z.literal('flushed') }),
    z.object({ type: z.literal('canceled') }),
    z.object({
      type: z.literal('error'),
      code: z.enum(ENGINE_SOCKET_ERRORS),
      message: z.string().meta({ description: 'Explanation for the developer; its wording may change.' }),
      retryable: z.boolean().meta({ description: 'Whether the same session may succeed later.' }),
    }),
    z.object({ type: z.literal('ended'), duration_ms: z.number() }),
  ])
  .meta({ id: 'EngineSocketServerMessage' })
