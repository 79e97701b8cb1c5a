import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SESSIONS_PER_KEY } from '../src/features/console/session-store.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const MARK = { 'x-vaani-console': '1' }
const unauthorized = { status: 401, body: { error: { code: 'unauthorized' } } }
const forbidden = { status: 403, body: { error: { code: 'forbidden' } } }

const signIn = (body: object, headers: Record<string, string> = MARK, at = server) =>
  at.json<{ key_id: string; livemode: boolean }>('/console/session', { key: null, body, headers })

/** Signs in, and returns the cookie as a browser sends it back. */
async function startSession(by: object, at = server): Promise<string> {
  const { status, headers } = await signIn(by, MARK, at)
  expect(status).toBe(200)
  return headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

const asPage = (cookie: string, headers: Record<string, string> = MARK) => ({
  key: null,
  headers: { ...headers, cookie },
})

describe('a session', () => {
  test('is a cookie that no script reads, no other path gets, and no database holds', async () => {
    const { body, headers } = await signIn({ key: server.key })
    expect(body).toMatchObject({ livemode: false, operator: true })
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(
      /^vaani_console=[\w-]{43}; Path=\/console; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    const rows = await server.context.database.selectFrom('console_sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(cookie.slice(14, 57))
  })

  test('stands for its key at every route, behind the prefix and nowhere else', async () => {
    const cookie = await startSession({ key: server.key })
    const listed = await server.json('/console/api/agent/calls', asPage(cookie))
    expect(listed.status).toBe(200)
    expect(listed.headers.get('cache-control')).toBe('no-store')
    expect(await server.json('/agent/calls', asPage(cookie))).toMatchObject(unauthorized)
    const placed = await server.json<{ call_id: string }>('/console/api/agent/calls', {
      ...asPage(cookie),
      body: { to: '+9779812345678', agent_id: 'reminder' },
    })
    expect(placed.status).toBe(201)
    expect(await server.json(`/agent/calls/${placed.body.call_id}`)).toMatchObject({ status: 200 })
  })

  test('has the scopes and the account of its key', async () => {
    const { key } = await server.createAccount({}, ['calls:read'])
    const cookie = await startSession({ key })
    const body = { to: '+9779812345678', agent_id: 'reminder' }
    expect(await server.json('/console/api/agent/calls', { ...asPage(cookie), body })).toMatchObject(
      forbidden,
    )
    const placed = await server.json<{ call_id: string }>('/agent/calls', { body })
    expect(
      await server.json(`/console/api/agent/calls/${placed.body.call_id}`, asPage(cookie)),
    ).toMatchObject({
      status: 404,
    })
  })

  test.each([
    ['without the mark of a page', {}],
    ['from another origin', { ...MARK, origin: 'https://evil.example' }],
    ['from another site', { ...MARK, 'sec-fetch-site': 'cross-site' }],
    ['from an origin that is none', { ...MARK, origin: 'null' }],
  ])('does nothing for a request %s', async (_, headers: Record<string, string>) => {
    const cookie = await startSession({ key: server.key })
    expect(await server.json('/console/api/agent/calls', asPage(cookie, headers))).toMatchObject(forbidden)
    expect(await server.json('/console/session', asPage(cookie, headers))).toMatchObject(forbidden)
    expect(
      await server.json('/console/session', { ...asPage(cookie, headers), method: 'DELETE' }),
    ).toMatchObject(forbidden)
    expect(await signIn({ key: server.key }, headers)).toMatchObject(forbidden)
    expect(await server.json('/console/api/agent/calls', asPage(cookie))).toMatchObject({ status: 200 })
  })

  test('is needed: a key, a made-up cookie and none are refused', async () => {
    const withKey = await server.json('/console/api/agent/calls', { headers: MARK })
    expect(withKey).toMatchObject(unauthorized)
    const madeUp = `vaani_console=${'A'.repeat(43)}`
    expect(await server.json('/console/api/agent/calls', asPage(madeUp))).toMatchObject(unauthorized)
    expect(await server.json('/console/session', asPage(madeUp))).toMatchObject({ body: { session: null } })
  })

  test('ends when its key is revoked', async () => {
    const { key } = await server.createAccount()
    const cookie = await startSession({ key })
    const { body } = await server.json<{ session: { key_id: string } }>('/console/session', asPage(cookie))
    expect(await server.json(`/admin/keys/${body.session.key_id}`, { method: 'DELETE' })).toMatchObject({
      status: expect.toBeOneOf([200, 204]),
    })
    expect(await server.json('/console/api/agent/calls', asPage(cookie))).toMatchObject(unauthorized)
  })

  test('ends by signing out, here or everywhere', async () => {
    const { key } = await server.createAccount()
    const [one, two, three] = [
      await startSession({ key }),
      await startSession({ key }),
      await startSession({ key }),
    ]
    const ended = await server.fetch('/console/session', { ...asPage(one), method: 'DELETE' })
    expect(ended.headers.get('set-cookie')).toContain('vaani_console=; Path=/console; Max-Age=0')
    const statusOf = async (cookie: string) =>
      (await server.fetch('/console/api/agent/calls', asPage(cookie))).status
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200])
    await server.fetch('/console/session?everywhere=true', { ...asPage(two), method: 'DELETE' })
    expect([await statusOf(two), await statusOf(three)]).toEqual([401, 401])
  })

  test('ends if a hundred others of its key are used', async () => {
    const { accountId, key } = await server.createAccount()
    const first = await startSession({ key })
    const { database } = server.context
    const { key_id } = await database
      .selectFrom('api_keys')
      .where('account_id', '=', accountId)
      .select('key_id')
      .executeTakeFirstOrThrow()
    const at = new Date(Date.now() + 60_000)
    await database
      .insertInto('console_sessions')
      .values(
        Array.from({ length: SESSIONS_PER_KEY - 1 }, (_, index) => ({
          secret_hash: Buffer.alloc(32, `session ${index}`),
          account_id: accountId,
          key_id,
          created_at: at,
          used_at: at,
          expires_at: at,
        })),
      )
      .execute()
    const countOf = async () => {
      const rows = await database
        .selectFrom('console_sessions')
        .where('key_id', '=', key_id)
        .selectAll()
        .execute()
      return rows.length
    }
    expect(await countOf()).toBe(SESSIONS_PER_KEY)
    await startSession({ key })
    expect(await countOf()).toBe(SESSIONS_PER_KEY)
    server.context.authenticator.forgetAccount(accountId)
    expect(await server.json('/console/api/agent/calls', asPage(first))).toMatchObject(unauthorized)
  })

  test('starts with a working key only', async () => {
    expect(await signIn({ key: 'sk_test_0123456789abcdef0123456789' })).toMatchObject({
      status: 401,
      body: { error: { param: 'key' } },
    })
    expect(await signIn({ key: 'no key' })).toMatchObject({ status: 401 })
    expect(await signIn({})).toMatchObject({ status: 400 })
  })
})

describe('a link', () => {
  const link = async (at = server) => (await at.context.console.createLink()) ?? ''

  test('signs in once, on the machine of the server', async () => {
    const secret = await link()
    const proxied = await signIn({ link: secret }, { ...MARK, 'x-forwarded-for': '203.0.113.9' })
    expect(proxied).toMatchObject({ status: 403, body: { error: { param: 'link' } } })
    const cookie = await startSession({ link: secret })
    expect(await server.json('/console/api/agent/calls', asPage(cookie))).toMatchObject({ status: 200 })
    expect(await signIn({ link: secret })).toMatchObject({ status: 401, body: { error: { param: 'link' } } })
  })

  test('is used by one of two at the same time', async () => {
    const secret = await link()
    const both = await Promise.all([signIn({ link: secret }), signIn({ link: secret })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})

test('links end after ten minutes, sessions after eight hours without use and after a week', async () => {
  let nowMs = Date.now()
  const passHours = (hours: number) => void (nowMs += hours * 3_600_000)
  await using own = await startTestServer({ clock: { nowMs: () => nowMs } })
  const secret = (await own.context.console.createLink()) ?? ''
  passHours(1 / 6)
  expect(await signIn({ link: secret }, MARK, own)).toMatchObject({ status: 401 })
  const cookie = await startSession({ key: own.key }, own)
  const status = async () => (await own.fetch('/console/api/agent/calls', asPage(cookie))).status
  for (let hours = 0; hours < 7 * 24 - 7; hours += 7) {
    passHours(7)
    expect(await status()).toBe(200)
  }
  passHours(7)
  expect(await status()).toBe(401)
  const idle = await startSession({ key: own.key }, own)
  passHours(8)
  expect(await own.json('/console/api/agent/calls', asPage(idle))).toMatchObject(unauthorized)
  await own.context.sweep()
  passHours(24 * 7)
  await own.context.sweep()
  expect(await own.context.database.selectFrom('console_sessions').selectAll().execute()).toEqual([])
})
