import {
  type AppRoute,
  errorBodySchema,
  type ErrorCode,
  ERRORS,
  type RouteMetadata,
  SCOPES,
} from '@vaani/contracts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { features } from '../src/features.ts'
import { arbitraryOf } from './support/arbitrary-of.ts'
import { KNOWN_FIELDS, LATER, UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Walks the contract: valid requests get a declared success, invalid ones a declared error, and none a 5xx. */
type Route = AppRoute & { metadata: RouteMetadata }
const routes: Route[] = Object.values(features.contract).flatMap((part) => Object.values(part) as Route[])

const SEED = 20_261_120
/** A new name creates an agent or a lexicon, and an unknown person has an empty history and nothing to erase. */
const TAKES_ANY_ID = new Set([
  'admin.upsertAgent',
  'identity.subject',
  'identity.eraseSubject',
  'lexicons.replace',
])
const RUNS = { numRuns: 10, seed: SEED }

let server: TestServer
let key: string
let ids: Readonly<Record<string, string>>

/** Path ids for operations that consume their object, so that the other routes keep theirs. */
const SPENT: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  'webhooks.deleteEndpoint': async () => ({ ...ids, endpoint_id: await createEndpoint() }),
  'voices.remove': async () => ({ ...ids, voice_id: await insertVoice() }),
}
/** Queries of operations that need one. */
const QUERIES: Readonly<Record<string, string>> = { 'reviews.media': '?artifact=front_image' }
/** Expected statuses of valid requests whose outcome depends on the state of the resource. */
const STATEFUL: Readonly<Record<string, readonly number[]>> = {
  'calls.cancel': [200, 409],
  'batches.cancel': [200, 409],
  'calls.recording': [404],
  'calls.removeRecording': [404, 409],
  'admin.removeCallerId': [204, 404],
  'lexicons.retrieve': [200, 404],
  'lexicons.remove': [204, 404],
  // Generated values have the right shape but are no real media; the tests of each route cover those.
  'identity.submitV1': [415],
  'voices.clone': [415],
  'synthesis.clone': [415],
  'identity.submitV2': [400],
  'identity.review': [200, 409],
  'reviews.claim': [200, 409],
  'reviews.release': [200, 409],
  'reviews.addNote': [201, 409],
  'reviews.media': [404],
  'reviews.frames': [404],
  'watermark.detect': [415],
  'models.ocr': [400, 422],
}

beforeAll(async () => {
  server = await startTestServer()
  const { accountId } = await server.createAccount({
    operator: true,
    rateOverrides: UNLIMITED,
  })
  const created = await server.json<{ key: string }>('/admin/keys', {
    body: {
      account_id: accountId,
      name: 'walk',
      scopes: SCOPES,
    },
  })
  key = created.body.key
  ids = {
    call_id:
      (await make('/agent/calls', { to: '+9779812345678', agent_id: 'reminder', scheduled_at: LATER }))[
        'call_id'
      ] ?? '',
    key_id: (await make('/admin/keys', { name: 'spare', scopes: ['calls:read'] }))['key_id'] ?? '',
    caller_id_id: (await make('/admin/caller-ids', { phone_number: '+9779812345678' }))['caller_id_id'] ?? '',
    account_id: accountId,
    agent_id: 'walker',
    language: 'ne-NP',
    model: 'synth-v1',
  }
  const deployment = { name: 'walker', base_model: 'synth-v1', target: 'docker' }
  const endpoint_id = await createEndpoint()
  const test = await make(`/webhooks/endpoints/${endpoint_id}/test`, { type: 'call.queued' })
  const verification_id = await insertVerification(accountId)
  ids = {
    ...ids,
    batch_id: (await make('/v1/batch', KNOWN_FIELDS['batches.create'] ?? {}))['batch_id'] ?? '',
    deployment_id: (await make('/enterprise/deploy', deployment))['deployment_id'] ?? '',
    verification_id,
    external_id: 'walker',
    endpoint_id,
    delivery_id: test['delivery_id'] ?? '',
  }
})
afterAll(() => server[Symbol.asyncDispose]())

async function make(route: string, body: object): Promise<Record<string, string>> {
  return (await server.json<Record<string, string>>(route, { body, key })).body
}

async function createEndpoint(): Promise<string> {
  const endpoint = { url: 'https://example.com/hooks', events: ['call.queued'] }
  return (await make('/webhooks/endpoints', endpoint))['endpoint_id'] ?? ''
}

/** Inserts a voice whose recordings are gone already. */
async function insertVoice(): Promise<string> {
  const { database, makeId } = server.context
  const voice_id = makeId('voice')
  const consent = { consent_key_id: ids['key_id'] ?? '', consented_at: new Date(), created_at: new Date() }
  const sealed = { data_key: Buffer.from('sealed'), voice: Buffer.from('sealed'), recordings: 0 }
  await database
    .insertInto('voices')
    .values({
      voice_id,
      account_id: ids['account_id'] ?? '',
      livemode: false,
      name: 'Walker',
      language: null,
      state: 'ready',
      ...sealed,
      ...consent,
    })
    .execute()
  return voice_id
}

/** Inserts a verification in review, as its checks would leave it. */
async function insertVerification(accountId: string): Promise<string> {
  const { database, makeId } = server.context
  const verification_id = makeId('verification')
  await database
    .insertInto('verifications')
    .values({
      verification_id,
      account_id: accountId,
      version: 2,
      status: 'review',
      livemode: false,
      store_media: true,
      artifacts: '[]',
      checks: '[]',
      reasons: '[]',
      policy: 'default',
      created_at: new Date(),
    })
    .execute()
  return verification_id
}

