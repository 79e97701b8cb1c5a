/**
 * `pnpm bench claims`: how late workers claim calls at their scheduled times, and how many they claim a second, beside a million
 * calls that are scheduled for later, and out of a million that are due. Two workers share an event loop and a Postgres.
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
import { POLL_MS } from '../src/features/calls/dispatcher.ts'
import { createCallStore } from '../src/features/calls/store.ts'
import type { CallRow } from '../src/features/calls/view.ts'
import { doNotCall } from '../test/support/do-not-call.ts'

const ROWS = Number(process.env['ROWS'] ?? 1_000_000)
const ACCOUNTS = 1000
const WORKERS = 2
/** Calls whose claims are timed in a round. */
const CLAIMED = 10_000
/** Calls whose lateness is measured, and the time over which they become due. */
const PUNCTUAL = 400
const SPREAD_SECONDS = 20

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
await insert('now_', CLAIMED, `null, now()`)
const atOnce = await measureRate(CLAIMED)
await insert('moment_', CLAIMED, `now(), null`)
const atOneMoment = await measureRate(CLAIMED)
await pool.query('truncate calls')
await insert('due_', ROWS, `null, now()`)
await pool.query('vacuum analyze calls')
const ofMany = await measureRate(CLAIMED)

console.log(`${ROWS} calls wait besides, of ${ACCOUNTS} accounts; ${WORKERS} workers`)
console.table({
  'late at the scheduled time, ms, p50': Math.round(percentile(lateness, 0.5)),
  'late at the scheduled time, ms, p99': Math.round(percentile(lateness, 0.99)),
  'claims a second, to be dialled at once': Math.round(atOnce),
  'claims a second, scheduled for one moment': Math.round(atOneMoment),
  'claims a second, all waiting calls due': Math.round(ofMany),
})
