import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAccountSchema, createKeySchema } from './admin/resources.ts'
import { upsertAgentSchema } from './agents/resources.ts'
import { createBatchSchema } from './batches/resources.ts'
import { placeCallSchema } from './calls/resources.ts'
import { contract } from './contract.ts'
import { deploySchema } from './deployments/resources.ts'
import { submitV2Schema } from './identity/resources.ts'
import { ocrRequestSchema } from './models/ocr.ts'
import { speechRequestSchema } from './models/speech.ts'
import { listRoutes } from './openapi/routes.ts'
import { pageQuerySchema } from './shared/pagination.ts'
import { streamSpeechSchema } from './speech/resources.ts'
import { engineStreamSchema, synthesizeSchema } from './synthesis/resources.ts'
import { rotateSecretSchema } from './webhooks/resources.ts'

const bodies = listRoutes(contract).flatMap(({ metadata, ...route }) =>
  metadata.parts === null && 'body' in route && route.body instanceof z.ZodType
    ? [[metadata.operation, route.body] as const]
    : [],
)

interface Defaults {
  schema: z.ZodType
  least: object
  defaults: object
}
/** The minimum that each request needs, and the defaults that are filled in. */
const DEFAULTS: Readonly<Record<string, Defaults>> = {
  placeCall: {
    schema: placeCallSchema,
    least: { to: '+9779812345678', agent_id: 'reminder' },
    defaults: { language: 'ne-NP' },
  },
  streamSpeech: {
    schema: streamSpeechSchema,
    least: { model: 'stream-tts', input: 'a' },
    defaults: {
      voice: 'nova',
      emotion: 'neutral',
      speed: 1,
      format: 'pcm16',
      language: 'en-US',
      markup: 'keep',
    },
  },
  synthesize: {
    schema: synthesizeSchema,
    least: { model: 'synth-v1', text: 'a' },
    defaults: {
      language: 'en-US',
      markup: 'keep',
      voice: 'default',
      emotion: 'neutral',
      speaking_rate: 1,
      pitch_shift: 0,
      format: 'wav',
      sample_rate: 22_050,
      enable_watermark: true,
    },
  },
  engineStream: {
    schema: engineStreamSchema,
    least: { model: 'synth-l2', input: 'a' },
    defaults: { voice: 'default', emotion: 'neutral', speed: 1, language: 'en-US', markup: 'keep' },
  },
  submitV2: {
    schema: submitV2Schema,
    least: { front_image_b64: 'AAAA', liveness_video_b64: 'AAAA', options: {} },
    defaults: { options: { store_media: true } },
  },
  speech: {
    schema: speechRequestSchema,
    least: { model: 'synth-v1', input: 'a', voice: 'default' },
    defaults: { response_format: 'mp3', speed: 1, instructions: '', stream_format: 'audio', markup: 'keep' },
  },
  ocr: {
    schema: ocrRequestSchema,
    least: { image_b64: 'AAAA' },
    defaults: { language: 'en', orientation: 'auto', text_layer: 'auto' },
  },
  createBatch: {
    schema: createBatchSchema,
    least: { endpoint: '/v1/ocr/process', requests: [{ custom_id: '1', body: {} }] },
    defaults: { completion_window: '24h' },
  },
  deploy: {
    schema: deploySchema,
    least: { name: 'a', base_model: 'synth-v1', target: 'docker' },
    defaults: { replicas: 1, options: { expires_in_days: 365, models: [] } },
  },
  createAccount: {
    schema: createAccountSchema,
    least: { name: 'a' },
    defaults: {
      tier: 'starter',
      call_webhook_url: null,
      rate_overrides: {},
      identity_policy: null,
      media_retention_days: null,
      recording_retention_days: null,
      webhooks_include_extracted: false,
    },
  },
  createKey: {
    schema: createKeySchema,
    least: { name: 'a', scopes: ['admin'] },
    defaults: {},
  },
  upsertAgent: {
    schema: upsertAgentSchema,
    least: { name: 'a', language: 'en-US', voice: 'nova', greeting: 'Hi' },
    defaults: { translations: {} },
  },
  rotateSecret: {
    schema: rotateSecretSchema,
    least: {},
    defaults: { overlap_hours: 24, sign_with: 'new' },
  },
  pageQuery: { schema: pageQuerySchema('call'), least: {}, defaults: { limit: 20 } },
}

test.for(Object.entries(DEFAULTS))(
  '%s: nothing but the defaults is added',
  ([, { schema, least, defaults }]) => {
    expect(schema.parse(least)).toEqual({ ...least, ...defaults })
  },
)

