import { readInput, type RouteMetadata, SCOPES } from '@vaani/contracts'
import type { Tenant } from '@vaani/service-kit/tenant'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exampleBody } from './support/example-body.ts'
import { LATER, UNLIMITED } from './support/known-fields.ts'
import { OBJECTS, parametersOf } from './support/objects.ts'
import { servedRoutes } from './support/served-routes.ts'
import type { WriteObject } from './support/states.ts'
import { changesBetween, readStored, type Stored } from './support/stored.ts'
import { makeMedia } from './support/submissions.ts'
import { startTestServer, type TestRequest, type TestServer } from './support/test-server.ts'

/**
 * Sends every route, on an object in each of its states, every kind of request that must be rejected. A rejected request must
 * leave every table and file unchanged, and so create no event, job or delivery.
 */
type Route = (typeof servedRoutes)[number]

/** Otherwise what is wrong whatever the object is like is sent to it in its first state only. */
const TRIES_ALL_STATES = thorough({ usual: false, long: true })

let server: TestServer
let tenant: Tenant
/** Keys of one account, except `otherAccount`. */
let keys: Record<'test' | 'live' | 'otherAccount', string>
const media = makeMedia()

beforeAll(async () => {
  // Without a worker, so that only requests change anything.
  server = await startTestServer({ config: { roles: new Set(['api']), trustedProxies: ['127.0.0.0/8'] } })
  const account = await server.createAccount({ operator: true, rateOverrides: UNLIMITED })
  tenant = { accountId: account.accountId, livemode: false }
  keys = {
    test: account.key,
    live: await server.createKey(account.accountId, true),
    otherAccount: (await server.createAccount()).key,
  }
})
afterAll(() => server[Symbol.asyncDispose]())

/** What the examples of the contract lack to be valid on this server. */
const COMPLETED: Readonly<Record<string, object>> = {
  'calls.place': { scheduled_at: LATER },
  'identity.reconsider': { policy: 'default' },
}
/** Routes in the wire format of OpenAI take unknown fields, and their usage is written later. */
const OPEN: readonly string[] = [
  'models.chat',
  'models.respond',
  'models.embed',
  'models.complete',
  'models.moderate',
  'models.draw',
  'models.createBatch',
  'models.speech',
]
/** A valid body for each other route that has one. */
const VALID: Readonly<Record<string, object>> = Object.fromEntries(
  servedRoutes.flatMap((route) => {
    const body = exampleBody(route)
    const { operation } = route.metadata
    return body === undefined || OPEN.includes(operation)
      ? []
      : [[operation, { ...body, ...COMPLETED[operation] }]]
  }),
)

/** Tables in which a route counts a refused attempt, as it must. */
const COUNTED_IN: Readonly<Record<string, readonly string[]>> = {
  'callerIds.verify': ['public.caller_id_verifications'],
}

