import { z } from 'zod'
import {
  artifactSchema,
  callbackUrlSchema,
  livemodeSchema,
  spokenTextSchema,
  timeSchema,
} from '../shared/checks.ts'
import { batchIdSchema, deploymentIdSchema } from '../shared/ids.ts'
import { jsonObjectSchema, jsonValueSchema } from '../shared/json.ts'
import { LIMITS } from '../shared/limits.ts'
import { SYNTHESIS_MODELS } from '../speech/resources.ts'
import { BATCH_STATUSES } from './states.ts'

export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const

/** The OpenAI wire format; formats that the engine lacks are 400. */
export const speechRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(200),
    input: spokenTextSchema(LIMITS.streamInputCharacters),
    voice: z.string().min(1).max(64),
    response_format: z.enum(SPEECH_FORMATS).default('mp3'),
    speed: z.number().min(LIMITS.speedMin).max(LIMITS.speedMax).default(1),
  })
  .meta({ id: 'SpeechRequest', examples: [{ model: 'synth-v1', input: 'Good morning.', voice: 'default' }] })

export const ocrRequestSchema = z
  .strictObject({
    image_b64: artifactSchema('JPEG, PNG or WebP page.'),
    language: z.string().min(2).max(35).default('en'),
  })
  .meta({ id: 'OcrRequest' })

const boxSchema = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .meta({ id: 'Box', description: 'In pixels from the top left.' })

export const ocrResultSchema = z
  .object({
    text: z.string(),
    language: z.string(),
    confidence: z.number().min(0).max(1),
    pages: z.array(
      z.object({
        width: z.int().min(1),
        height: z.int().min(1),
        blocks: z.array(
          z.object({
            text: z.string(),
            confidence: z.number().min(0).max(1),
            box: boxSchema,
            lines: z.array(z.object({ text: z.string(), confidence: z.number(), box: boxSchema })),
          }),
        ),
      }),
    ),
    fields: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'OcrResult' })

export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/audio/speech',
  '/v1/engine/synthesize',
  '/v1/ocr/process',
] as const

export const createBatchSchema = z
  .strictObject({
    endpoint: z.enum(BATCH_ENDPOINTS),
    requests: z
      .array(z.strictObject({ custom_id: z.string().min(1).max(64), body: jsonObjectSchema }))
      .min(1)
      .max(LIMITS.batchRequestsMax),
    completion_window: z.enum(['1h', '24h']).default('24h'),
    callback_url: callbackUrlSchema.optional(),
  })
  .meta({ id: 'CreateBatchRequest' })

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
  .object({ custom_id: z.string(), status: z.int(), body: jsonValueSchema })
  .meta({ id: 'BatchResult' })

export const deploySchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be a DNS label'),
    base_model: z.enum(SYNTHESIS_MODELS),
    target: z.enum(['docker', 'kubernetes']),
    replicas: z.int().min(1).max(100).default(1),
    options: jsonObjectSchema.default({}),
  })
  .meta({ id: 'DeployRequest' })

export const deploymentSchema = z
  .object({
    deployment_id: deploymentIdSchema,
    status: z.enum(['ready', 'revoked']),
    license: z
      .string()
      .meta({ description: 'Ed25519 JWT with expiry, models and seats; the Bearer token on premise.' }),
    livemode: livemodeSchema,
    manifest: z.string().meta({ description: 'Compose file or Kubernetes manifest that runs the server.' }),
  })
  .meta({ id: 'Deployment' })
