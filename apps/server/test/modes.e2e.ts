import type { Call, Id } from '@vaani/contracts'
import { sign } from '@vaani/webhook-verifier'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findReuse } from '../src/features/identity/reuse.ts'
import { pendingRow } from './support/verification-rows.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let accountId: Id<'account'>
/** Keys of one account, with every scope. */
let keys: { live: string; test: string }
beforeAll(async () => {
  // Without a worker, so that placed calls stay as they are.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  const account = await server.createAccount({ operator: true })
  accountId = account.accountId
  keys = { test: account.key, live: await server.createKey(accountId, true) }
})

type Mode = keyof typeof keys
const MODES = [
  { own: 'live', other: 'test' },
  { own: 'test', other: 'live' },
] as const satisfies { own: Mode; other: Mode }[]

const ask = <Body = Record<string, never>>(mode: Mode, route: string, body?: object, method?: string) =>
  server.json<Body>(route, { key: keys[mode], ...(body && { body }), ...(method && { method }) })
const idsOf = async (mode: Mode, route: string, id: string): Promise<string[]> => {
  const { body } = await ask<{ data: Record<string, string>[] }>(mode, route)
  return body.data.flatMap((item) => item[id] ?? [])
}

const LATER = '2027-01-01T00:00:00Z'
const place = (mode: Mode) =>
  ask<Call>(mode, '/agent/calls', { to: '+9779812345678', agent_id: 'reminder', scheduled_at: LATER })

async function createEndpoint(mode: Mode, events: readonly string[] = ['call.queued']): Promise<string> {
  const { body } = await ask(mode, '/webhooks/endpoints', { url: 'https://93.184.215.14/hooks', events })
  return String(body['endpoint_id'])
}

async function writeVerification(mode: Mode): Promise<string> {
  const { database, makeId, clock } = server.context
  const verification_id = makeId('verification')
  await database
    .insertInto('verifications')
    .values(
      pendingRow({
        verification_id,
        account_id: accountId,
        status: 'review',
        livemode: mode === 'live',
        external_id: 'person-1',
        created_at: new Date(clock.nowMs()),
      }),
    )
    .execute()
  return verification_id
}

/** For each kind of object: how to create one, its list, and every route that takes its id. */
const KINDS: Readonly<
  Record<
    string,
    { make(mode: Mode): Promise<string>; list: string; id: string; routes(id: string): string[] }
  >
> = {
  call: {
    make: async (mode) => (await place(mode)).body.call_id,
    list: '/agent/calls',
    id: 'call_id',
    routes: (id) => [
      `GET /agent/calls/${id}`,
      `GET /agent/calls/${id}/recording`,
      `DELETE /agent/calls/${id}/recording`,
      `POST /agent/calls/${id}/cancel`,
    ],
  },
  verification: {
    make: writeVerification,
    list: '/identity/verifications',
    id: 'verification_id',
    routes: (id) => [
      `GET /identity/verifications/${id}`,
      `POST /identity/verifications/${id}/review {"decision":"approved"}`,
      `POST /identity/verifications/${id}/reconsider {"policy":"default"}`,
      `DELETE /identity/verifications/${id}/media`,
    ],
  },
  key: {
    make: async (mode) => {
      const { body } = await ask(mode, '/admin/keys', { name: 'Another', scopes: ['calls:read'] })
      return String(body['key_id'])
    },
    list: '/admin/keys',
    id: 'key_id',
    routes: (id) => [`DELETE /admin/keys/${id}`],
  },
  'caller id': {
    make: async (mode) => {
      const { body } = await ask(mode, '/admin/caller-ids', { phone_number: '+9779811111111' })
      return String(body['caller_id_id'])
    },
    list: '/admin/caller-ids',
    id: 'caller_id_id',
    routes: (id) => [`DELETE /admin/caller-ids/${id}`],
  },
  'webhook endpoint': {
    make: createEndpoint,
    list: '/webhooks/endpoints',
    id: 'endpoint_id',
    routes: (id) => [
      `GET /webhooks/endpoints/${id}`,
      `PATCH /webhooks/endpoints/${id} {"enabled":false}`,
      `POST /webhooks/endpoints/${id}/rotate-secret {}`,
      `POST /webhooks/endpoints/${id}/test {"type":"call.queued"}`,
      `DELETE /webhooks/endpoints/${id}`,
    ],
  },
  'webhook delivery': {
    make: async (mode) => {
      const { body } = await ask(mode, `/webhooks/endpoints/${await createEndpoint(mode)}/test`, {
        type: 'call.queued',
      })
      return String(body['delivery_id'])
    },
    list: '/webhooks/deliveries',
    id: 'delivery_id',
    routes: (id) => [`GET /webhooks/deliveries/${id}`, `POST /webhooks/deliveries/${id}/resend`],
  },
}

