import type { Call } from '@vaani/contracts'
import { createPool } from '@vaani/service-kit/database/pools'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallStore, createCallStore, type NewCall } from '../src/features/calls/store.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** The planner itself may look at the ends of an index. */
const PLANNER_LOOKS = 10

const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const EVERY_CALL = { place_call: { limit: 100_000, period_seconds: 1 } }
const only = (limit: number) => ({ rateOverrides: { ...EVERY_CALL, waiting_calls: { limit } } })

let server: TestServer
beforeAll(async () => {
  // Without a worker, so calls wait until a test takes them.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
})
afterAll(() => server[Symbol.asyncDispose]())

const place = (key: string, more: object = {}, headers: Record<string, string> = {}) =>
  server.json<Call & { error: object }>('/agent/calls', { body: { ...call, ...more }, key, headers })
const statusOf = async (key: string, more?: object) => (await place(key, more)).status

async function countWritten(accountId: string) {
  const { rows } = await sql<{ calls: number; events: number; jobs: number }>`
    select (select count(*) from calls where account_id = ${accountId})::integer as calls,
      (select count(*) from events where account_id = ${accountId})::integer as events,
      (select count(*) from pgboss.job where data ->> 'account_id' = ${accountId})::integer as jobs`.execute(
    server.context.database,
  )
  return rows[0]
}

