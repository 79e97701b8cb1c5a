import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from '../contract.ts'
import { binaryBodySchema, defineRoute } from '../shared/route.ts'
import { createOpenApiDocument } from './create-document.ts'
import { fullDocument } from './full-document.ts'
import { listRoutes } from './routes.ts'

interface Content {
  schema: { properties?: Record<string, { description?: string }>; $ref?: string; required?: string[] }
  examples?: Record<string, { value: object }>
  encoding?: object
}
interface Response {
  headers?: Record<string, unknown>
  content?: Record<string, Content>
}
interface Operation {
  operationId: string
  summary: string
  description: string
  security: object[]
  tags: string[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, Content>; 'x-body-limit-bytes': number }
  responses: Record<string, Response | { $ref: string }>
}
interface Document {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, object>; responses: Record<string, Response> }
}

const document: Document = JSON.parse(JSON.stringify(fullDocument()))
const text = JSON.stringify(document)

function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method]
  if (found === undefined) throw new Error(`No ${method} ${path}`)
  return found
}

function response(method: string, path: string, status: string): Response {
  const found = operation(method, path).responses[status]
  if (found === undefined) throw new Error(`No ${status} of ${method} ${path}`)
  if (!('$ref' in found)) return found
  return document.components.responses[found.$ref.split('/').at(-1)!]!
}

const referencesTo = (kind: string): Set<string> =>
  new Set([...text.matchAll(new RegExp(`"#/components/${kind}/([^"]+)"`, 'g'))].map((match) => match[1]!))

const bodySchema = (method: string, path: string) =>
  operation(method, path).requestBody?.content['application/json']?.schema

test('every route is an operation with its statuses, its headers and an example of each error', () => {
  for (const route of listRoutes(contract)) {
    const { metadata } = route
    const method = route.method.toLowerCase()
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}')
    const found = operation(method, path)
    expect(found).toMatchObject({ operationId: metadata.operation, tags: [metadata.operation.split('.')[0]] })
    expect(found.summary).not.toBe('')
    expect(found.security).toEqual(metadata.access === 'public' ? [] : [{ apiKey: [] }])
    if (metadata.scope !== null) expect(found).toMatchObject({ 'x-scope': metadata.scope })
    expect('x-rate-limit' in found).toBe(metadata.limit !== null || metadata.addressLimit !== null)
    if ('x-rate-limit' in found) expect(found.responses).toHaveProperty('429')
    expect('x-concurrency-limit' in found).toBe(metadata.concurrency !== null)
    expect(Object.keys(found.responses)).toEqual(Object.keys(route.responses))
    for (const status of Object.keys(found.responses)) {
      const { headers, content } = response(method, path, status)
      expect(headers).toHaveProperty('X-Request-Id')
      expect('RateLimit-Policy' in headers!).toBe(metadata.limit !== null || metadata.addressLimit !== null)
      if (status === '429' || status === '503') expect(headers).toHaveProperty('Retry-After')
      if (Number(status) < 400) continue
      const { schema, examples = {} } = content!['application/json']!
      const values = Object.values(examples).map(({ value }) => value)
      expect(values.length).toBeGreaterThan(0)
      for (const value of values) expect(z.fromJSONSchema(schema).safeParse(value).success).toBe(true)
    }
  }
})

test('tags, schemas and responses are defined if and only if they are used', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const webhooks = Object.values(document.webhooks).map(({ post }) => post)
  const used = new Set([...operations, ...webhooks].flatMap(({ tags }) => tags))
  expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
  expect(new Set(Object.keys(document.components.schemas))).toEqual(referencesTo('schemas'))
  expect(new Set(Object.keys(document.components.responses))).toEqual(referencesTo('responses'))
  expect(text).not.toContain('$defs')
})

test('parameters are in the path, the query and the headers, with coerced numbers as integers', () => {
  const names = (method: string, path: string) =>
    operation(method, path).parameters.map(({ name, in: place }) => `${place} ${name}`)
  expect(names('post', '/agent/calls')).toEqual(['header Idempotency-Key'])
  expect(names('get', '/identity/verifications/{verification_id}')).toEqual([
    'path verification_id',
    'query include_media',
    'header X-Service-Signature',
  ])
  expect(operation('get', '/agent/calls').parameters[0]).toMatchObject({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  })
})

