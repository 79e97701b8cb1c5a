/** The list of refused requests: what is in it, what never is, and whose it is. */
import { randomBytes } from 'node:crypto'
import { LIMITS, type RefusalSummary, type RefusedRequest } from '@vaani/contracts'
import type { VaultKeys } from '@vaani/service-kit/vault/vault'
import { until } from '@vaani/test-services/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCommandLine } from './support/command-line.ts'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestRequest, type TestServer } from './support/test-server.ts'

const DAY_MS = 86_400_000

const encryptionKeys: VaultKeys = [randomBytes(32)]
let server: TestServer
let nowMs = Date.now()
beforeAll(async () => {
  server = await startTestServer({ config: { encryptionKeys }, clock: { nowMs: () => nowMs } })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const createAccount = () => server.createAccount({ rateOverrides: UNLIMITED })

async function read(key: string, query = ''): Promise<RefusedRequest[]> {
  const { status, body } = await server.json<{ data: RefusedRequest[] }>(`/requests${query}`, { key })
  expect(status).toBe(200)
  return body.data
}

/** Waits for the writer. */
const list = (key: string, { count }: { count: number }) =>
  until(
    () => read(key, '?limit=100'),
    (refused) => refused.length >= count,
  )

const refuse = async (key: string, requestId: string, route: string, request: TestRequest = {}) => {
  // Ids of the same millisecond have no order.
  nowMs++
  const headers = { 'x-request-id': requestId, ...request.headers }
  const { status, headers: answered } = await server.json(route, { ...request, key, headers })
  expect(status).toBeGreaterThanOrEqual(400)
  return answered.get('x-request-id') ?? ''
}

const NUMBER = { to: '12', agent_id: 'reminder' }

describe('a refused request', () => {
  test('is listed with what was wrong, newest first', async () => {
    const { key } = await createAccount()
    await refuse(key, 'wrong-number', '/agent/calls', { body: NUMBER })
    await refuse(key, 'unknown-call', `/agent/calls/call_${'0'.repeat(26)}?expand=all`)
    const [newest, oldest] = await list(key, { count: 2 })
    expect(newest).toMatchObject({
      request_id: 'unknown-call',
      method: 'GET',
      route: '/agent/calls/{call_id}',
      operation: 'calls.retrieve',
    })
    expect(oldest).toMatchObject({
      request_id: 'wrong-number',
      livemode: false,
      method: 'POST',
      route: '/agent/calls',
      operation: 'calls.place',
      status: 422,
      code: 'invalid_phone',
      param: 'to',
      omitted: 0,
      created_at: new Date(nowMs - 1).toISOString(),
    })
    const page = await server.json<{ next_cursor: string }>('/requests?limit=1', { key })
    expect(page.body).toMatchObject({ data: [newest], has_more: true })
    const cursor = `?cursor=${page.body.next_cursor}`
    expect(await read(key, cursor)).toEqual([oldest])
  })

  test('is listed if its key may not make it, and if its rate is over', async () => {
    const { accountId, key } = await server.createAccount({ tier: 'starter' })
    const weak = await server.createKey(accountId, false, ['calls:read'])
    await refuse(weak, 'forbidden-call', '/agent/calls', { body: NUMBER })
    for (let count = 0; count < 21; count++)
      await refuse(key, `change-${count}`, '/v1/lexicons/en', { body: {}, method: 'PUT' })
    const refused = await list(key, { count: 22 })
    const forbidden = refused.at(-1)
    expect(forbidden).toMatchObject({
      request_id: 'forbidden-call',
      status: 403,
      code: 'forbidden',
      param: null,
    })
    expect(refused[0]).toMatchObject({ request_id: 'change-20', status: 429, code: 'rate_limit_exceeded' })
    expect(refused[0]?.key_id).not.toBe(forbidden?.key_id)
  })

  test('is found by each filter, and by several', async () => {
    const { accountId, key } = await createAccount()
    const other = await server.createKey(accountId, false)
    await refuse(key, 'first-of-all', '/agent/calls', { body: NUMBER })
    await refuse(other, 'second-of-all', '/agent/calls', { body: NUMBER })
    await refuse(key, 'third-of-all', '/agent/calls', { body: {} })
    await refuse(key, 'fourth-of-all', '/identity/verifications/unknown')
    const [, , second, first] = await list(key, { count: 4 })
    const find = async (query: string) =>
      (await read(key, query)).map(({ request_id: id }) => id.split('-')[0])
    expect(await find('?request_id=first-of-all')).toEqual(['first'])
    expect(await find(`?key_id=${second?.key_id}`)).toEqual(['second'])
    expect(await find(`?key_id=${first?.key_id}&status=404`)).toEqual(['fourth'])
    expect(await find('?operation=calls.place')).toEqual(['third', 'second', 'first'])
    expect(await find('?status=422')).toEqual(['second', 'first'])
    expect(await find('?code=invalid_phone&operation=calls.place&limit=1')).toEqual(['second'])
    expect(await find(`?code=invalid_phone&cursor=${second?.refusal_id}`)).toEqual(['first'])
    expect(await find('?code=invalid_phone&status=404')).toEqual([])
    expect(await find('?request_id=nobody-s')).toEqual([])
    expect(await find(`?key_id=key_${'0'.repeat(26)}`)).toEqual([])
    expect((await server.json('/requests?status=200', { key })).status).toBe(400)
  })

  test('is counted by code and route', async () => {
    const { key } = await createAccount()
    for (const id of ['count-one', 'count-two', 'count-three'])
      await refuse(key, id, '/agent/calls', { body: NUMBER })
    await refuse(key, 'count-four', '/identity/verifications/unknown')
    await list(key, { count: 4 })
    const { body } = await server.json<RefusalSummary>('/requests/summary', { key })
    expect(body).toMatchObject({ refused: 4, omitted: 0, has_more: false })
    expect(body.groups).toMatchObject([
      { code: 'invalid_phone', operation: 'calls.place', count: 3, request_id: 'count-three' },
      { code: 'verification_not_found', status: 404, count: 1 },
    ])
  })

  test('is no business of other accounts, of the other mode, or of keys that may not administer', async () => {
    const { accountId, key } = await createAccount()
    await refuse(key, 'private-matter', '/agent/calls', { body: NUMBER })
    await list(key, { count: 1 })
    for (const other of [(await createAccount()).key, await server.createKey(accountId, true)]) {
      expect(await read(other, '?request_id=private-matter')).toEqual([])
      const { body } = await server.json<RefusalSummary>('/requests/summary', { key: other })
      expect(body).toMatchObject({ refused: 0, groups: [] })
    }
    const reader = await server.createKey(accountId, false, ['calls:read'])
    expect(await server.json('/requests', { key: reader })).toMatchObject({ status: 403 })
  })
})

describe('never written are', () => {
  test('texts, numbers and keys that callers send', async () => {
    const { key } = await createAccount()
    const secrets = ['+9779812345678', '9812345678', 'sita@example.com', 'sk_live_0123456789abcdefghijklmnop']
    for (const [index, secret] of secrets.entries()) {
      const id = `hostile-${index}`
      const encoded = encodeURIComponent(secret)
      const body = { ...NUMBER, to: secret, agent_id: secret }
      await refuse(key, id, `/agent/calls/${encoded}`)
      await refuse(key, id, `/agent/calls?status=${encoded}`)
      await refuse(key, id, `/agent/calls?${encoded}=1`)
      await refuse(key, id, `/v1/lexicons/${encoded}`)
      await refuse(key, id, '/agent/calls', { body })
      await refuse(key, id, '/agent/calls', { body: { ...body, [secret]: 1 } })
      await refuse(key, id, '/agent/calls', { body: { ...NUMBER, metadata: { [secret]: '\0' } } })
      await refuse(key, id, '/agent/calls', { rawBody: `{"${secret}":` })
      await refuse(key, id, '/agent/calls', {
        body,
        headers: { 'idempotency-key': `${secret} ` + 'x'.repeat(300) },
      })
      await refuse(key, id, '/agent/calls', { body, headers: { 'content-type': `text/${encoded}` } })
      await refuse(key, id, '/agent/calls', { body, headers: { 'x-hostile': secret, cookie: secret } })
      const form = new FormData()
      form.append(secret, secret)
      const response = new Response(form)
      const headers = { 'content-type': response.headers.get('content-type') ?? '' }
      const rawBody = new Uint8Array(await response.arrayBuffer())
      for (const route of ['/identity/kyc/v1', '/v1/audio/clone', '/v1/audio/transcriptions'])
        await refuse(key, id, route, { rawBody, headers })
      nowMs += 60_000
    }
    expect(await refuse(key, secrets[3] ?? '', '/agent/calls', { body: NUMBER })).toMatch(/^req_/)
    await list(key, { count: 57 })
    const { rows } = await sql<{ row: string }>`select r::text as row from refused_requests r`.execute(
      server.context.database,
    )
    const stored = rows.map(({ row }) => row).join('\n')
    expect(stored).toContain('metadata')
    for (const secret of secrets) expect(stored).not.toContain(secret)
  })

  test('requests of nobody known, and those that succeed', async () => {
    const { key } = await createAccount()
    await server.fetch('/agent/calls', { key: null })
    await server.fetch('/agent/calls', { key: `${key}x` })
    await server.fetch('/nowhere', { key })
    await server.fetch('/agent/calls', { key })
    await refuse(key, 'the-only-one', '/agent/calls', { body: NUMBER })
    expect(await list(key, { count: 1 })).toMatchObject([{ request_id: 'the-only-one' }])
  })
})

test('the flood of one account is counted, and leaves the others their places', async () => {
  // The beginning of a minute.
  nowMs += 60_000 - (nowMs % 60_000)
  const flooding = await createAccount()
  const other = await createAccount()
  const more = 20
  const floods = LIMITS.refusalsPerMinute + more
  for (let count = 0; count < floods; count++)
    await refuse(flooding.key, `flood-${count}`, '/agent/calls', { body: NUMBER })
  await refuse(other.key, 'beside-the-flood', '/agent/calls', { body: NUMBER })
  expect(await list(other.key, { count: 1 })).toMatchObject([{ request_id: 'beside-the-flood' }])
  const { body: counted } = await until(
    () => server.json<RefusalSummary>('/requests/summary', { key: flooding.key }),
    ({ body }) => body.omitted === more,
  )
  expect(counted).toMatchObject({ refused: LIMITS.refusalsPerMinute })
  const refused = await read(flooding.key, '?limit=100')
  expect(refused.map(({ omitted }) => omitted)).toEqual([more, ...refused.slice(1).map(() => 0)])
})

test('after a week it is gone', async () => {
  const { key } = await createAccount()
  await refuse(key, 'soon-forgotten', '/agent/calls', { body: NUMBER })
  await list(key, { count: 1 })
  nowMs += LIMITS.refusalDays * DAY_MS
  await server.context.sweep()
  expect((await read(key)).length).toBe(1)
  const { body } = await server.json<RefusalSummary>('/requests/summary', { key })
  expect(body).toMatchObject({ refused: 0 })
  nowMs += 1
  await server.context.sweep()
  expect(await read(key)).toEqual([])
})

test('a server that stops writes what it has gathered', async () => {
  const account = await createAccount()
  {
    await using second = await startTestServer({
      config: { databaseUrl: server.databaseUrl, encryptionKeys },
      key: account.key,
    })
    const { status } = await second.json('/agent/calls', {
      key: account.key,
      body: NUMBER,
      headers: { 'x-request-id': 'as-it-stopped' },
    })
    expect(status).toBe(422)
  }
  expect(await read(account.key)).toMatchObject([{ request_id: 'as-it-stopped' }])
})

test('the command line lists and counts refused requests', async () => {
  const { key } = await createAccount()
  await refuse(key, 'of-the-command-line', '/agent/calls', { body: NUMBER })
  const [refused] = await list(key, { count: 1 })
  const variables = { VAANI_API_KEY: key, VAANI_BASE_URL: server.url }
  const { json } = createCommandLine(() => ({ variables, homeDirectory: import.meta.dirname }))
  const filters = ['--operation', 'calls.place', '--status', '422', '--key', refused?.key_id ?? '']
  expect(await json('requests', ...filters)).toEqual([refused])
  expect(await json('requests', '--id', 'another-one')).toEqual([])
  expect(await json('requests', 'summary')).toMatchObject([{ code: 'invalid_phone', count: 1 }])
})
