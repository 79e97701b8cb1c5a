/**
 * `pnpm bench claims`: how late workers claim calls at their scheduled times, and how many they claim a second, beside a million
 * calls that are scheduled for later, and out of a million that are due. Two workers share an event loop and a Postgres. And what the
 * limits of a line cost beside these calls, and the caps of an account that has called a million numbers today.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import { migrate } from '@vaani/service-kit/database/migrate'
import { createIdMaker } from '@vaani/service-kit/ids'
import { startStopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import { startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import pg from 'pg'
import { features } from '../src/features.ts'
import { capsSchema } from '../src/features/calls/carriers/line-caps.ts'
import { findRooms } from '../src/features/calls/claim-calls.ts'
import { POLL_MS } from '../src/features/calls/dispatcher.ts'
import { StoredLineCaps } from '../src/features/calls/line-caps.ts'
import { createCallStore } from '../src/features/calls/store.ts'
import type { CallRow } from '../src/features/calls/view.ts'
import { doNotCall } from '../test/support/do-not-call.ts'

const ROWS = Number(process.env['ROWS'] ?? 1_000_000)
const ACCOUNTS = 1000
const WORKERS = 2
/** Calls whose claims are timed in a round. */
const CLAIMED = 10_000
/** Calls whose lateness is measured, and the time over which they become due. */
const PUNCTUAL = 2000
const SPREAD_SECONDS = 20
/** How often an action is timed. */
const ACTIONS = 1000
const LIMITS = [{ carrier: 'loopback', channels: 100, callsPerSecond: 10 }]

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-claims-'))
await using held = new AsyncDisposableStack()
held.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
held.defer(() => postgres.stop())
const clock = { nowMs: () => Date.now() }

/** Opens connections of one worker. */
function openPool(): pg.Pool {
  const pool = new pg.Pool({ ...postgres.connection, max: 4 })
  // Ignore connection errors after Postgres stops, so that they do not mask the first error.
  pool.on('error', () => undefined)
  held.defer(() => pool.end())
  return pool
}
const pool = openPool()
await migrate(createDatabase(pool), features.migrations)
await pool.query(`
  insert into accounts (account_id, name, tier, operator, created_at)
    select 'acct_' || i, 'Bench', 'pro', false, now() from generate_series(1, ${ACCOUNTS}) i;
  insert into agents (account_id, livemode, agent_id, name, voice, language, greeting, translations)
    select 'acct_' || i, false, 'reminder', 'Bench', 'nova', 'en-US', 'Hi.', '{}' from generate_series(1, ${ACCOUNTS}) i`)

/** Inserts calls. @param columns the SQL of `scheduled_at` and `waiting_since`, for the row `i` */
const insert = (prefix: string, count: number, columns: string) =>
  pool.query(
    `insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at, scheduled_at, waiting_since)
     select $1 || i, 'acct_' || 1 + i % ${ACCOUNTS}, false, 'queued', '+9779812345678', 'reminder', 'en-US', 'loopback', now(), ${columns}
     from generate_series(1, $2::integer) i`,
    [prefix, count],
  )

/** Starts workers that claim calls and do nothing with them. */
async function startWorkers(onClaimed: (call: CallRow) => void): Promise<AsyncDisposable> {
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, async (_, number) => {
      const own = openPool()
      const workerId = `bench-${number}`
      await own.query(`insert into leases values ($1, now() + interval '1 day') on conflict do nothing`, [
        workerId,
      ])
      const store = createCallStore({
        pool: own,
        database: createDatabase(own),
        clock,
        makeId: createIdMaker(clock),
        doNotCall,
        onEvents: () => undefined,
      })
      let after = ''
      return startClaimLoop<CallRow>({
        name: workerId,
        lease: { current: () => ({ workerId, lost: new AbortController().signal }) },
        places: 100,
        pollMs: POLL_MS,
        async claim({ room, held: carried }) {
          const accounts = carried.map(({ account_id }) => account_id)
          const claimed = await store.claim({ workerId, free: room, carried: accounts, after })
          after = claimed.at(-1)?.account_id ?? after
          return claimed
        },
        work: async (call) => onClaimed(call),
        onClaimError: (error) => console.error(error),
        onWorkError: (error) => console.error(error),
      })
    }),
  )
  return {
    async [Symbol.asyncDispose]() {
      using deadline = startStopDeadline(5000)
      await Promise.all(workers.map((worker) => worker.stop(deadline)))
    },
  }
}