test('limits are described with the numbers of each tier and their origin', () => {
  expect(operation('post', '/v1/audio/stream')).toMatchObject({
    'x-rate-limit': {
      name: 'speech_stream',
      per: 'account',
      rates: { starter: { limit: 50, period_seconds: 60 }, pro: { limit: 500, period_seconds: 60 } },
    },
    'x-concurrency-limit': { name: 'concurrent_streams', per: 'account', limits: { starter: 10, pro: 50 } },
  })
  expect(operation('post', '/identity/kyc/v2')).toMatchObject({
    'x-rate-limit': { name: 'kyc_submissions', beyond_specification: true },
    'x-concurrency-limit': { name: 'pending_verifications' },
  })
  expect(operation('post', '/agent/calls')).toMatchObject({
    'x-rate-limit': { name: 'place_call', per: 'key' },
    'x-concurrency-limit': {
      name: 'waiting_calls',
      limits: { starter: 1000, pro: 1000, enterprise: 10_000 },
    },
  })
})

test('bodies are JSON or multipart, with their limits', () => {
  expect(bodySchema('post', '/agent/calls')).toEqual({ $ref: '#/components/schemas/PlaceCallRequest' })
  expect(operation('post', '/agent/calls').requestBody?.['x-body-limit-bytes']).toBe(256 * 1024)
  const form = operation('post', '/identity/kyc/v1').requestBody?.content['multipart/form-data']
  expect(form?.schema.required).toEqual(['front_image', 'back_image', 'liveness_video'])
  expect(form?.schema.properties?.['liveness_video']?.description).toContain('At most 37.5 MiB.')
  expect(form?.schema.properties?.['liveness_video']).toHaveProperty('x-max-bytes', 39_321_600)
  expect(text).toContain('At most 37.5 MiB (50 MiB as base64).')
  expect(form?.encoding).toMatchObject({
    liveness_video: { contentType: 'video/mp4, video/quicktime, video/webm' },
  })
  expect(operation('post', '/agent/calls/{call_id}/cancel').requestBody).toBeUndefined()
})

test('responses are JSON, bytes, events, lines, or a choice of two', () => {
  const types = (method: string, path: string, status = '200') =>
    Object.keys(response(method, path, status).content ?? {})
  expect(types('get', '/agent/calls/{call_id}')).toEqual(['application/json'])
  expect(types('get', '/agent/calls/{call_id}/recording')).toEqual(['audio/wav'])
  expect(types('post', '/v1/audio/stream')[0]).toMatch(/^audio\/pcm;rate=16000/)
  expect(types('post', '/v1/engine/synthesize')).toContain('application/json')
  expect(types('post', '/v1/chat/completions')).toEqual(['text/event-stream', 'application/json'])
  expect(types('get', '/v1/batch/{batch_id}/results')).toEqual(['application/x-ndjson'])
  expect(types('delete', '/v1/voices/{voice_id}', '204')).toEqual([])
  expect(response('post', '/v1/audio/stream', '200').headers?.['X-Stream-Descriptor']).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/StreamDescriptor' } } },
  })
})

test('responses allow additional fields and requests do not', () => {
  expect(document.components.schemas['Call']).not.toHaveProperty('additionalProperties')
  expect(document.components.schemas['PlaceCallRequest']).toMatchObject({ additionalProperties: false })
  expect(document.components.schemas['PlaceCallRequest']).toMatchObject({
    properties: { metadata: { additionalProperties: {} } },
  })
})

test('descriptions use the right article', () => {
  expect(text.match(/\ba [aeio]\w+/g)).toEqual(null)
})

test('sockets and webhooks have the schemas of their messages', () => {
  expect(operation('get', '/v1/engine/stream')).toMatchObject({
    'x-websocket': {
      protocol: 'vaani.v1',
      keyProtocolPrefix: 'vaani.key.',
      clientMessages: { $ref: '#/components/schemas/EngineSocketClientMessage' },
      serverMessages: { $ref: '#/components/schemas/EngineSocketServerMessage' },
    },
    responses: { '101': {} },
  })
  const { post } = document.webhooks['verification']!
  expect(post.parameters.map(({ name }) => name)).toContain('X-Service-Signature')
  expect(post.requestBody?.content['application/json']?.schema.$ref).toMatch(/VerificationEvent$/)
})

