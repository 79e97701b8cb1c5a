import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract, SOCKETS } from './contract.ts'
import { listRoutes } from './openapi/routes.ts'
import { type ErrorCode, ERRORS } from './shared/errors.ts'
import { CONCURRENCY_LIMITS, RATE_LIMITS } from './shared/limits.ts'
import { SCOPES } from './shared/scopes.ts'

const routes = listRoutes(contract)
const named = routes.map((route) => [route.metadata.operation, route] as const)
const unique = (values: readonly string[]) => expect([...new Set(values)]).toEqual(values)

/** Every route of the specification, in its order. */
const SPECIFIED = [
  'POST /agent/calls',
  'GET /agent/calls/:call_id',
  'POST /v1/audio/stream',
  'POST /v1/engine/synthesize',
  'POST /identity/kyc/v1',
  'POST /identity/kyc/v2',
  'GET /identity/verifications/:verification_id',
  'POST /v1/chat/completions',
  'POST /v1/audio/speech',
  'POST /v1/audio/clone',
  'POST /v1/ocr/process',
  'POST /v1/batch',
  'POST /v1/engine/clone',
  'POST /v1/engine/stream',
  'POST /enterprise/deploy',
]
/** Routes that "asynchronous, polled" batches need, although the specification names only their creation. */
const IMPLIED = [
  'GET /v1/batch/:batch_id',
  'GET /v1/batch/:batch_id/results',
  'POST /v1/batch/:batch_id/cancel',
]

/** Errors that the specification lists for a route; 413 has no code there. */
const SPECIFIED_ERRORS: Readonly<Record<string, readonly ErrorCode[]>> = {
  'calls.place': ['invalid_phone', 'rate_limit_exceeded', 'unauthorized'],
  'calls.retrieve': ['call_not_found', 'unauthorized'],
  'speech.stream': [
    'text_too_long',
    'unauthorized',
    'voice_not_found',
    'rate_limit_exceeded',
    'internal_error',
  ],
  'identity.retrieve': ['verification_not_found', 'unauthorized', 'rate_limit_exceeded', 'invalid_signature'],
  'identity.submitV1': ['unauthorized', 'missing_artifact', 'spoof_detected', 'payload_too_large'],
  'identity.submitV2': ['unauthorized', 'missing_artifact', 'spoof_detected', 'payload_too_large'],
}

test('operations are unique, and so is each method of a path', () => {
  unique([
    ...routes.map(({ metadata }) => metadata.operation),
    ...Object.values(SOCKETS).map((it) => it.operation),
  ])
  unique(routes.map(({ method, path }) => `${method} ${path}`))
})

test('an operation is named after its group and name in the contract', () => {
  const places = Object.entries(contract).flatMap(([part, group]) =>
    Object.keys(group).map((name) => `${part}.${name}`),
  )
  expect(routes.map(({ metadata }) => metadata.operation)).toEqual(places)
})

const toKebabCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

test('each group has a folder of its name; the only others are shared by several groups, and a contract of its own', () => {
  const entries = readdirSync(import.meta.dirname, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.toSorted()).toEqual(
    [...Object.keys(contract).map(toKebabCase), 'migration', 'openapi', 'shared', 'ts-rest'].toSorted(),
  )
})

test('the contract has every route of the specification, and marks every other as beyond it', () => {
  const within = routes.filter(({ metadata }) => !metadata.beyondSpecification)
  expect(within.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    [...SPECIFIED, ...IMPLIED].toSorted(),
  )
})

test.for(Object.entries(SPECIFIED_ERRORS))('%s has its specified errors', ([operation, codes]) => {
  const route = new Map(named).get(operation)
  expect(route?.metadata.errors).toEqual(expect.arrayContaining([...codes]))
})