for (const { own, other } of MODES)
  describe(`on objects of a ${own} key, a ${other} key`, () => {
    for (const [kind, { make, list, id: idField, routes }] of Object.entries(KINDS))
      test(`cannot list, read or change a ${kind}`, async () => {
        const id = await make(own)
        expect(await idsOf(other, list, idField)).not.toContain(id)
        for (const route of routes(id)) {
          const [method, path = '', body] = route.split(' ')
          const answer = await ask(other, path, body === undefined ? undefined : JSON.parse(body), method)
          expect({ route, status: answer.status }).toEqual({ route, status: 404 })
        }
        const { body } = await ask<{ data: Record<string, unknown>[] }>(own, list)
        expect(body.data.find((item) => item[idField] === id)).toMatchObject({ livemode: own === 'live' })
      })
  })

test('the history of a person includes only the key’s mode', async () => {
  const live = await writeVerification('live')
  const tested = await writeVerification('test')
  expect(await idsOf('live', '/identity/subjects/person-1', 'verification_id')).toEqual([live])
  expect(await idsOf('test', '/identity/subjects/person-1', 'verification_id')).toEqual([tested])
})

test('a test key creates only test keys, and a live key creates live keys unless it asks for a test key', async () => {
  const make = (mode: Mode, livemode?: boolean) =>
    ask<{ livemode: boolean; error?: object }>(mode, '/admin/keys', {
      name: 'New',
      scopes: ['calls:read'],
      ...(livemode !== undefined && { livemode }),
    })
  const before = await idsOf('live', '/admin/keys', 'key_id')
  expect(await make('test', true)).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden', param: 'livemode' } },
  })
  expect(await idsOf('live', '/admin/keys', 'key_id')).toEqual(before)
  expect((await make('test')).body.livemode).toBe(false)
  expect((await make('live')).body.livemode).toBe(true)
  expect((await make('live', false)).body.livemode).toBe(false)
})

test('agents and caller ids of one mode are available only to calls of that mode', async () => {
  const agent = { name: 'Shop', language: 'en-US', voice: 'nova', greeting: 'Hello.' }
  expect(await ask('test', '/admin/agents/shop', agent, 'PUT')).toMatchObject({
    status: 200,
    body: { livemode: false },
  })
  await ask('test', '/admin/agents/reminder', { ...agent, name: 'Changed' }, 'PUT')
  await ask('test', '/admin/caller-ids', { phone_number: '+9779811111111' })
  const call = { to: '+9779812345678', scheduled_at: LATER }
  const from = { from_caller_id: '+9779811111111' }
  expect((await ask('live', '/agent/calls', { ...call, agent_id: 'shop' })).status).toBe(400)
  expect((await ask('live', '/agent/calls', { ...call, ...from, agent_id: 'reminder' })).status).toBe(403)
  expect((await ask('test', '/agent/calls', { ...call, ...from, agent_id: 'shop' })).status).toBe(201)
  const { body } = await ask<{ data: object[] }>('live', '/agent/agents')
  expect(body.data).toMatchObject([
    { agent_id: 'reminder', name: 'Appointment reminder', livemode: true },
    { agent_id: 'support', livemode: true },
  ])
})

test('an idempotency key used in one mode is free in the other', async () => {
  const send = (mode: Mode) =>
    server.json<Call>('/agent/calls', {
      key: keys[mode],
      headers: { 'idempotency-key': 'order-1' },
      body: { to: '+9779812345678', agent_id: 'reminder', scheduled_at: LATER },
    })
  const [live, tested] = [await send('live'), await send('test')]
  expect([live.status, tested.status]).toEqual([201, 201])
  expect(live.body.call_id).not.toBe(tested.body.call_id)
  expect((await send('test')).body).toEqual(tested.body)
})

