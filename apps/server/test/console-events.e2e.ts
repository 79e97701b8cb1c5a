/** The stream on which pages of the console follow what happens. */
import { randomBytes } from 'node:crypto'
import type { Id, InvitedMember } from '@vaani/contracts'
import type { VaultKeys } from '@vaani/service-kit/vault/vault'
import { createTestDatabase, startLossyProxy } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MOST_STREAMS } from '../src/features/console/events/bounds.ts'
import { REMEMBERED } from '../src/features/webhooks/feed/recent-events.ts'
import { createPasskeyDevice } from './support/passkey-device.ts'
import { followEvents, type PageOptions } from './support/page-events.ts'
import { seriesOf } from './support/series.ts'
import { migrateUrl, startTestServer, type TestServer } from './support/test-server.ts'

/** Ends only in hours, so that a test which needs it fails. */
const LONG_GRACE_MS = 3_600_000
const TO = '+9779812345678'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { metricsPort: 0 } })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const MARK = { 'x-vaani-console': '1' }
type Page = Pick<PageOptions, 'cookie' | 'keyId'>

async function signIn(key: string, at = server): Promise<Page> {
  const { body, headers } = await at.json<{ key_id: string }>('/console/session', {
    key: null,
    body: { key },
    headers: MARK,
  })
  return { keyId: body.key_id, cookie: headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
}

async function place(key: string, at: Pick<TestServer, 'json'> = server): Promise<string> {
  const { body } = await at.json<{ call_id: string }>('/agent/calls', {
    key,
    body: { to: TO, agent_id: 'reminder' },
  })
  return body.call_id
}

const follow = (page: Page, more: Partial<PageOptions> = {}, at = server) =>
  followEvents(at.url, { ...page, ...more })

/** Writes an event of an account, as a feature does. */
const writeEvent = (client: pg.Client | pg.Pool, accountId: string, objectId: string, type = 'call.failed') =>
  client.query(
    `insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
     values ($1, $2, false, $3, $4, '{}', now())`,
    [server.context.makeId('event'), accountId, type, objectId],
  )

async function connect(url = server.databaseUrl): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

describe('a page that follows events', () => {
  test('learns of each step of a call in order, and nothing about whom it called', async () => {
    const { key } = await server.createAccount()
    using page = await follow(await signIn(key))
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    await page.until('reset')
    const id = await place(key)
    await page.until('call.completed', id)
    const types = page.events.filter(({ data }) => data['object_id'] === id).map(({ data }) => data['type'])
    expect(types).toEqual(['call.queued', 'call.in_progress', 'call.completed'])
    expect(Object.keys(page.events.at(-1)?.data ?? {})).toEqual(['type', 'object_id'])
    expect(page.text()).not.toContain(TO)
  })

  test('is never silent for ten seconds, and knows where it is although nothing happens', async () => {
    const { key } = await server.createAccount()
    using page = await follow(await signIn(key))
    await page.until('reset')
    const sinceMs = performance.now()
    await until(page.text, (text) => text.includes(': waiting\nid: '))
    expect(performance.now() - sinceMs).toBeLessThan(10_000)
    expect(page.lastId()).toMatch(/^\d+$/)
  })

  test('goes on where it stopped, and misses nothing', async () => {
    const { key } = await server.createAccount()
    const of = await signIn(key)
    let lastId: string
    {
      using page = await follow(of)
      await page.until('call.completed', await place(key))
      lastId = page.lastId()
    }
    const missed = [await place(key), await place(key)]
    using page = await follow(of, { lastId })
    for (const id of missed) await page.until('call.completed', id)
    expect(page.events.map(({ event }) => event)).not.toContain('reset')
  })

  test('reads everything anew if it begins, or names a position that is too old or is none', async () => {
    const { accountId, key } = await server.createAccount()
    const of = await signIn(key)
    let lastId: string
    {
      using page = await follow(of)
      await page.until('reset')
      lastId = page.lastId()
    }
    await server.context.pool.query(
      `insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
       select concat('evt_old_', i), $1, false, 'call.failed', concat('call_old_', i), '{}', now()
       from generate_series(1, $2::integer) i`,
      [accountId, REMEMBERED + 10],
    )
    for (const position of [lastId, '999999999999', '-1', 'x', '1e3', '9'.repeat(40)]) {
      using page = await follow(of, { lastId: position })
      await page.until('reset')
      expect(page.events.map(({ event }) => event)).toEqual(['reset'])
    }
  })

  test('learns of an event whose transaction ends after later ones, now and if it goes on', async () => {
    const { accountId, key } = await server.createAccount()
    const of = await signIn(key)
    const late = await connect()
    const early = await connect()
    try {
      using page = await follow(of)
      await page.until('reset')
      await late.query('begin')
      await writeEvent(late, accountId, 'call_late')
      await writeEvent(early, accountId, 'call_early')
      await page.until('call.failed', 'call_early')
      // Longer than the position would need to pass over what it does not see.
      for (const id of ['call_1', 'call_2', 'call_3', 'call_4', 'call_5']) {
        await writeEvent(early, accountId, id)
        await page.until('call.failed', id)
      }
      const lastId = page.lastId()
      await late.query('commit')
      await page.until('call.failed', 'call_late')
      using again = await follow(of, { lastId })
      await again.until('call.failed', 'call_late')
      expect(again.events.map(({ event }) => event)).not.toContain('reset')
      // The first page gets each once, although they are read again while a transaction is open.
      expect(page.events.filter(({ data }) => data['object_id'] === 'call_early')).toHaveLength(1)
    } finally {
      await Promise.all([late.end(), early.end()])
    }
  })

  test('is told if more happens at once than is remembered', async () => {
    const { accountId, key } = await server.createAccount()
    using page = await follow(await signIn(key))
    await page.until('reset')
    await server.context.pool.query(
      `insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
       select concat('evt_many_', i), $1, false, 'call.failed', concat('call_many_', i), '{}', now()
       from generate_series(1, $2::integer) i`,
      [accountId, 2 * REMEMBERED + 1],
    )
    await until(
      () => page.events.map(({ event }) => event),
      (events) => events.filter((event) => event === 'reset').length === 2,
    )
    expect(page.events).toHaveLength(2)
    await page.until('call.completed', await place(key))
  })
})

describe('a page learns nothing', () => {
  /** Follows as one page while another gets an event that the first must not. */
  async function expectUnaware(
    of: Page,
    event: { accountId: Id<'account'>; type?: string; livemode?: boolean },
  ) {
    const { accountId, type = 'call.failed', livemode = false } = event
    const own = await server.createAccount()
    using page = await follow(of)
    using witness = await follow(await signIn(own.key))
    await Promise.all([page.until('reset'), witness.until('reset')])
    await server.context.pool.query(
      `insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
       values ($1, $2, $3, $4, 'call_secret', '{}', now())`,
      [server.context.makeId('event'), accountId, livemode, type],
    )
    await writeEvent(server.context.pool, own.accountId, 'call_after')
    await witness.until('call.failed', 'call_after')
    expect(page.text()).not.toContain('call_secret')
  }

  test('of another account', async () => {
    const { key } = await server.createAccount()
    const { accountId } = await server.createAccount()
    await expectUnaware(await signIn(key), { accountId })
    await expectUnaware(await signIn(server.key), { accountId })
  })

  test('of the other mode', async () => {
    const { accountId, key } = await server.createAccount()
    await expectUnaware(await signIn(key), { accountId, livemode: true })
    const live = await server.createKey(accountId, true)
    await expectUnaware(await signIn(live), { accountId, livemode: false })
  })

  test.each([
    ['batch.completed', ['calls:read', 'identity:read']],
    ['webhook.endpoint_failing', ['calls:read', 'identity:read']],
    ['document.completed', ['calls:read', 'identity:read']],
    ['call.completed', ['identity:read']],
    ['verification.review', ['calls:read', 'admin']],
  ] as const)('of %s with the scopes %s', async (type, scopes) => {
    const { accountId, key } = await server.createAccount({}, scopes)
    await expectUnaware(await signIn(key), { accountId, type })
  })
})

describe('a stream is refused', () => {
  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['in the bar of addresses', { 'sec-fetch-site': 'none' }],
    ['without saying from where', { 'sec-fetch-site': '' }],
  ])('%s', async (_, headers) => {
    using page = await follow(await signIn(server.key), { headers })
    expect(page.status).toBe(403)
  })

  test('without a session, by a key, and to a tab of another key', async () => {
    const of = await signIn(server.key)
    for (const [more, status] of [
      [{ cookie: '' }, 401],
      [{ cookie: `vaani_console=${'A'.repeat(43)}` }, 401],
      [{ cookie: '', headers: { authorization: `Bearer ${server.key}` } }, 401],
      [{ keyId: `key_${'0'.repeat(26)}` }, 403],
      [{ keyId: '' }, 403],
    ] as const) {
      using page = await follow(of, more)
      expect(page.status).toBe(status)
    }
  })

  test('beyond the bound of a session and of an account, until another ends', async () => {
    const { key } = await server.createAccount()
    await using held = new AsyncDisposableStack()
    const open = async (of: Page) => {
      const page = held.use(await follow(of))
      await until(
        () => page.text() !== '' || page.hasEnded(),
        (isThere) => isThere,
      )
      return page
    }
    const first = await signIn(key)
    const [one] = [await open(first), await open(first), await open(first), await open(first)]
    const refused = await open(first)
    expect([refused.status, refused.text()]).toEqual([
      429,
      expect.stringContaining('one session may have at most 4'),
    ])
    one[Symbol.dispose]()
    await until(
      () => open(first),
      ({ status }) => status === 200,
    )
    for (let count = MOST_STREAMS.session; count < MOST_STREAMS.account; count += MOST_STREAMS.session) {
      const of = await signIn(key)
      const pages = await Promise.all(Array.from({ length: MOST_STREAMS.session }, () => open(of)))
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
    const beyond = await open(await signIn(key))
    expect([beyond.status, beyond.text()]).toEqual([
      429,
      expect.stringContaining('one account may have at most 100'),
    ])
    const text = await server.scrape()
    expect(seriesOf(text, 'vaani_console_streams')['']).toBeGreaterThanOrEqual(MOST_STREAMS.account)
    expect(seriesOf(text, 'vaani_console_streams_refused_total')).toMatchObject({
      'reason="account"': 1,
      'reason="process"': 0,
    })
  })
})