test('a part of the contract has its own document', () => {
  const part = createOpenApiDocument({ calls: contract.calls }, { title: 'Calls', version: '1.0.0' })
  expect(Object.keys(part['paths']!)).toEqual([
    '/agent/calls',
    '/agent/calls/{call_id}',
    '/agent/calls/{call_id}/cancel',
    '/agent/calls/{call_id}/recording',
    '/agent/calls/{call_id}/transcript',
  ])
  expect(part).not.toHaveProperty('webhooks')
})

const route = (options: { body: z.ZodType; answer: z.ZodType; path?: `/${string}` }) =>
  defineRoute({
    operation: 'things.make',
    method: 'POST',
    path: options.path ?? '/things',
    summary: 'Make',
    description: '',
    body: options.body,
    success: { 200: options.answer },
  })
const documentOf = (make: ReturnType<typeof route>) =>
  createOpenApiDocument({ make }, { title: 'Things', version: '1.0.0' })

test('a route declares its media types, the items of its stream and its JSON headers', () => {
  const lines = defineRoute({
    operation: 'things.lines',
    method: 'GET',
    path: '/things/lines',
    summary: 'Read lines',
    description: '',
    success: { 200: binaryBodySchema },
    successBody: 'ndjson',
    mediaTypes: ['application/jsonl'],
    stream: { item: z.object({ size: z.number() }).meta({ id: 'Line' }), example: '{"size":1}\n' },
    responseHeaders: {
      'x-size': 'How many lines follow.',
      'x-thing': { description: 'The thing.', json: z.object({ id: z.string() }).meta({ id: 'Thing' }) },
    },
  })
  const { paths } = createOpenApiDocument({ lines }, { title: 'Things', version: '1.0.0' })
  const answer = {
    headers: {
      'X-Size': { description: 'How many lines follow.', schema: { type: 'string' } },
      'X-Thing': {
        description: 'The thing.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
      },
    },
    content: {
      'application/jsonl': {
        schema: { type: 'string' },
        'x-item-schema': { $ref: '#/components/schemas/Line' },
        example: '{"size":1}\n',
      },
    },
  }
  expect(paths).toMatchObject({ '/things/lines': { get: { responses: { '200': answer } } } })
  expect(JSON.stringify(paths)).not.toContain('application/x-ndjson')
})

test('a schema whose input and output differ becomes two components', () => {
  const thing = z.object({ size: z.number().default(1) }).meta({ id: 'Thing' })
  expect(documentOf(route({ body: thing, answer: thing }))).toMatchObject({
    components: { schemas: { Thing: {}, ThingOutput: { required: ['size'] } } },
  })
})

test('two schemas with one id, and a path parameter without a schema, are rejected', () => {
  const things = [z.string(), z.number(), z.boolean()].map((inner) =>
    z.object({ inner }).meta({ id: 'Thing' }),
  )
  const [first, second, third] = things
  expect(() =>
    documentOf(route({ body: first!, answer: z.union([z.array(second!), z.tuple([third!])]) })),
  ).toThrow('Thing')
  expect(() => documentOf(route({ body: z.null(), answer: z.null(), path: '/things/:id' }))).toThrow('id')
})

test('every JSON body has examples that its schema accepts', () => {
  const bodies = listRoutes(contract).flatMap((one) =>
    'body' in one && one.body instanceof z.ZodType && one.metadata.parts === null
      ? [{ ...one, body: one.body }]
      : [],
  )
  expect(bodies.length).toBeGreaterThan(15)
  for (const { body, method, path, metadata } of bodies) {
    const found = operation(method.toLowerCase(), path.replace(/:([a-z_]+)/g, '{$1}'))
    const examples = Object.values(found.requestBody?.content['application/json']?.examples ?? {})
    expect(examples, metadata.operation).not.toHaveLength(0)
    for (const { value } of examples)
      expect(body.safeParse(value).error?.issues, metadata.operation).toBeUndefined()
  }
})
