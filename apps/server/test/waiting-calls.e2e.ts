import type { Call, Id } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewCall, PlacingRefusal } from '../src/features/calls/place-call.ts'
import { type CallStore, createCallStore } from '../src/features/calls/store.ts'
import { doNotCall } from './support/do-not-call.ts'
import { addLease } from './support/leases.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead, turnOffAutovacuum } from './support/rows-read.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

/** Allowance for the planner, which may read the ends of an index. */
const PLANNER_LOOKS = 10

const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const EVERY_CALL = { place_call: { limit: 100_000, period_seconds: 1 } }
const only = (limit: number) => ({ rateOverrides: { ...EVERY_CALL, waiting_calls: { limit } } })

let server: TestServer
beforeAll(async () => {
  // Without a worker, so calls wait until a test claims them.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Places a call, again while the server is too busy, which says so after five seconds: only the limits are tested here. */
async function place(key: string, more: object = {}, headers: Record<string, string> = {}) {
  const send = () =>
    server.json<Call & { error: object }>('/agent/calls', { body: { ...call, ...more }, key, headers })
  let answer = await send()
  while (answer.status === 503) answer = await send()
  return answer
}
const statusOf = async (key: string, more?: object) => (await place(key, more)).status

async function countWritten(accountId: Id<'account'>) {
  const { rows } = await sql<{ calls: number; events: number }>`
    select (select count(*) from calls where account_id = ${accountId})::integer as calls,
      (select count(*) from events where account_id = ${accountId})::integer as events`.execute(
    server.context.database,
  )
  return rows[0]
}

const newCall = (accountId: Id<'account'>, livemode = false): NewCall => ({
  accountId,
  livemode,
  to: call.to,
  agentId: call.agent_id,
  scheduledAt: null,
  scheduledAtText: null,
  fromCallerId: null,
  language: call.language,
  metadata: null,
  carrier: 'simulator',
})

/** Opens a call store with its own connections, as another process would. */
function openStore(max: number, options: { of?: TestServer; clock?: Clock } = {}) {
  const { of = server, clock = of.context.clock } = options
  const { makeId } = of.context
  const pool = openPool(of.databaseUrl, max)
  const database = createDatabase(pool)
  const store = createCallStore({ pool, database, clock, makeId, doNotCall, onEvents: () => undefined })
  return { pool, store, [Symbol.asyncDispose]: () => database.destroy() }
}

async function placeIn(
  store: CallStore,
  placed: NewCall,
  maxWaiting: number,
  within: () => Promise<void> = () => Promise.resolve(),
): Promise<'placed' | PlacingRefusal> {
  const answer = await store.place(placed, { maxWaiting, within })
  return 'refused' in answer ? answer.refused : 'placed'
}

async function isTurnAwaited(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and not granted`.execute(
    server.context.database,
  )
  return rows.length > 0
}

const fillQueue = (pool: Pool, accountId: Id<'account'>, rows: number) =>
  pool.query(
    `insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at)
     select 'call_waits_' || $1::text || i, $1, false, 'queued', $2, $3, 'en-US', 'simulator', now()
     from generate_series(1, $4::integer) i`,
    [accountId, call.to, call.agent_id, rows],
  )

describe('waiting calls', () => {
  test('are limited exactly, however many are placed at once, and a rejection writes nothing', async () => {
    const { key, accountId } = await server.createAccount(only(3))
    const answers = await Promise.all(Array.from({ length: 20 }, () => place(key)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(17)
    expect(refused[0]?.headers.get('retry-after')).toBe('5')
    expect(refused[0]?.body.error).toMatchObject({
      code: 'rate_limit_exceeded',
      message: 'waiting_calls: an account may have at most 3 waiting calls at a time',
    })
    expect(await countWritten(accountId)).toEqual({ calls: 3, events: 3 })
  })

  test('make room once they are dialled or canceled', async () => {
    const { key } = await server.createAccount(only(1))
    const first = await place(key)
    expect(await statusOf(key)).toBe(429)
    await using worker = openStore(1)
    await addLease(server.context.database, 'a-worker')
    const claim = { workerId: 'a-worker', free: 10, carried: [], after: '' }
    const claimed = await worker.store.claim(claim)
    expect(claimed.map(({ call_id }) => call_id)).toContain(first.body.call_id)
    const second = await place(key)
    expect(second.status).toBe(201)
    expect(await statusOf(key)).toBe(429)
    await server.json(`/agent/calls/${second.body.call_id}/cancel`, { method: 'POST', key })
    expect(await statusOf(key)).toBe(201)
  })

  test('are limited per account and mode, separately from scheduled calls', async () => {
    const { key, accountId } = await server.createAccount(only(1))
    const other = await server.createAccount(only(1))
    const liveKey = await server.createKey(accountId, true)
    expect(await statusOf(key, { scheduled_at: tomorrow() })).toBe(201)
    for (const one of [key, liveKey, other.key]) expect(await statusOf(one)).toBe(201)
    for (const one of [key, liveKey, other.key]) expect(await statusOf(one)).toBe(429)
    expect(await statusOf(key, { scheduled_at: tomorrow() })).toBe(201)
  })

  test('are replayed for their idempotency key without room, and the key of a rejected call stays free', async () => {
    const { key } = await server.createAccount(only(1))
    const placed = await place(key, {}, { 'idempotency-key': 'first' })
    expect(await place(key, {}, { 'idempotency-key': 'second' })).toMatchObject({ status: 429 })
    expect(await place(key, {}, { 'idempotency-key': 'first' })).toMatchObject({
      status: 201,
      body: placed.body,
    })
    await server.json(`/agent/calls/${placed.body.call_id}/cancel`, { method: 'POST', key })
    const again = await place(key, {}, { 'idempotency-key': 'second' })
    expect(again.status).toBe(201)
    expect(again.body.call_id).not.toBe(placed.body.call_id)
  })
})

describe('the call store', () => {
  test('keeps the limit exactly while several processes fill an empty queue', async () => {
    const limit = 620
    const { accountId } = await server.createAccount()
    await using one = openStore(8)
    await using other = openStore(8)
    const answers: Partial<Record<PlacingRefusal | 'placed', number>> = {}
    const run = async (store: CallStore) => {
      for (let attempt = 0; attempt < limit / 10; attempt++) {
        const answer = await placeIn(store, newCall(accountId), limit)
        answers[answer] = (answers[answer] ?? 0) + 1
      }
    }
    await Promise.all([one, other].flatMap(({ store }) => Array.from({ length: 8 }, () => run(store))))
    expect(answers).toEqual({
      placed: limit,
      queue_full: 16 * (limit / 10) - limit,
    })
    expect((await countWritten(accountId))?.calls).toBe(limit)
  })

  test('does not rely on a count that is a quarter of a second old', async () => {
    let nowMs = Date.now()
    const { accountId } = await server.createAccount()
    await using opened = openStore(1, { clock: { nowMs: () => nowMs } })
    const { pool, store } = opened
    const queued = newCall(accountId)
    await placeIn(store, queued, 1000)
    await fillQueue(pool, accountId, 999)
    nowMs += 250
    expect(await placeIn(store, queued, 1000)).toBe('queue_full')
  })

  test('does not rely on a count from before it waited for a connection', async () => {
    let nowMs = Date.now()
    const { accountId } = await server.createAccount()
    await using opened = openStore(1, { clock: { nowMs: () => nowMs } })
    const { pool, store } = opened
    const queued = newCall(accountId)
    await placeIn(store, queued, 1000)
    const busy = await pool.connect()
    const answer = placeIn(store, queued, 1000)
    await until(
      () => Promise.resolve(pool.waitingCount),
      (waiting) => waiting === 1,
    )
    await using other = openStore(1)
    await fillQueue(other.pool, accountId, 999)
    nowMs += 250
    busy.release()
    expect(await answer).toBe('queue_full')
  })

  test('counts a call of another process that was admitted without a turn and is not committed yet', async () => {
    const limit = 501
    const { accountId } = await server.createAccount()
    await using slow = openStore(1)
    await using fast = openStore(1)
    const written = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const first = placeIn(slow.store, newCall(accountId), limit, () => {
      written.resolve()
      return commit.promise
    })
    await written.promise
    await fillQueue(fast.pool, accountId, limit - 1)
    let isOver = false
    const last = placeIn(fast.store, newCall(accountId), limit).finally(() => (isOver = true))
    await until(
      async () => isOver || (await isTurnAwaited()),
      (isDecided) => isDecided,
    )
    commit.resolve()
    expect(await first).toBe('placed')
    expect(await last).toBe('queue_full')
  })

  test('uses a fiftieth of the room before counting again', async () => {
    const nowMs = Date.now()
    const { accountId } = await server.createAccount()
    await using opened = openStore(1, { clock: { nowMs: () => nowMs } })
    const { pool, store } = opened
    const queued = newCall(accountId)
    await placeIn(store, queued, 1000)
    await fillQueue(pool, accountId, 999)
    for (let placed = 1; placed < 1000 / 50; placed++)
      expect(await placeIn(store, queued, 1000)).toBe('placed')
    expect(await placeIn(store, queued, 1000)).toBe('queue_full')
  })

  test('reads no more rows of a long queue or history than the limit, and none during a burst', async () => {
    const rows = 20_000
    const nowMs = Date.now()
    // A separate server, because idle connections report the reads of earlier tests only after ten seconds.
    await using unread = await startTestServer({ config: { roles: new Set(['api']) } })
    const { accountId } = await unread.createAccount()
    // A single connection, which reports the rows that it read at once.
    await using opened = openStore(1, { of: unread, clock: { nowMs: () => nowMs } })
    const { pool, store } = opened
    // Autovacuum's reads would count, and its statistics would change the plans at random times.
    await turnOffAutovacuum(pool, ['calls'])
    await fillQueue(pool, accountId, rows)
    await pool.query(
      `insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at,
         answered_at, ended_at)
       select 'call_ended_' || i, $1, true, 'completed', $2, $3, 'en-US', 'simulator', now(), now(), now()
       from generate_series(1, $4::integer) i`,
      [accountId, call.to, call.agent_id, rows],
    )
    const readWhile = async (run: () => Promise<unknown>) => {
      const before = await countRowsRead(pool, ['calls'])
      await run()
      return (await countRowsRead(pool, ['calls'])) - before
    }
    const [queued, ended] = [newCall(accountId), newCall(accountId, true)]
    const refusedAt = (limit: number) => async () =>
      expect(await placeIn(store, queued, limit)).toBe('queue_full')
    const placeBurst = async () => {
      for (let index = 0; index < 100; index++) await placeIn(store, ended, 100_000)
    }
    // The first attempt finds the queue near its limit; later attempts only count, each in its turn.
    expect(await readWhile(refusedAt(700))).toBeLessThan(200 + 700 + PLANNER_LOOKS)
    for (const statistics of ['vacuum', 'vacuum analyze']) {
      await pool.query(`${statistics} calls`)
      expect(await readWhile(() => placeIn(store, ended, 499))).toBeLessThan(200 + PLANNER_LOOKS)
      expect(await readWhile(placeBurst)).toBeLessThan(PLANNER_LOOKS)
      expect(await readWhile(refusedAt(499))).toBeLessThan(499 + PLANNER_LOOKS)
      expect(await readWhile(refusedAt(700))).toBeLessThan(700 + PLANNER_LOOKS)
    }
  })
})
