/** The order in which workers claim calls, and its cost. Nothing is dialled here. */
import type { Id } from '@vaani/contracts'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findDue } from '../src/features/calls/claim-calls.ts'
import { type CallStore, createCallStore } from '../src/features/calls/store.ts'
import { doNotCall } from './support/do-not-call.ts'
import { addLease } from './support/leases.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead, turnOffAutovacuum } from './support/rows-read.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
/** Allowance for the planner, which may read the ends of an index. */
const PLANNER_LOOKS = 10

let server: TestServer
let store: CallStore
let nowMs = Date.UTC(2027, 0, 1)
let number = 0

beforeAll(async () => {
  // Without workers, so that the workers of the tests are the only ones.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  const { pool, database, makeId } = server.context
  const clock = { nowMs: () => nowMs }
  store = createCallStore({ pool, database, clock, makeId, doNotCall, onEvents: () => undefined })
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(() => server.context.database.deleteFrom('calls').execute())

const createAccount = async () => (await server.createAccount({ tier: 'pro' })).accountId

/** Inserts queued calls, oldest first, and returns their ids. */
async function place(
  accountId: Id<'account'>,
  count: number,
  row: { scheduled_at?: Date; waiting_since?: Date } = {},
): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    call_id: `call_${String(++number).padStart(8, '0')}`,
    account_id: accountId,
    livemode: false,
    status: 'queued' as const,
    to_number: '+9779812345678',
    agent_id: 'reminder',
    language: 'en-US',
    carrier: 'simulator',
    created_at: new Date(nowMs - HOUR_MS + number),
    ...row,
  }))
  await server.context.database.insertInto('calls').values(rows).execute()
  return rows.map(({ call_id }) => call_id)
}

/** Simulates a worker with a number of places that keeps the calls it claims. */
function startWorker(places: number, workerId = `process-${++number}`) {
  const carried: string[] = []
  let after = ''
  return {
    workerId,
    async claim(free = places - carried.length) {
      await addLease(server.context.database, workerId)
      const rows = await store.claim({ workerId, free, carried, after })
      carried.push(...rows.map(({ account_id }) => account_id))
      after = carried.at(-1) ?? after
      return rows.map(({ call_id }) => call_id)
    },
    end: (accountId: Id<'account'>) => void carried.splice(carried.indexOf(accountId), 1),
  }
}

