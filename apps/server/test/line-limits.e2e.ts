/** Calls per second and channels of a line hold in all workers together. Calls beyond them wait. */
import type { Call, Id } from '@vaani/contracts'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { createTestDatabase } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import { sql } from 'kysely'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LineLimit } from '../src/features/calls/carriers/line-limits.ts'
import { createLineTurns } from '../src/features/calls/line-turns.ts'
import { createCallStore } from '../src/features/calls/store.ts'
import type { CallRow } from '../src/features/calls/view.ts'
import { doNotCall } from './support/do-not-call.ts'
import { addLease, removeLease } from './support/leases.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead, turnOffAutovacuum } from './support/rows-read.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { migrateUrl, startTestServer, type TestServer } from './support/test-server.ts'

const NOW_MS = Date.UTC(2027, 0, 1)
const SECOND_MS = 1000
/** Allowance for the planner, which may read the ends of an index. */
const PLANNER_LOOKS = 10
const CHANNELS: LineLimit = { carrier: 'line', channels: 3, callsPerSecond: null }
const RATE: LineLimit = { carrier: 'line', channels: null, callsPerSecond: 4 }
const never = new AbortController().signal

let server: TestServer
let number = 0
beforeAll(async () => {
  // Without workers, so that the workers of the tests are the only ones.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.context.database.deleteFrom('calls').execute()
  await server.context.database.deleteFrom('lines').execute()
})

const createAccount = async () => (await server.createAccount({ tier: 'pro' })).accountId

async function place(accountId: Id<'account'>, carrier: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    call_id: `call_${String(++number).padStart(8, '0')}`,
    account_id: accountId,
    livemode: false,
    status: 'queued' as const,
    to_number: '+9779812345678',
    agent_id: 'reminder',
    language: 'en-US',
    carrier,
    created_at: new Date(NOW_MS - SECOND_MS + number),
  }))
  await server.context.database.insertInto('calls').values(rows).execute()
  return rows.map(({ call_id }) => call_id)
}

/** Simulates a worker that keeps the calls it claims. */
function startWorker(limits: readonly LineLimit[], workerId = `process-${++number}`) {
  const { pool, database, makeId } = server.context
  const store = createCallStore({
    pool,
    database,
    clock: { nowMs: () => NOW_MS },
    makeId,
    doNotCall,
    lineLimits: limits,
    onEvents: () => undefined,
  })
  const held: CallRow[] = []
  return {
    workerId,
    store,
    held,
    async claim(): Promise<string[]> {
      await addLease(database, workerId)
      const carried = held.map(({ account_id }) => account_id)
      const rows = await store.claim({
        workerId,
        free: 100 - held.length,
        carried,
        after: carried.at(-1) ?? '',
      })
      held.push(...rows)
      return rows.map(({ call_id }) => call_id)
    },
    async end(): Promise<void> {
      const call = held.shift()
      if (call) await store.move({ call, workerId, event: 'failed', end: { failureReason: 'busy' } })
    },
  }
}

describe('the channels of a line', () => {
  test('are never exceeded by several workers at once, and each that gets free is used', async () => {
    const calls = await place(await createAccount(), 'line', 12)
    const workers = Array.from({ length: 4 }, () => startWorker([CHANNELS]))
    const claimed: string[] = []
    while (claimed.length < calls.length) {
      claimed.push(...(await Promise.all(workers.map((worker) => worker.claim()))).flat())
      expect(workers.flatMap(({ held }) => held)).toHaveLength(3)
      await workers.find(({ held }) => held.length > 0)?.end()
    }
    expect(claimed).toEqual(calls)
  })

  test('are held by the calls of a worker that was killed until these end as interrupted', async () => {
    const calls = await place(await createAccount(), 'line', 4)
    const [killed, other] = [startWorker([CHANNELS]), startWorker([CHANNELS])]
    expect(await killed.claim()).toEqual(calls.slice(0, 3))
    await removeLease(server.context.database, killed.workerId)
    expect(await other.claim()).toEqual([])
    expect(await other.store.interruptAbandoned()).toHaveLength(3)
    expect(await other.claim()).toEqual(calls.slice(3))
  })

  test('are free again once a call is given back', async () => {
    const calls = await place(await createAccount(), 'line', 4)
    const worker = startWorker([CHANNELS])
    await worker.claim()
    const [first] = worker.held
    if (first) expect(await worker.store.giveBack(first, worker.workerId)).toBe(true)
    expect(await startWorker([CHANNELS]).claim()).toEqual(calls.slice(0, 1))
  })

  test('do not hold up calls on other lines, of the same account or behind many others', async () => {
    const accounts = await Promise.all(Array.from({ length: 70 }, () => createAccount()))
    for (const account of accounts) await place(account, 'line', 2)
    const last = accounts.toSorted().at(-1) ?? accounts[0]
    const worker = startWorker([CHANNELS])
    expect(await worker.claim()).toHaveLength(3)
    expect(await worker.claim()).toEqual([])
    const [free] = last === undefined ? [] : await place(last, 'simulator', 1)
    expect(await worker.claim()).toEqual([free])
  })

  test('are shared by accounts in turn', async () => {
    const accounts = [await createAccount(), await createAccount(), await createAccount()]
    for (const account of accounts) await place(account, 'line', 5)
    const worker = startWorker([CHANNELS])
    await worker.claim()
    expect(worker.held.map(({ account_id }) => account_id).toSorted()).toEqual(accounts.toSorted())
  })

  test('cost a claim a few rows, however many calls wait for a full line', { timeout: 120_000 }, async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => createAccount()))
    const single = openPool(server.databaseUrl, 1)
    const database = createDatabase(single)
    await turnOffAutovacuum(single, ['calls'])
    for (let from = 0; from < 100_000; from += 10_000)
      await sql`
        insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at, waiting_since)
        select 'call_' || ${from + 1_000_000}::integer + i, (${accounts}::text[])[1 + i % 20], false, 'queued', '+9779812345678',
          'reminder', 'en-US', 'line', now(), ${new Date(NOW_MS)} from generate_series(1, 10000) i`.execute(
        database,
      )
    await startWorker([CHANNELS]).claim()
    await addLease(server.context.database, 'process-cost')
    const own = createCallStore({
      pool: single,
      database,
      clock: { nowMs: () => NOW_MS },
      makeId: server.context.makeId,
      doNotCall,
      lineLimits: [CHANNELS],
      onEvents: () => undefined,
    })
    for (const prepare of ['select 1', 'vacuum analyze calls']) {
      await single.query(prepare)
      const before = await countRowsRead(single, ['calls'])
      expect(await own.claim({ workerId: 'process-cost', free: 9, carried: [], after: '' })).toEqual([])
      expect((await countRowsRead(single, ['calls'])) - before).toBeLessThan(20 + PLANNER_LOOKS)
    }
    await database.destroy()
  })
})