/** Returns how many calls are claimed a second, from a start until so many are claimed. */
async function measureRate(count: number): Promise<number> {
  const all = Promise.withResolvers<void>()
  let claimed = 0
  const startedMs = performance.now()
  await using _ = await startWorkers(() => {
    if (++claimed === count) all.resolve()
  })
  await all.promise
  return (1000 * count) / (performance.now() - startedMs)
}

/** Returns how long an action takes, in milliseconds, one time after another. */
async function timeEach(act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let time = 0; time < ACTIONS; time++) {
    const startedMs = performance.now()
    await act()
    times.push(performance.now() - startedMs)
  }
  return times
}

/** Times what the dial of a call and its end cost in the caps of an account. */
async function measureCaps(): Promise<number[]> {
  await pool.query(
    `insert into line_attempts select 'acct_1', '+977' || i, current_date, 1 from generate_series(1, $1::integer) i`,
    [ROWS],
  )
  await pool.query('vacuum analyze line_attempts')
  const caps = new StoredLineCaps({
    pool,
    clock,
    routes: { test: [], live: [] },
    caps: capsSchema.parse({ default: { minutes_per_day: 1_000_000, attempts_per_number_per_day: 1000 } }),
    capped: { add: () => undefined },
  })
  let number = 0
  return timeEach(async () => {
    const call = { accountId: 'acct_1', livemode: true, to: `+977${(number += 97)}`, carrier: 'line' }
    const charge = await caps.take(call)
    if (typeof charge === 'string') throw new Error(`The cap of ${charge} is reached`)
    await caps.settle(charge, { minutes: 0, attempted: false })
  })
}

/** Returns how late calls are claimed that become due one after another. */
async function measureLateness(): Promise<number[]> {
  const lateness: number[] = []
  await using _ = await startWorkers(({ scheduled_at }) => {
    if (scheduled_at) lateness.push(Date.now() - scheduled_at.getTime())
  })
  await insert(
    'punctual_',
    PUNCTUAL,
    `now() + interval '2 seconds' + random() * interval '${SPREAD_SECONDS} seconds', null`,
  )
  while (lateness.length < PUNCTUAL) await delay(100)
  return lateness
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? Number.NaN

await insert('later_', ROWS, `now() + interval '30 days', null`)
await pool.query('vacuum analyze calls')
const lateness = await measureLateness()
const rooms = await timeEach(() => findRooms(LIMITS).execute(createDatabase(pool)))
const caps = await measureCaps()
await insert('now_', CLAIMED, `null, now()`)
const atOnce = await measureRate(CLAIMED)
await insert('moment_', CLAIMED, `now(), null`)
const atOneMoment = await measureRate(CLAIMED)
await pool.query('truncate calls cascade')
await insert('due_', ROWS, `null, now()`)
await pool.query('vacuum analyze calls')
const ofMany = await measureRate(CLAIMED)

console.log(`${ROWS} calls wait besides, of ${ACCOUNTS} accounts; ${WORKERS} workers`)
console.table({
  'late at the scheduled time, ms, p50': Math.round(percentile(lateness, 0.5)),
  'late at the scheduled time, ms, p99': Math.round(percentile(lateness, 0.99)),
  'room on a limited line, ms, p50': percentile(rooms, 0.5).toFixed(1),
  'room on a limited line, ms, p99': percentile(rooms, 0.99).toFixed(1),
  'caps taken and given back, ms, p50': percentile(caps, 0.5).toFixed(1),
  'caps taken and given back, ms, p99': percentile(caps, 0.99).toFixed(1),
  'claims a second, to be dialled at once': Math.round(atOnce),
  'claims a second, scheduled for one moment': Math.round(atOneMoment),
  'claims a second, all waiting calls due': Math.round(ofMany),
})
