import { z } from 'zod'
import { callbackUrlSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { batchIdSchema } from '../shared/ids.ts'
import { jsonObjectSchema, jsonValueSchema } from '../shared/json.ts'
import { LIMITS } from '../shared/limits.ts'
import { lineSchema } from '../shared/text.ts'
import { BATCH_STATUSES } from './states.ts'

export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/audio/speech',
  '/v1/engine/synthesize',
  '/v1/ocr/process',
] as const

export const createBatchSchema = z
  .strictObject({
    endpoint: z.enum(BATCH_ENDPOINTS).meta({ description: 'Path that every request of the batch calls.' }),
    requests: z
      .array(
        z.strictObject({
          custom_id: lineSchema
            .min(1)
            .max(64)
            .meta({ description: 'Your id for the request; its result repeats it.' }),
          body: jsonObjectSchema.meta({ description: 'Body of a request to `endpoint`.' }),
        }),
      )
      .min(1)
      .max(LIMITS.batchRequestsMax),
    completion_window: z.enum(['1h', '24h']).default('24h'),
    callback_url: callbackUrlSchema.optional(),
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
    status: z.enum(BATCH_STATUSES),
    endpoint: z.enum(BATCH_ENDPOINTS),
    livemode: livemodeSchema,
    counts: z.object({ total: z.int().min(0), succeeded: z.int().min(0), failed: z.int().min(0) }),
    created_at: timeSchema,
    completed_at: timeSchema.nullable(),
    expires_at: timeSchema,
  })
  .meta({ id: 'Batch' })

/** One line of a batch's results. */
export const batchResultSchema = z
  .object({
    custom_id: z.string().meta({ description: 'Your id for the request.' }),
    status: z.int().meta({ description: 'HTTP status of the response.' }),
    body: jsonValueSchema.meta({ description: 'Body of the response.' }),
  })
  .meta({ id: 'BatchResult' })