describe('a worker claims', () => {
  test('the oldest calls of each account in turn', async () => {
    const accounts = [await createAccount(), await createAccount(), await createAccount()].toSorted()
    const queues: string[][] = []
    for (const account of accounts.toReversed()) queues.unshift(await place(account, 4))
    const claimed = await startWorker(10).claim()
    expect(claimed).toEqual([0, 1, 2].flatMap((turn) => queues.map((queue) => queue[turn])))
  })

  test('calls of the account that holds the fewest of its places', async () => {
    const [a, b] = [await createAccount(), await createAccount()]
    const worker = startWorker(100)
    const burst = await place(a, 5)
    expect(await worker.claim()).toEqual(burst)
    const [others, more] = [await place(b, 3), await place(a, 1)]
    expect(await worker.claim(4)).toEqual(others)
    expect(await worker.claim()).toEqual(more)
  })

  test('with its last free place only a call of an account that holds none', async () => {
    const [a, b] = [await createAccount(), await createAccount()]
    const worker = startWorker(3)
    const burst = await place(a, 5)
    expect(await worker.claim()).toEqual(burst.slice(0, 2))
    expect(await worker.claim()).toEqual([])
    const [other] = await place(b, 1)
    expect(await worker.claim()).toEqual([other])
    worker.end(b)
    expect(await worker.claim()).toEqual([])
    worker.end(a)
    expect(await worker.claim()).toEqual(burst.slice(2, 3))
  })

  test('a scheduled call at its time, before calls that wait for less long', async () => {
    const a = await createAccount()
    const scheduled = await place(a, 1, { scheduled_at: new Date(nowMs + SECOND_MS) })
    const worker = startWorker(100)
    expect(await worker.claim()).toEqual([])
    nowMs += SECOND_MS - 1
    expect(await worker.claim()).toEqual([])
    nowMs += 1
    const later = await place(a, 1, { waiting_since: new Date(nowMs + 1) })
    expect(await worker.claim()).toEqual([...scheduled, ...later])
  })

  test('calls that the previous version placed, which do not say since when they wait', async () => {
    const a = await createAccount()
    const earlier = await place(a, 2)
    const later = await place(a, 1, { waiting_since: new Date(nowMs) })
    expect(await startWorker(100).claim()).toEqual([...earlier, ...later])
  })

  test('nothing without a lease, and nothing that was canceled', async () => {
    const a = await createAccount()
    const [canceled = '', kept] = await place(a, 2)
    await store.cancel({ accountId: a, livemode: false }, canceled)
    expect(await store.claim({ workerId: 'process-gone', free: 9, carried: [], after: '' })).toEqual([])
    expect(await startWorker(100).claim()).toEqual([kept])
  })

  test('each call once, with several workers at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => createAccount()))
    const placed = (await Promise.all(accounts.map((account) => place(account, 30)))).flat()
    const claimed = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const worker = startWorker(1000)
        const taken: string[] = []
        for (let found = 1; found > 0;) {
          const claimed = await worker.claim()
          taken.push(...claimed)
          found = claimed.length
        }
        return taken
      }),
    )
    expect(claimed.flat().toSorted()).toEqual(placed.toSorted())
  })

  test('at the cost of a few rows, however many wait and are scheduled', { timeout: 120_000 }, async () => {
    const accounts = await Promise.all(Array.from({ length: 100 }, () => createAccount()))
    const { makeId } = server.context
    const single = openPool(server.databaseUrl, 1)
    const database = createDatabase(single)
    // Autovacuum's reads would count, and its statistics would change the plans at random times.
    await turnOffAutovacuum(single, ['calls'])
    const write = (from: number, account: unknown, scheduledAt: unknown, waitingSince: unknown) =>
      sql`insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at,
            scheduled_at, waiting_since)
          select 'call_' || ${from + 1_000_000}::integer + i, ${account}, false, 'queued', '+9779812345678', 'reminder', 'en-US',
            'simulator', now(), ${scheduledAt}, ${waitingSince}
          from generate_series(1, 5000) i`.execute(database)
    const ofMany = sql`(${accounts}::text[])[1 + i % 100]`
    for (let from = 0; from < 50_000; from += 5000)
      await write(from, ofMany, new Date(nowMs + HOUR_MS), sql`null::timestamptz`)
    for (let from = 50_000; from < 100_000; from += 5000)
      await write(from, accounts[7], sql`null::timestamptz`, new Date(nowMs - HOUR_MS))
    await addLease(server.context.database, 'process-cost')
    const claim = { workerId: 'process-cost', free: 4, carried: [], after: '' }
    const own = createCallStore({
      pool: single,
      database,
      clock: { nowMs: () => nowMs },
      makeId,
      doNotCall,
      onEvents: () => undefined,
    })
    const cost = async (run: () => Promise<unknown>) => {
      const before = await countRowsRead(single, ['calls'])
      await run()
      return (await countRowsRead(single, ['calls'])) - before
    }
    const claimed: string[] = []
    for (const prepare of ['select 1', 'vacuum analyze calls']) {
      await single.query(prepare)
      // Other sessions may report late what they have read, which adds to one of the counts.
      const looks = await Array.fromAsync({ length: 3 }, () =>
        cost(() => findDue(new Date(nowMs)).execute(database)),
      )
      expect(Math.min(...looks)).toBeLessThan(2 + PLANNER_LOOKS)
      const [due = ''] = await place(accounts[3] ?? makeId('account'), 1, { scheduled_at: new Date(nowMs) })
      // The rows that each of two accounts offers, their updates, and the steps from account to account.
      expect(
        await cost(async () => {
          const rows = await own.claim(claim)
          claimed.push(...rows.map(({ call_id }) => call_id))
        }),
      ).toBeLessThan(50 + PLANNER_LOOKS)
      expect(claimed).toContain(due)
    }
    expect(claimed).toHaveLength(6)
    await database.destroy()
  })
})