describe('a stream ends within seconds', () => {
  const untilEnded = (page: { hasEnded(): boolean }) => until(page.hasEnded, (hasEnded) => hasEnded)

  test('after its session was ended everywhere, and no other', async () => {
    const { key } = await server.createAccount()
    const [of, other, keyOnly] = [
      await signIn(key),
      await signIn(key),
      await signIn((await server.createAccount()).key),
    ]
    using page = await follow(of)
    using elsewhere = await follow(keyOnly)
    await Promise.all([page.until('reset'), elsewhere.until('reset')])
    const headers = { ...MARK, cookie: other.cookie }
    await server.fetch('/console/session?everywhere=true', { key: null, method: 'DELETE', headers })
    const sinceMs = performance.now()
    await untilEnded(page)
    expect(performance.now() - sinceMs).toBeLessThan(15_000)
    expect(elsewhere.hasEnded()).toBe(false)
    using again = await follow(of)
    expect(again.status).toBe(401)
  })

  test('after its key was revoked', async () => {
    const { key } = await server.createAccount()
    const of = await signIn(key)
    using page = await follow(of)
    await page.until('reset')
    await server.fetch(`/admin/keys/${of.keyId}`, { method: 'DELETE' })
    await untilEnded(page)
  })

  test('after its member was removed; a member with another role learns by the new one', async () => {
    const { accountId, key } = await server.createAccount()
    const origin = `http://localhost:${new URL(server.url).port}`
    const own = { ...MARK, origin, 'sec-fetch-site': 'same-origin' }
    const { invitation, member_id } = (
      await server.json<InvitedMember>('/admin/members', { key, body: { name: 'Asha', role: 'developer' } })
    ).body
    const begun = await server.json<{ make: { challenge: string } }>('/console/passkey', {
      key: null,
      headers: own,
      body: { invitation },
    })
    const made = createPasskeyDevice().make({ challenge: begun.body.make.challenge, origin })
    const joined = await server.json<{ key_id: string }>('/console/session', {
      key: null,
      headers: own,
      body: { invitation, made },
    })
    const cookie = joined.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    using page = await follow({ cookie, keyId: joined.body.key_id })
    await page.until('reset')
    await writeEvent(server.context.pool, accountId, 'batch_before', 'batch.completed')
    await page.until('batch.completed', 'batch_before')

    await server.json(`/admin/members/${member_id}`, { key, method: 'PATCH', body: { role: 'viewer' } })
    let number = 0
    // Until the new role applies; a call that follows each batch shows that it was passed over.
    await until(
      async () => {
        const id = `${++number}`
        await writeEvent(server.context.pool, accountId, `batch_${id}`, 'batch.completed')
        await writeEvent(server.context.pool, accountId, `call_${id}`)
        await page.until('call.failed', `call_${id}`)
        return page.text().includes(`batch_${id}`)
      },
      (isTold) => !isTold,
    )
    await server.fetch(`/admin/members/${member_id}`, { key, method: 'DELETE' })
    await untilEnded(page)
  })

  test('and at once if its process stops', async () => {
    const own = await startTestServer({ config: { shutdownGraceMs: LONG_GRACE_MS } })
    const of = await signIn(own.key, own)
    using page = await follow(of, {}, own)
    await page.until('reset')
    await own[Symbol.asyncDispose]()
    await untilEnded(page)
  })
})