/** Requests that a specific route rejects, besides those that every route rejects. */
const OWN_REFUSALS: Readonly<Record<string, readonly TestRequest[]>> = {
  'calls.place': [
    { body: { ...VALID['calls.place'], to: '977' } },
    { body: { ...VALID['calls.place'], agent_id: 'nobody' } },
    { body: { ...VALID['calls.place'], from_caller_id: '+9779800000000' } },
    { body: { ...VALID['calls.place'], scheduled_at: '2020-01-01T00:00:00Z' } },
  ],
  'callerIds.start': [
    { body: { ...VALID['callerIds.start'], phone_number: '977' } },
    { body: { ...VALID['callerIds.start'], language: 'tlh' } },
  ],
  'callerIds.verify': [{ body: { code: '12345' } }],
  'speech.stream': [
    { body: { ...VALID['speech.stream'], voice: 'vox_00000000000000000000000000' } },
    { body: { ...VALID['speech.stream'], language: 'tlh' } },
  ],
  'synthesis.synthesize': [
    { body: { ...VALID['synthesis.synthesize'], voice: 'nova' } },
    { body: { ...VALID['synthesis.synthesize'], language: 'tlh' } },
  ],
  'lexicons.replace': [
    { body: { entries: [{ term: '!', spoken_as: 'x' }] } },
    { body: { ...VALID['lexicons.replace'], version: 'another' } },
  ],
  'models.speech': [
    { body: { model: 'tts-1', voice: 'nobody', input: 'Hello.' } },
    { body: { model: 'tts-2', voice: 'alloy', input: 'Hello.' } },
    { body: { model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'Hello.', instructions: 'Sing.' } },
  ],
  'models.chat': [
    { body: { model: 'nothing', messages: [{ role: 'user', content: 'Hello.' }] } },
    { body: { model: 'nothing', messages: [] } },
  ],
  'models.respond': [
    { body: { model: 'nothing', input: 'Hello.' } },
    { body: { model: 'vaani-echo', input: 'Hello.', previous_response_id: 'resp_1' } },
  ],
  'identity.retrieve': [{ headers: { 'x-service-signature': 'a'.repeat(64) } }],
  'identity.reconsider': [{ body: { policy: 'nobody’s' } }],
  'admin.createKey': [{ body: { ...VALID['admin.createKey'], livemode: true } }],
  'admin.createAccount': [
    { body: { name: 'New', call_webhook_url: 'https://10.0.0.1/' } },
    { body: { name: 'New', identity_policy: 'nobody’s' } },
  ],
  'admin.updateAccount': [{ body: {} }, { body: { tier: 'starter' } }, { body: { media_retention_days: 0 } }],
  'members.invite': [{ body: { name: 'New', role: 'owner', livemode: true } }],
  'members.update': [{ body: {} }, { body: { livemode: true } }],
  'admin.addCallerId': [{ body: { phone_number: '+1' } }],
  'admin.upsertAgent': [{ body: { ...VALID['admin.upsertAgent'], voice: 'nobody’s' } }],
  'webhooks.createEndpoint': [{ body: { url: 'https://127.0.0.1/', events: ['call.queued'] } }],
  'webhooks.updateEndpoint': [{ body: {} }, { body: { enabled: false, url: 'https://127.0.0.1/' } }],
  'webhooks.rotateSecret': [{ body: { overlap_hours: 1000 } }],
}

/** Like an account, a member belongs to both modes. */
const OF_BOTH_MODES: ReadonlySet<string> = new Set(['member_id'])

interface Refusal {
  name: string
  request: TestRequest
}

/** Lists the requests that a route must reject. */
async function refusalsOf(route: Route): Promise<Refusal[]> {
  const { metadata, method } = route
  const own = (OWN_REFUSALS[metadata.operation] ?? []).map((request, index) => ({
    name: `its own refusal ${index}`,
    request,
  }))
  if (metadata.access === 'public') return own
  const valid = VALID[metadata.operation]
  const takesJson = valid !== undefined
  return [
    ...own,
    { name: 'no key', request: { key: null, headers: fromElsewhere() } },
    { name: 'an unknown key', request: { key: `sk_test_${'0'.repeat(40)}`, headers: fromElsewhere() } },
    ...(metadata.scope === null
      ? []
      : [{ name: 'a key without the scope', request: { key: await keyWithout(metadata) } }]),
    ...(namedIn(route) !== undefined
      ? [
          { name: 'a key of another account', request: { key: keys.otherAccount } },
          ...(parametersOf(route).some((name) => OF_BOTH_MODES.has(name))
            ? []
            : [{ name: 'a key of the other mode', request: { key: keys.live } }]),
        ]
      : []),
    ...(takesJson
      ? [
          { name: 'broken JSON', request: { rawBody: '{"' } },
          { name: 'an unknown field', request: { body: { ...valid, unknown_field: 1 } } },
          { name: 'a body of another type', request: { body: [] } },
          {
            name: 'another content type',
            request: { rawBody: 'a', headers: { 'content-type': 'text/plain' } },
          },
          { name: 'a body over the limit', request: { rawBody: `"${'a'.repeat(300_000)}"` } },
        ]
      : []),
    ...(method === 'POST'
      ? [{ name: 'a malformed idempotency key', request: { headers: { 'idempotency-key': 'a b' } } }]
      : []),
  ]
}

