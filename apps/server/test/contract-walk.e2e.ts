import { type AppRoute, errorBodySchema, type ErrorCode, ERRORS, type RouteMetadata } from '@vaani/contracts'
import type { Tenant } from '@vaani/service-kit/tenant'
import { thorough } from '@vaani/test-services/thorough'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { features } from '../src/features.ts'
import { arbitraryOf } from './support/arbitrary-of.ts'
import { KNOWN_QUERIES, LATER, SERVED_FIELDS, UNLIMITED } from './support/known-fields.ts'
import { OBJECTS } from './support/objects.ts'
import { STATES } from './support/states.ts'
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
const RUNS = { numRuns: thorough({ usual: 4, long: 10 }), seed: SEED }
/** More, because each is wrong in another way. */
const INVALID_RUNS = { numRuns: thorough({ usual: 8, long: 25 }), seed: SEED }

/** Made once, because it takes a tenth of a second. */
const ODD_ID = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30, unit: 'binary' }),
  fc.constantFrom('..', '.', '%00', "' or 1=1 --", 'call_', 'a'.repeat(300)),
)

let server: TestServer
let tenant: Tenant
let key: string
let ids: Readonly<Record<string, string>>

/** Expected statuses of valid requests whose outcome depends on the state of the resource. */
const STATEFUL: Readonly<Record<string, readonly number[]>> = {
  'calls.cancel': [200, 409],
  'batches.cancel': [200, 409],
  'calls.recording': [404],
  'calls.transcript': [404],
  'calls.removeRecording': [404, 409],
  // The number is on the list of the account.
  'doNotCall.removeForAll': [404],
  // The number may be verified, or called too often.
  'callerIds.start': [201, 409, 429],
  // It is verified.
  'callerIds.verify': [409],
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
  'reviews.ask': [200, 409],
  'reviews.addNote': [201, 409],
  'reviews.media': [404],
  'reviews.frames': [404],
  'watermark.detect': [415],
  'models.ocr': [400, 422],
  'models.transcribe': [415],
  'models.translate': [415],
  // No upstream has them.
  'models.embed': [404],
  'models.complete': [404],
  'models.moderate': [404],
  'models.draw': [404],
  'models.createFile': [415],
  'models.listFiles': [404],
  'models.retrieveFile': [404],
  'models.readFile': [404],
  'models.removeFile': [404],
  'models.createBatch': [404],
  'models.listBatches': [404],
  'models.retrieveBatch': [404],
  'models.cancelBatch': [404],
}

beforeAll(async () => {
  server = await startTestServer()
  const { accountId } = await server.createAccount({ operator: true, rateOverrides: UNLIMITED })
  tenant = { accountId, livemode: false }
  key = await server.createKey(accountId, false)
  const objects = await Promise.all(Object.keys(OBJECTS).map(async (name) => [name, await writeObject(name)]))
  ids = {
    ...Object.fromEntries(objects),
    verification_id: await STATES.verification_id.review(server, tenant),
    account_id: accountId,
    agent_id: 'walker',
    language: 'ne-NP',
    model: 'synth-v1',
    file_id: 'file-walker',
    stored_batch_id: 'batch-walker',
    external_id: 'walker',
  }
  const make = async (route: string, body: object) =>
    (await server.json<Record<string, string>>(route, { body, key })).body
  // A call that waits, and a delivery that can be resent, unlike a row that is written alone.
  const call = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: LATER }
  const { call_id = '' } = await make('/agent/calls', call)
  const test = `/webhooks/endpoints/${ids['endpoint_id']}/test`
  const { delivery_id = '' } = await make(test, { type: 'call.queued' })
  ids = { ...ids, call_id, delivery_id }
})
afterAll(() => server[Symbol.asyncDispose]())

/** Writes an object of the kind that the path parameter names, in its first state. */
async function writeObject(name: string): Promise<string> {
  const [write] = Object.values(OBJECTS[name] ?? {})
  if (write === undefined) throw new Error(`No object has a ${name}`)
  return write(server, tenant)
}

/** Returns the ids for the path of a request. One that deletes gets an object of its own, so that the other routes keep theirs. */
async function idsFor(route: Route): Promise<Readonly<Record<string, string>>> {
  const name = /:([a-z_]+)$/.exec(route.path)?.[1]
  const isSpent = route.method === 'DELETE' && name !== undefined && name in OBJECTS
  return isSpent ? { ...ids, [name]: await writeObject(name) } : ids
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
  const content = type.startsWith('application/json')
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
        const known = value === undefined ? undefined : { ...(value as object), ...SERVED_FIELDS[operation] }
        const answer = await ask(route, {
          path: await idsFor(route),
          query: KNOWN_QUERIES[operation],
          body: known,
        })
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
          spoil({ ...(value as object), ...SERVED_FIELDS[operation] }, { junk, position, how }),
        )
      await fc.assert(
        fc.asyncProperty(spoiled, async (body) => expectDeclared(route, await ask(route, { body }))),
        INVALID_RUNS,
      )
    })

  if (route.path.includes(':'))
    test('answers an unknown or odd id with a declared error', async () => {
      await fc.assert(
        fc.asyncProperty(ODD_ID, async (id) => {
          fc.pre(id.isWellFormed() && id !== '.' && id !== '..')
          const path = Object.fromEntries(Object.keys(ids).map((name) => [name, id]))
          const known = bodySchema ? { name: 'Named', ...SERVED_FIELDS[operation] } : undefined
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