describe('what streams cost', () => {
  /** Counts the statements that read events, which only the feed sends. */
  function countReads() {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const textOf = ([first]: readonly unknown[]) =>
      typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : String(first)
    return {
      query,
      count: () => query.mock.calls.map(textOf).filter((text) => text.includes('pg_snapshot_xmin')).length,
    }
  }

  test('is nothing without one', async () => {
    await using own = await startTestServer({ config: { metricsPort: 0 } })
    const reads = countReads()
    /** Waits for so much work in the background that a reader would have read meanwhile. */
    const untilOthersWorked = async () => {
      const from = reads.query.mock.calls.length
      await until(
        () => reads.query.mock.calls.length,
        (now) => now >= from + 30,
      )
    }
    try {
      await untilOthersWorked()
      expect(reads.count()).toBe(0)
      {
        using _page = await follow(await signIn(own.key, own), {}, own)
        await until(reads.count, (count) => count > 3)
      }
      await until(
        async () => seriesOf(await own.scrape(), 'vaani_console_streams')[''],
        (streams) => streams === 0,
      )
      const after = reads.count()
      await untilOthersWorked()
      expect(reads.count()).toBe(after)
    } finally {
      reads.query.mockRestore()
    }
  })
})

test('events of any process arrive, and a page goes on at another', async () => {
  await using database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  const config = { databaseUrl: database.url, encryptionKeys: [randomBytes(32)] satisfies VaultKeys }
  await using one = await startTestServer({ config })
  await using two = await startTestServer({ config, key: one.key })
  const of = await signIn(one.key, one)
  let lastId: string
  {
    using page = await follow(of, {}, one)
    await page.until('reset')
    await page.until('call.completed', await place(one.key, two))
    lastId = page.lastId()
  }
  const id = await place(one.key, one)
  using page = await follow(of, { lastId }, two)
  await page.until('call.completed', id)
  expect(page.events.map(({ event }) => event)).not.toContain('reset')
  const headers = { ...MARK, cookie: of.cookie }
  await one.fetch('/console/session', { key: null, method: 'DELETE', headers })
  await until(page.hasEnded, (hasEnded) => hasEnded)
})

test('a stream outlives its database, and then catches up', async () => {
  await using database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  await using proxy = await startLossyProxy(database.url)
  await using own = await startTestServer({ config: { databaseUrl: proxy.url, roles: new Set(['api']) } })
  const { accountId, key } = await own.createAccount()
  const of = await signIn(key, own)
  using page = await follow(of, {}, own)
  await page.until('reset')
  proxy.cut()
  const direct = await connect(database.url)
  await writeEvent(direct, accountId, 'call_meanwhile')
  await direct.end()
  // A page that comes now is refused, and comes again.
  const refused = await until(
    async () => {
      using other = await follow(of, {}, own)
      return other.status
    },
    (status) => status !== 200,
  )
  expect([401, 503]).toContain(refused)
  proxy.mend()
  await page.until('call.failed', 'call_meanwhile')
  expect(page.hasEnded()).toBe(false)
  expect(page.events.map(({ event }) => event)).toEqual(['reset', 'message'])
})