let addresses = 0
/** Each failed authentication comes from an address of its own, because there is a limit on those from one. */
const fromElsewhere = () => ({ 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses++ & 255}` })

const keyWithout = ({ scope }: RouteMetadata) =>
  server.createKey(
    tenant.accountId,
    false,
    SCOPES.filter((one) => one !== scope),
  )

/** Returns the parameter of the path that names an object, if any. */
const namedIn = (route: Route): string | undefined => parametersOf(route).find((name) => name in OBJECTS)

/** Writes the object that the path names, in the given state, and returns the ids for the path. */
async function idsFor(route: Route, write: WriteObject | null): Promise<Readonly<Record<string, string>>> {
  const name = namedIn(route)
  const fixed = { account_id: tenant.accountId, agent_id: 'shop', external_id: 'nobody', language: 'en-US' }
  return write === null || name === undefined ? fixed : { ...fixed, [name]: await write(server, tenant) }
}

function statesOf(route: Route): Readonly<Record<string, WriteObject | null>> {
  const name = namedIn(route)
  return (name !== undefined && OBJECTS[name]) || { 'no object': null }
}

const pathOf = (route: Route, ids: Readonly<Record<string, string>>) =>
  route.path.replaceAll(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'unknown'))

/** Sends requests between two looks at what is stored. Returns which were not rejected, and the tables and files that changed. */
async function send(route: Route, requests: readonly (Refusal & { path: string })[], given?: Stored) {
  const valid = VALID[route.metadata.operation]
  const before = given ?? (await readStored(server))
  const statuses: number[] = []
  for (const { path, request } of requests) {
    const response = await server.fetch(path, {
      method: route.method,
      key: keys.test,
      ...(valid && request.rawBody === undefined && { body: valid }),
      ...request,
    })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  const accepted = requests.filter((_, index) => (statuses[index] ?? 0) < 400).map(({ name }) => name)
  const after = requests.length === 0 ? before : await readStored(server)
  return { statuses, accepted, changed: changesBetween(before, after), after }
}
const NOTHING = { accepted: [], changed: [] }

const isUpload = (route: Route) =>
  route.metadata.operation === 'identity.submitV2' ||
  ('contentType' in route && route.contentType === 'multipart/form-data')

describe.each(
  servedRoutes.filter((route) => !isUpload(route)).map((route) => [route.metadata.operation, route] as const),
)('%s', (_, route) => {
  test.each(Object.entries(statesOf(route)))(
    'rejected on an object that is %s, changes nothing',
    async (state, write) => {
      const path = pathOf(route, await idsFor(route, write))
      const isTried = TRIES_ALL_STATES || state === Object.keys(statesOf(route))[0]
      const refused = isTried ? await refusalsOf(route) : []
      const refusals = refused.map((refusal) => ({ ...refusal, path }))
      const { after, ...result } = await send(route, refusals)
      expect(result).toMatchObject(NOTHING)
      // Valid except possibly for the state; the state machine decides whether it is rejected.
      const headers = route.method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}
      const { statuses, changed } = await send(route, [{ name: 'valid', path, request: { headers } }], after)
      // A machine that is too busy may have begun, and answers 503.
      if (statuses.every((status) => status >= 400 && status < 500))
        expect(COUNTED_IN[route.metadata.operation] ?? []).toEqual(expect.arrayContaining(changed))
    },
  )

  const name = namedIn(route)
  if (name !== undefined)
    test('rejected for an id that is none, changes nothing', async () => {
      const ids = ['unknown', 'a'.repeat(64), '%20', "' or true --"]
      const requests = ids.map((id) => ({ name: id, path: pathOf(route, { [name]: id }), request: {} }))
      expect(await send(route, requests)).toMatchObject(NOTHING)
    })

  const wellFormed = (OWN_REFUSALS[route.metadata.operation] ?? []).filter(({ body }) => hasForm(route, body))
  if (name !== undefined && wellFormed.length > 0)
    test('is 404 for an object of another account, whatever else is wrong', async () => {
      const [write = null] = Object.values(statesOf(route))
      const path = pathOf(route, await idsFor(route, write))
      const requests = wellFormed.map((request, index) => ({
        name: `its own refusal ${index}`,
        path,
        request: { ...request, key: keys.otherAccount },
      }))
      const { statuses, accepted, changed } = await send(route, requests)
      expect({ statuses, accepted, changed }).toEqual({ ...NOTHING, statuses: requests.map(() => 404) })
    })
})

const hasForm = (route: Route, body: unknown): boolean =>
  body !== undefined &&
  'body' in route &&
  route.body instanceof z.ZodType &&
  readInput(route.body, body).success

test('a request that reuses the idempotency key of another changes nothing', async () => {
  for (const route of servedRoutes.filter((one) => one.metadata.idempotencyKey && !isUpload(one))) {
    const states = Object.values(statesOf(route))
    const path = pathOf(route, await idsFor(route, states[0] ?? null))
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const valid = VALID[route.metadata.operation]
    const first = await server.fetch('/agent/calls', { key: keys.test, headers, body: VALID['calls.place'] })
    expect(first.status).toBe(201)
    const other = route.metadata.operation === 'calls.place' ? { ...valid, language: 'en-US' } : valid
    const request = { headers, ...(other && { body: other }) }
    const result = await send(route, [{ name: route.metadata.operation, path, request }])
    expect({ path, ...result }).toMatchObject({ path, statuses: [409], changed: [] })
  }
})

/** Submissions that either version must reject, as media and texts. */
async function refusedSubmissions(): Promise<Record<string, [Media, Texts]>> {
  const { image: front_image } = await media
  const noVideo = { front_image, back_image: front_image, liveness_video: Buffer.from('no video') }
  return {
    'an invalid video': [noVideo, {}],
    'an invalid image': [{ ...noVideo, front_image: noVideo.liveness_video }, {}],
    'an empty artifact': [{ ...noVideo, front_image: Buffer.alloc(0) }, {}],
    'a missing artifact': [{ front_image }, {}],
    'a callback on a private network': [noVideo, { callback_url: 'https://10.0.0.1/' }],
    'an external id with control characters': [noVideo, { external_id: '\u0007' }],
    'an unknown field': [noVideo, { unknown_field: 'a' }],
  }
}

describe.each([
  ['identity.submitV1', asForm],
  ['identity.submitV2', asJson],
] as const)('%s', (operation, encode) => {
  const route = servedRoutes.find(({ metadata }) => metadata.operation === operation)

  test('rejected, changes nothing', async () => {
    if (route === undefined) throw new Error('The route is not served')
    const { path } = route
    const requests = Object.entries(await refusedSubmissions()).flatMap(([name, [media, texts]]) => {
      const request = encode(media, texts)
      const headers = { ...request.headers, 'idempotency-key': crypto.randomUUID() }
      return [
        { name, path, request },
        { name: `${name}, with a key`, path, request: { ...request, headers } },
      ]
    })
    expect(await send(route, requests)).toMatchObject(NOTHING)
  })
})

type Media = Readonly<Record<string, Buffer>>
type Texts = Readonly<Record<string, string>>

function asJson(parts: Media, texts: Texts): TestRequest {
  const media = Object.entries(parts).map(([name, bytes]) => [`${name}_b64`, bytes.toString('base64')])
  return { body: { ...Object.fromEntries(media), ...texts } }
}

function asForm(parts: Media, texts: Texts): TestRequest {
  const boundary = 'a-boundary-of-a-test'
  const chunks = [
    ...Object.entries(texts).map(([name, text]) =>
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`),
    ),
    ...Object.entries(parts).flatMap(([name, bytes]) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\n` +
          'content-type: application/octet-stream\r\n\r\n',
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]
  return {
    rawBody: Buffer.concat(chunks),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