test.for(Object.entries(DEFAULTS))(
  '%s: every field of the minimal request is required',
  ([, { schema, least }]) => {
    for (const name of Object.keys(least)) {
      if (name === 'options') continue
      const rest = Object.fromEntries(Object.entries(least).filter(([key]) => key !== name))
      expect(schema.safeParse(rest).success, name).toBe(false)
    }
  },
)

test.for(bodies)(
  '%s: an unknown field is rejected, except in the OpenAI wire format',
  ([operation, body]) => {
    const issues = body.safeParse({ no_such_field: 1 }).error?.issues ?? []
    const isOpen = operation.startsWith('models.') && operation !== 'models.ocr'
    expect(issues.some(({ code }) => code === 'unrecognized_keys')).toBe(!isOpen)
  },
)

test.for(bodies)('%s: only an object is accepted as a body, and no value throws', ([, body]) => {
  for (const value of [undefined, null, 0, '', 'text', [], true])
    expect(body.safeParse(value).success, JSON.stringify(value)).toBe(false)
})

test('text over the limit of a route is text_too_long, counted in code points instead of UTF-16 units', () => {
  const stream = (input: string) => streamSpeechSchema.safeParse({ model: 'stream-tts', input })
  expect(stream('😀'.repeat(4096)).success).toBe(true)
  expect(stream('a'.repeat(4097)).error?.issues).toEqual([
    expect.objectContaining({ path: ['input'], params: { error_code: 'text_too_long' } }),
  ])
  const synthesize = (text: string) => synthesizeSchema.safeParse({ model: 'synth-v1', text })
  expect(synthesize('न'.repeat(5000)).success).toBe(true)
  expect(synthesize('a'.repeat(5001)).error?.issues).toEqual([
    expect.objectContaining({ path: ['text'], params: { error_code: 'text_too_long' } }),
  ])
})

test('the previous secret cannot sign if the rotation ends it at once', () => {
  const rotate = (rotation: object) => rotateSecretSchema.safeParse(rotation).error?.issues
  expect(rotate({ sign_with: 'previous', overlap_hours: 1 })).toBeUndefined()
  expect(rotate({ sign_with: 'new', overlap_hours: 0 })).toBeUndefined()
  expect(rotate({ sign_with: 'previous', overlap_hours: 0 })).toMatchObject([{ path: ['sign_with'] }])
})

test('speed, pitch and sample rate must be within their bounds', () => {
  const synthesize = (options: object) =>
    synthesizeSchema.safeParse({ model: 'synth-v1', text: 'a', ...options }).success
  for (const speaking_rate of [0.5, 2]) expect(synthesize({ speaking_rate })).toBe(true)
  for (const speaking_rate of [0.49, 2.01, Number.NaN, '1']) expect(synthesize({ speaking_rate })).toBe(false)
  for (const pitch_shift of [-1, 1]) expect(synthesize({ pitch_shift })).toBe(true)
  for (const pitch_shift of [-1.01, 1.01]) expect(synthesize({ pitch_shift })).toBe(false)
  for (const sample_rate of [16_000, 22_050, 44_100]) expect(synthesize({ sample_rate })).toBe(true)
  for (const sample_rate of [8000, 48_000, '16000']) expect(synthesize({ sample_rate })).toBe(false)
})

test('numbers in a query are parsed from text, within their bounds', () => {
  const query = pageQuerySchema('call')
  expect(query.parse({ limit: '100' }).limit).toBe(100)
  for (const limit of ['0', '101', '1.5', '', 'ten', '-1'])
    expect(query.safeParse({ limit }).success).toBe(false)
})

test('a misnamed or empty artifact is missing', () => {
  const { error } = submitV2Schema.safeParse({ front_image: 'AAAA', liveness_video_b64: '' })
  const codes = error?.issues.map((issue) =>
    issue.code === 'custom' ? issue.params?.['error_code'] : issue.code,
  )
  expect(codes?.toSorted()).toEqual(['missing_artifact', 'missing_artifact', 'unrecognized_keys'])
})

test('the examples of a body are accepted', () => {
  const examples = bodies.flatMap(
    ([, body]) =>
      (body.meta()?.examples as unknown[] | undefined)?.map((example) => ({ body, example })) ?? [],
  )
  expect(examples.length).toBeGreaterThan(5)
  for (const { body, example } of examples) expect(body.safeParse(example).error).toBeUndefined()
})