describe('a test key of an account with live keys', () => {
  test('cannot change settings that both modes share', async () => {
    const route = `/admin/accounts/${accountId}`
    const before = await ask('live', '/admin/accounts')
    for (const change of [
      { name: 'Other' },
      { tier: 'starter' },
      { rate_overrides: { place_call: { limit: 1, period_seconds: 1 } } },
      { identity_policy: 'document-only' },
      { media_retention_days: 0 },
      { recording_retention_days: 0 },
      { webhooks_include_extracted: true },
    ])
      expect(await ask('test', route, change, 'PATCH')).toMatchObject({ status: 403 })
    expect((await ask('live', '/admin/accounts')).body).toEqual(before.body)
    expect((await ask('live', route, { name: 'Other' }, 'PATCH')).status).toBe(200)
  })

  test('sets the call webhook of its own mode', async () => {
    const route = `/admin/accounts/${accountId}`
    const url = 'https://93.184.215.14/calls'
    await ask('test', '/webhooks/rotate-secret', {})
    expect(await ask('test', route, { call_webhook_url: url }, 'PATCH')).toMatchObject({
      status: 200,
      body: { call_webhook_url: url },
    })
    expect(await ask('live', route, { call_webhook_url: null }, 'PATCH')).toMatchObject({
      status: 200,
      body: { call_webhook_url: null },
    })
    const { body } = await ask<{ data: { account_id: string }[] }>('test', '/admin/accounts?limit=100')
    expect(body.data.find(({ account_id }) => account_id === accountId)).toMatchObject({
      call_webhook_url: url,
    })
  })
})

describe('webhooks', () => {
  const lanesOf = async () => {
    const rows = await server.context.database.selectFrom('webhook_outbox').select('lane_id').execute()
    return rows.map(({ lane_id }) => lane_id)
  }

  test('go to endpoints and the call webhook of the event’s mode', async () => {
    const endpoints = { live: await createEndpoint('live'), test: await createEndpoint('test') }
    for (const { own } of MODES) {
      const url = `https://93.184.215.14/${own}`
      await ask(own, '/webhooks/rotate-secret', {})
      await ask(own, `/admin/accounts/${accountId}`, { call_webhook_url: url }, 'PATCH')
    }
    for (const { own, other } of MODES) {
      const before = await lanesOf()
      await place(own)
      const lanes = (await lanesOf()).filter((lane) => !before.includes(lane))
      expect(lanes).toContain(endpoints[own])
      expect(lanes).not.toContain(endpoints[other])
      expect(lanes).toContain(`${accountId} ${own} https://93.184.215.14`)
    }
  })

  test('are signed with the secret of their mode, which also verifies status reads', async () => {
    const { body } = await ask<{ secret: string }>('test', '/webhooks/rotate-secret', {})
    const { 'x-service-signature': signature } = await sign('', {
      secrets: body.secret,
      id: 'evt_1',
      timestampSeconds: 1_770_000_000,
    })
    const read = async (mode: Mode) =>
      server.json(`/identity/verifications/${await writeVerification(mode)}`, {
        key: keys[mode],
        headers: { 'x-service-signature': signature },
      })
    expect((await read('test')).status).toBe(200)
    expect(await read('live')).toMatchObject({ status: 400, body: { error: { code: 'invalid_signature' } } })
    await ask('live', '/webhooks/rotate-secret', {})
    expect((await read('live')).status).toBe(400)
    expect((await read('test')).status).toBe(200)
  })

  test('that are dead can be resent only by keys of their mode', async () => {
    const { database, clock, makeId } = server.context
    const endpoint_id = await createEndpoint('live')
    await database
      .insertInto('webhook_deliveries')
      .values({
        delivery_id: makeId('delivery'),
        account_id: accountId,
        livemode: true,
        lane_id: endpoint_id,
        endpoint_id,
        url: null,
        event_id: makeId('event'),
        event_type: 'call.queued',
        object_id: makeId('call'),
        sequence: '1',
        status: 'dead',
        dead_reason: 'gone',
        created_at: new Date(clock.nowMs()),
      })
      .execute()
    const since = new Date(clock.nowMs() - 60_000).toISOString()
    const recover = (mode: Mode) => ask(mode, '/webhooks/deliveries/recover', { since })
    expect((await recover('test')).body).toEqual({ resent: 0 })
    expect((await recover('live')).body).toEqual({ resent: 1 })
  })
})

test('media sent with a test key is not detected as reused with a live one', async () => {
  const { database } = server.context
  const fingerprint = Buffer.alloc(32, 7)
  const seed = await writeVerification('test')
  await database
    .insertInto('media_fingerprints')
    .values({
      account_id: accountId,
      livemode: false,
      fingerprint,
      verification_id: seed,
      external_id: 'person-1',
    })
    .execute()
  const reuseOf = (livemode: boolean) =>
    database
      .transaction()
      .execute((tx) =>
        findReuse(
          tx,
          { account_id: accountId, livemode, verification_id: 'another', external_id: 'person-2' },
          { document: fingerprint, likeness: [] },
        ),
      )
  expect(await reuseOf(false)).toEqual({ code: 'document_reused', earlier: seed })
  expect(await reuseOf(true)).toBeNull()
})