const schemaOf = (part: unknown): z.ZodType | null => (part instanceof z.ZodType ? part : null)

function pathOf(route: Route, values: Readonly<Record<string, string>>): string {
  return route.path.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

async function ask(
  route: Route,
  request: { path?: Readonly<Record<string, string>>; query?: string | undefined; body?: unknown },
) {
  const { path = ids, query = '', body } = request
  const response = await server.fetch(pathOf(route, path) + query, { method: route.method, body, key })
  const type = response.headers.get('content-type') ?? ''
  const isStream = type.startsWith('text/event-stream')
  const content = type.includes('json')
    ? await response.json()
    : isStream
      ? await response.text()
      : await response.arrayBuffer()
  return { status: response.status, content, isStream, requestId: response.headers.get('x-request-id') }
}

function expectItems({ metadata }: Route, events: string) {
  const lines = events.split('\n').filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
  expect(lines).not.toEqual([])
  for (const line of lines)
    expect(metadata.stream?.item.safeParse(JSON.parse(line.slice(6))).error).toBeUndefined()
}

/** Checks that the contract declares the response for the route. */
function expectDeclared(route: Route, answer: Awaited<ReturnType<typeof ask>>) {
  const { status, content } = answer
  expect(Object.keys(route.responses)).toContain(String(status))
  if (status < 400) {
    const schema = schemaOf(route.responses[status])
    if (answer.isStream) return expectItems(route, String(content))
    if (schema && route.metadata.successBody === 'json')
      expect(schema.safeParse(content).error).toBeUndefined()
    return
  }
  expect(status).toBeLessThan(500)
  const codes = route.metadata.errors.filter((code: ErrorCode) => ERRORS[code].status === status)
  expect(errorBodySchema(codes).safeParse(content).error).toBeUndefined()
  expect(content).toMatchObject({ error: { request_id: answer.requestId } })
}

describe.each(routes.map((route) => [route.metadata.operation, route] as const))('%s', (operation, route) => {
  const bodySchema = 'body' in route ? schemaOf(route.body) : null
  const querySchema = schemaOf(route.query)

  test('answers a valid request with a declared success', async () => {
    const body = bodySchema ? arbitraryOf(bodySchema) : fc.constant(undefined)
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const known = value === undefined ? undefined : { ...(value as object), ...KNOWN_FIELDS[operation] }
        const path = (await SPENT[operation]?.()) ?? ids
        const answer = await ask(route, { path, query: QUERIES[operation], body: known })
        expectDeclared(route, answer)
        const expected = STATEFUL[operation]
        if (expected) expect(expected).toContain(answer.status)
        else expect(answer.status).toBeLessThan(300)
      }),
      RUNS,
    )
  })

  if (bodySchema !== null)
    test('answers an invalid body with a declared error', async () => {
      const spoiled = fc
        .tuple(
          arbitraryOf(bodySchema ?? z.never()),
          fc.jsonValue(),
          fc.nat(),
          fc.constantFrom('replace', 'remove', 'add', 'whole'),
        )
        .map(([value, junk, position, how]) =>
          spoil({ ...(value as object), ...KNOWN_FIELDS[operation] }, { junk, position, how }),
        )
      await fc.assert(
        fc.asyncProperty(spoiled, async (body) => expectDeclared(route, await ask(route, { body }))),
        { ...RUNS, numRuns: 25 },
      )
    })

  if (route.path.includes(':'))
    test('answers an unknown or odd id with a declared error', async () => {
      const odd = fc.oneof(
        fc.string({ minLength: 1, maxLength: 30, unit: 'binary' }),
        fc.constantFrom('..', '.', '%00', "' or 1=1 --", 'call_', 'a'.repeat(300)),
      )
      await fc.assert(
        fc.asyncProperty(odd, async (id) => {
          fc.pre(id.isWellFormed() && id !== '.' && id !== '..')
          const path = Object.fromEntries(Object.keys(ids).map((name) => [name, id]))
          const known = bodySchema ? { name: 'Named', ...KNOWN_FIELDS[operation] } : undefined
          const answer = await ask(route, { path, body: known })
          if (TAKES_ANY_ID.has(operation)) expectDeclared(route, answer)
          else expect([400, 404]).toContain(answer.status)
        }),
        RUNS,
      )
    })

  if (querySchema !== null)
    test('answers an odd query with a declared error', async () => {
      const pairs = fc.array(
        fc.tuple(
          fc.constantFrom('limit', 'cursor', 'status', 'account_id', 'more'),
          fc.string({ maxLength: 12 }),
        ),
        { minLength: 1, maxLength: 4 },
      )
      await fc.assert(
        fc.asyncProperty(pairs, async (query) => {
          fc.pre(query.every(([, value]) => value.isWellFormed()))
          expectDeclared(route, await ask(route, { query: `?${new URLSearchParams(query)}` }))
        }),
        RUNS,
      )
    })
})

interface Spoiling {
  junk: unknown
  position: number
  how: string
}

/** Makes a body wrong in one place or as a whole. */
function spoil(body: Readonly<Record<string, unknown>>, { junk, position, how }: Spoiling): unknown {
  const names = Object.keys(body)
  const name = names[position % names.length] ?? 'x'
  switch (how) {
    case 'replace':
      return { ...body, [name]: junk }
    case 'remove':
      return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
    case 'add':
      return { ...body, unknown_field: junk }
    default:
      return junk
  }
}