describe('the calls per second of a line', () => {
  test('hold in any window of a second, with several workers at once', async () => {
    const calls = await place(await createAccount(), 'line', 12)
    const turns = [1, 2].map(() => createLineTurns(server.context.pool, [RATE]))
    const worker = startWorker([])
    while (worker.held.length < calls.length) await worker.claim()
    const admitted = await Promise.all(
      worker.held.map(async (call, index) => {
        expect(await turns[index % 2]?.wait(call, never)).toBe(true)
        return performance.now()
      }),
    )
    const times = admitted.toSorted((a, b) => a - b)
    for (const [index, time] of times.slice(4).entries())
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(SECOND_MS)
  })

  test('let workers claim no more calls than wait for a second', async () => {
    const calls = await place(await createAccount(), 'line', 12)
    const [one, other] = [startWorker([RATE]), startWorker([RATE])]
    expect(await one.claim()).toEqual(calls.slice(0, 4))
    expect(await other.claim()).toEqual([])
    const turns = createLineTurns(server.context.pool, [RATE])
    for (const call of one.held) expect(await turns.wait(call, never)).toBe(true)
    expect(await other.claim()).toEqual(calls.slice(4, 8))
  })

  test('are not used up by a call that another has ended, and a wait ends with its signal', async () => {
    const account = await createAccount()
    const calls = await place(account, 'line', 2)
    const worker = startWorker([])
    await worker.claim()
    const [canceled, dialled] = worker.held
    if (canceled === undefined || dialled === undefined) throw new Error('Two calls were not claimed')
    await worker.store.cancel({ accountId: account, livemode: false }, calls[0] ?? '')
    const turns = createLineTurns(server.context.pool, [{ ...RATE, callsPerSecond: 1 }])
    expect(await turns.wait(canceled, never)).toBe(false)
    expect((await server.context.database.selectFrom('lines').selectAll().execute()).length).toBe(0)
    expect(await turns.wait(dialled, never)).toBe(true)
    expect(await turns.wait(dialled, AbortSignal.abort())).toBe(false)
  })

  test('do not wait for a time ahead of a clock that was set back', async () => {
    await place(await createAccount(), 'line', 1)
    const worker = startWorker([])
    await worker.claim()
    const [call] = worker.held
    if (call === undefined) throw new Error('The call was not claimed')
    await sql`insert into lines values ('line', array[now() + interval '1 hour'])`.execute(
      server.context.database,
    )
    const turns = createLineTurns(server.context.pool, [{ ...RATE, callsPerSecond: 1 }])
    expect(await turns.wait(call, never)).toBe(true)
  })
})

test('kill -9 of a worker: its line is used by the next call only after its call has ended', async () => {
  const key = 'sk_test_lines_0123456789abcdef'
  await using held = new AsyncDisposableStack()
  const database = held.use(await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } }))
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-lines-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const carriers = path.join(folder, 'carriers.json')
  const simulator = { type: 'simulator', channels: 1, calls_per_second: 1 }
  await writeFile(
    carriers,
    JSON.stringify({ carriers: { simulator }, test: ['simulator'], live: ['simulator'] }),
  )
  const start = async (): Promise<ServerProcess> => {
    const started = await startServerProcess({
      DATABASE_URL: database.url,
      VAANI_DATA_DIR: folder,
      VAANI_BOOTSTRAP_API_KEY: key,
      VAANI_CARRIERS_FILE: carriers,
    })
    held.defer(async () => void (await started.kill('SIGKILL')))
    return started
  }
  const api = async (at: ServerProcess, route: string, body?: object): Promise<Call> => {
    const response = await fetch(at.url + route, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json() as Promise<Call>
  }
  const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }
  const killed = await start()
  const first = await api(killed, '/agent/calls', call)
  const second = await api(killed, '/agent/calls', call)
  await until(
    () => api(killed, `/agent/calls/${first.call_id}`),
    ({ status }) => status === 'in-progress',
  )
  await killed.kill('SIGKILL')
  const other = await start()
  const over = await until(
    () => api(other, `/agent/calls/${first.call_id}`),
    ({ status }) => status === 'failed',
  )
  expect(over.failure_reason).toBe('interrupted')
  const rung = await until(
    () => api(other, `/agent/calls/${second.call_id}`),
    ({ ringing_since }) => ringing_since !== undefined,
  )
  expect(Date.parse(rung.ringing_since ?? '')).toBeGreaterThanOrEqual(Date.parse(over.ended_at ?? ''))
})
