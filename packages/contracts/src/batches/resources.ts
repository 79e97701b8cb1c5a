import { z } from 'zod'
import { callbackUrlSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idSchema } from '../shared/ids.ts'
import { jsonObjectSchema, jsonValueSchema } from '../shared/json.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'
import { BATCH_FAILURE_REASONS, BATCH_STATUSES } from './states.ts'

export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/audio/speech',
  '/v1/engine/synthesize',
  '/v1/ocr/process',
] as const

export type BatchEndpoint = (typeof BATCH_ENDPOINTS)[number]

/** Hours of each completion window. */
export const BATCH_WINDOW_HOURS = { '1h': 1, '24h': 24 } as const

const endpointSchema = z.enum(BATCH_ENDPOINTS)

export const batchIdSchema = idSchema('batch')

/** One request of a batch; in NDJSON, every line after the first. */
export const batchRequestSchema = z
  .strictObject({
    custom_id: lineSchema
      .min(1)
      .max(64)
      .meta({ description: 'Your id for the request, unique in the batch; its result repeats it.' }),
    body: jsonObjectSchema.meta({
      description: 'Body of a request to `endpoint`, which must not ask for a stream.',
    }),
    method: z.literal('POST').optional(),
    url: endpointSchema.optional().meta({ description: 'As in batch files of OpenAI: `endpoint`.' }),
  })
  .meta({ id: 'BatchRequest' })

/** What applies to all requests of a batch; in NDJSON, the first line. */
export const batchOptionsSchema = z.strictObject({
  endpoint: endpointSchema.meta({ description: 'Path that every request of the batch calls.' }),
  completion_window: z
    .enum(['1h', '24h'])
    .default('24h')
    .meta({ description: 'Time after which the batch fails, if requests are left then.' }),
  callback_url: callbackUrlSchema.optional(),
})

export const createBatchSchema = z
  .strictObject({
    endpoint: batchOptionsSchema.shape.endpoint,
    requests: z
      .array(batchRequestSchema)
      .min(1)
      .max(LIMITS.batchRequestsMax)
      .meta({ description: 'They are read as they arrive, so `endpoint` must come before them.' }),
    completion_window: batchOptionsSchema.shape.completion_window,
    callback_url: batchOptionsSchema.shape.callback_url,
  })
  .meta({
    id: 'CreateBatchRequest',
    examples: [
      {
        endpoint: '/v1/engine/synthesize',
        requests: [{ custom_id: 'letter-1', body: { model: 'synth-v1', text: 'Good morning.' } }],
      },
    ],
  })

export const batchSchema = z
  .object({
    batch_id: batchIdSchema,
    status: z.enum(BATCH_STATUSES).meta({
      description:
        '`completed` once every request has a result, whatever its status. `failed` if the window closed before.',
    }),
    failure_reason: z.enum(BATCH_FAILURE_REASONS).nullable(),
    endpoint: endpointSchema,
    livemode: livemodeSchema,
    counts: z
      .object({ total: z.int().min(0), succeeded: z.int().min(0), failed: z.int().min(0) })
      .meta({ description: 'Requests of the batch, and how many of them ended with and without success.' }),
    created_at: timeSchema,
    completed_at: described(timeSchema.nullable(), 'When the batch ended in any way; null before.'),
    expires_at: described(timeSchema, 'When the completion window closes.'),
  })
  .meta({ id: 'Batch' })
export type Batch = z.output<typeof batchSchema>

/** One line of a batch's results. */
export const batchResultSchema = z
  .object({
    custom_id: z.string().meta({ description: 'Your id for the request.' }),
    status: z.int().meta({ description: 'HTTP status of the response.' }),
    body: jsonValueSchema.meta({
      description:
        'Body of the response. Audio that is no JSON becomes `{content_type, audio_b64}` with the file as base64.',
    }),
  })
  .meta({ id: 'BatchResult' })
export type BatchResult = z.output<typeof batchResultSchema>