test.for(named)(
  '%s: each status has a schema of exactly the codes of the route',
  ([, { metadata, responses }]) => {
    const statusOf = (code: ErrorCode): number => ERRORS[code].status
    const errorStatuses = Object.keys(responses)
      .map(Number)
      .filter((status) => status >= 400)
    expect(errorStatuses).toEqual([...new Set(metadata.errors.map(statusOf))].toSorted((a, b) => a - b))
    for (const [code, { status, type }] of Object.entries(ERRORS)) {
      const schema: unknown = responses[status]
      const body = { error: { code, message: 'm', type, param: null, request_id: 'req_1' } }
      const accepts = schema instanceof z.ZodType && schema.safeParse(body).success
      expect(accepts, code).toBe(metadata.errors.some((known) => known === code))
    }
  },
)

test.for(named)(
  '%s: every path parameter has a schema, and every schema a parameter',
  ([, { path, pathParams }]) => {
    const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
    expect(pathParams instanceof z.ZodObject ? Object.keys(pathParams.shape) : []).toEqual(names)
  },
)

// ts-rest's `router` turns the paths of inline sub-trees into templates, or puts a prefix before them.
test.for(named)('%s: the path is literal and plain', ([, { path }]) => {
  expect(path).toMatch(/^(\/(:[a-z_]+|[a-z0-9][a-z0-9.-]*))+$/)
})

// ts-rest writes an array as `tag[0]=a`, which Fastify reads as another field.
test.for(named)('%s: the query is a strict object without arrays or objects', ([, { query }]) => {
  if (query === undefined) return
  expect(query).toBeInstanceOf(z.ZodObject)
  if (!(query instanceof z.ZodObject)) return
  expect(query.safeParse({ no_such_field: '1' }).success).toBe(false)
  const { properties } = z.toJSONSchema(query, { io: 'input' })
  for (const schema of Object.values(properties ?? {}))
    expect(schema).not.toMatchObject({ type: expect.stringMatching(/^(array|object)$/) })
})

// Headers as a zod object are a type error in ts-rest.
test.for(named)('%s: headers are a record of lower-case names', ([, { method, headers, metadata }]) => {
  expect(headers).not.toBeInstanceOf(z.ZodType)
  for (const name of Object.keys(headers ?? {})) expect(name).toBe(name.toLowerCase())
  expect('idempotency-key' in (headers ?? {})).toBe(method === 'POST')
  expect(metadata.idempotencyKey).toBe(method === 'POST')
})

/** What a key may always know: its own limits. */
const FOR_ANY_KEY = ['limits.retrieve']

test.for(named)('%s: the metadata is complete', ([, { metadata, responses, summary, description }]) => {
  const needsScope = metadata.access === 'key' && !FOR_ANY_KEY.includes(metadata.operation)
  expect(metadata.scope !== null).toBe(needsScope)
  if (metadata.scope !== null) expect(SCOPES).toContain(metadata.scope)
  const limits =
    typeof metadata.limit === 'object' ? Object.values(metadata.limit?.by_model ?? {}) : [metadata.limit]
  for (const limit of limits) expect(Object.keys(RATE_LIMITS)).toContain(limit)
  if (metadata.concurrency !== null) expect(Object.keys(CONCURRENCY_LIMITS)).toContain(metadata.concurrency)
  expect(metadata.bodyLimitBytes).toBeGreaterThan(0)
  expect(summary).toBeTruthy()
  expect(description).toMatch(/\.$/)
  const successes = Object.keys(responses).filter((status) => Number(status) < 300)
  // A second one is a handle for work that goes on.
  expect(successes.filter((status) => status !== '202' || successes.length === 1)).toHaveLength(1)
  expect(metadata.successBody === 'none').toBe(successes[0] === '204')
  for (const name of Object.keys(metadata.responseHeaders)) expect(name).toBe(name.toLowerCase())
})

test('routes whose response must not be stored for a replay are marked', () => {
  const secret = named.filter(([, { metadata }]) => metadata.secretAnswer).map(([operation]) => operation)
  expect(secret).toEqual([
    'deployments.create',
    'members.invite',
    'members.inviteAgain',
    'webhooks.createEndpoint',
    'webhooks.rotateSecret',
    'webhooks.rotateAccountSecret',
    'admin.createAccount',
    'admin.createKey',
  ])
})