describe('calls placed at once', () => {
  test('wait up to the limit, exactly, however many ask at once, and a refusal writes nothing', async () => {
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
    expect(await countWritten(accountId)).toEqual({ calls: 3, events: 3, jobs: 3 })
  })

  test('make room once one is dialled or canceled', async () => {
    const { key } = await server.createAccount(only(1))
    const first = await place(key)
    expect(await statusOf(key)).toBe(429)
    await server.context.calls.claim(first.body.call_id, 'a-worker', 3600)
    const second = await place(key)
    expect(second.status).toBe(201)
    expect(await statusOf(key)).toBe(429)
    await server.json(`/agent/calls/${second.body.call_id}/cancel`, { method: 'POST', key })
    expect(await statusOf(key)).toBe(201)
  })

  test('are of each account and mode, and apart from scheduled calls', async () => {
    const { key, accountId } = await server.createAccount(only(1))
    const other = await server.createAccount(only(1))
    const liveKey = await server.createKey(accountId, true)
    expect(await statusOf(key, { scheduled_at: tomorrow() })).toBe(201)
    for (const one of [key, liveKey, other.key]) expect(await statusOf(one)).toBe(201)
    for (const one of [key, liveKey, other.key]) expect(await statusOf(one)).toBe(429)
    expect(await statusOf(key, { scheduled_at: tomorrow() })).toBe(201)
  })

  test('that were answered are answered again while there is no room, and a refused key is free', async () => {
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

describe('the store of calls', () => {
  const newCall = (accountId: string, livemode: boolean): NewCall => ({
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

  async function openStore(max: number, clock = server.context.clock) {
    const { boss, makeId, log, database } = server.context
    const pool = createPool({ connectionString: server.databaseUrl, max }, log)
    const store = createCallStore({ pool, database, boss, clock, makeId, onEvents: () => undefined })
    return { pool, store }
  }
  const placeIn = (store: CallStore, placed: NewCall, maxWaiting: number) =>
    store.place(placed, { maxWaiting, within: () => Promise.resolve() })

  test('keeps the limit exactly if several processes fill a queue from its beginning', async () => {
    const limit = 620
    const { accountId } = await server.createAccount()
    const processes = await Promise.all([openStore(8), openStore(8)])
    let placed = 0
    let refused = 0
    const run = async (store: CallStore) => {
      for (let attempt = 0; attempt < limit / 10; attempt++)
        await placeIn(store, newCall(accountId, false), limit).then(
          () => placed++,
          () => refused++,
        )
    }
    await Promise.all(processes.flatMap(({ store }) => Array.from({ length: 8 }, () => run(store))))
    expect({ placed, refused }).toEqual({ placed: limit, refused: 16 * (limit / 10) - limit })
    expect((await countWritten(accountId))?.calls).toBe(limit)
    await Promise.all(processes.map(({ pool }) => pool.end()))
  }, 60_000)

  const fillQueue = (accountId: string, rows: number) =>
    sql`insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at)
      select 'call_waits_' || ${accountId}::text || i, ${accountId}, false, 'queued', ${call.to}, ${call.agent_id},
        'en-US', 'simulator', now()
      from generate_series(1, ${rows}::integer) i`.execute(server.context.database)

  test('does not rely on a count of a quarter of a second ago', async () => {
    let nowMs = Date.now()
    const { accountId } = await server.createAccount()
    const { pool, store } = await openStore(1, { nowMs: () => nowMs })
    const queued = newCall(accountId, false)
    await placeIn(store, queued, 1000)
    await fillQueue(accountId, 999)
    nowMs += 250
    await expect(placeIn(store, queued, 1000)).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    await pool.end()
  })

  test('uses a fiftieth of the room before it counts again', async () => {
    const nowMs = Date.now()
    const { accountId } = await server.createAccount()
    const { pool, store } = await openStore(1, { nowMs: () => nowMs })
    const queued = newCall(accountId, false)
    await placeIn(store, queued, 1000)
    await fillQueue(accountId, 999)
    for (let placed = 1; placed < 1000 / 50; placed++) await placeIn(store, queued, 1000)
    await expect(placeIn(store, queued, 1000)).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    await pool.end()
  })

  test('reads no more of a long queue or history than the limit, and nothing within a burst', async () => {
    const rows = 20_000
    const nowMs = Date.now()
    const { accountId } = await server.createAccount()
    // Rows that are read are counted on one connection, which reports them at once.
    const { pool, store } = await openStore(1, { nowMs: () => nowMs })
    await fillQueue(accountId, rows)
    await sql`
      insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at,
        answered_at, ended_at)
      select 'call_ended_' || i, ${accountId}, true, 'completed', ${call.to}, ${call.agent_id}, 'en-US', 'simulator', now(),
        now(), now()
      from generate_series(1, ${rows}::integer) i`.execute(server.context.database)
    const countRead = async () => {
      await pool.query('select pg_stat_force_next_flush()')
      await pool.query('select pg_stat_clear_snapshot()')
      const { rows } = await pool.query<{ count: number }>(
        `select (select seq_tup_read from pg_stat_user_tables where relname = 'calls')::integer
          + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'calls')::integer as count`,
      )
      return rows[0]?.count ?? Number.NaN
    }
    const readWhile = async (run: () => Promise<unknown>) => {
      const before = await countRead()
      await run()
      return (await countRead()) - before
    }
    const [queued, ended] = [newCall(accountId, false), newCall(accountId, true)]
    const refusedAt = (limit: number) => () =>
      expect(placeIn(store, queued, limit)).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    const placeBurst = async () => {
      for (let index = 0; index < 100; index++) await placeIn(store, ended, 100_000)
    }
    // The first finds that the queue is near its limit; from then on each is only counted in its turn.
    expect(await readWhile(refusedAt(700))).toBeLessThan(200 + 700 + PLANNER_LOOKS)
    for (const statistics of ['vacuum', 'vacuum analyze']) {
      await pool.query(`${statistics} calls`)
      expect(await readWhile(() => placeIn(store, ended, 499))).toBeLessThan(200 + PLANNER_LOOKS)
      expect(await readWhile(placeBurst)).toBeLessThan(PLANNER_LOOKS)
      expect(await readWhile(refusedAt(499))).toBeLessThan(499 + PLANNER_LOOKS)
      expect(await readWhile(refusedAt(700))).toBeLessThan(700 + PLANNER_LOOKS)
    }
    await pool.end()
  }, 60_000)
})
