/**
 * `pnpm bench leases`: measures the WAL bytes that a lease renewal writes, and the share of heap-only updates, against a bare
 * update of a table with one narrow row. Compares the lease of a process with renewing calls and verifications through a column
 * of each row and its indexes, as earlier versions did. Interleaved in one run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import { migrate } from '@vaani/service-kit/database/migrate'
import { createWorkerLease } from '@vaani/service-kit/leases/worker-lease'
import pg from 'pg'
import { features } from '../src/features.ts'
import { median } from './api/load.ts'

const ROUNDS = 5
const RENEWALS = 1000
/** In progress at one worker. */
const OBJECTS = 50
const RENEW_MS = 5000

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-leases-'))
await using held = new AsyncDisposableStack()
held.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
held.defer(() => postgres.stop())
// A single connection, so that `pg_stat_force_next_flush` flushes all its counts.
const pool = new pg.Pool({ ...postgres.connection, max: 1 })
// Ignore connection errors after Postgres stops, so that they do not mask the first error.
pool.on('error', () => undefined)
held.defer(() => pool.end())
const database = createDatabase(new pg.Pool(postgres.connection))
await migrate(database, features.migrations)
await database.destroy()

await pool.query(`
  create table bare (id text primary key, at timestamptz not null) with (fillfactor = 50);
  insert into bare values ('one', now());
  -- The schema before the leases table.
  drop index calls_held, verifications_held, verifications_waiting;
  insert into webhook_workers values ('worker-bench', 1, now());
  insert into accounts (account_id, name, tier, operator, created_at) values ('acct_bench', 'Bench', 'pro', false, now());
  insert into agents (account_id, livemode, agent_id, name, voice, language, greeting, translations)
    values ('acct_bench', false, 'reminder', 'Bench', 'nova', 'en-US', 'Hi.', '{}');
  insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, metadata, carrier, created_at,
    dial_started_at, worker_id, lease_expires_at)
  select 'call_' || i, 'acct_bench', false, 'queued', '+9779812345678', 'reminder', 'en-US', '{"note":"Please bring your papers"}',
    'loopback', now(), now(), 'worker-bench', now() from generate_series(1, ${OBJECTS}) i;
  insert into verifications (verification_id, account_id, livemode, version, status, store_media, artifacts, policy, created_at,
    worker_id, lease_expires_at)
  select 'ver_' || i, 'acct_bench', false, 2, 'pending', true,
    '[{"name":"front_image","key":"identity/ver/front_image","bytes":1000000}]', 'default', now(), 'worker-bench', now()
  from generate_series(1, ${OBJECTS}) i`)

let nowMs = 0
const lease = createWorkerLease({ pool, nowMs: () => nowMs, onLost: () => undefined })
await lease.tick()

const rowsOf = (table: string, id: string) => async () => {
  await pool.query(
    `update ${table} set lease_expires_at = now() + make_interval(secs => 15) where ${id} = any ($1) and worker_id = $2`,
    [ids.get(table), 'worker-bench'],
  )
}
const ids = new Map<string, string[]>()
for (const [table, id] of [
  ['calls', 'call_id'],
  ['verifications', 'verification_id'],
] as const)
  ids.set(
    table,
    (await pool.query(`select ${id} as id from ${table}`)).rows.map((row) => String(row.id)),
  )

const kinds: Record<string, { table: string; objects: number; renew(): Promise<unknown> }> = {
  'a bare row': {
    table: 'bare',
    objects: 1,
    renew: () => pool.query(`update bare set at = now() + interval '15 seconds' where id = $1`, ['one']),
  },
  'the lease of a process': {
    table: 'leases',
    objects: 1,
    renew() {
      nowMs += RENEW_MS
      return lease.tick()
    },
  },
  'a worker of webhooks': {
    table: 'webhook_workers',
    objects: 1,
    renew: () =>
      pool.query(
        `update webhook_workers set session = $2, lease_expires_at = now() + interval '15 seconds' where worker_id = $1`,
        ['worker-bench', 1],
      ),
  },
  'a call, by its column': { table: 'calls', objects: OBJECTS, renew: rowsOf('calls', 'call_id') },
  'a verification, by its column': {
    table: 'verifications',
    objects: OBJECTS,
    renew: rowsOf('verifications', 'verification_id'),
  },
}

async function readCounts(table: string) {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ bytes: string; updates: string; heap_only: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as bytes, n_tup_upd as updates, n_tup_hot_upd as heap_only
     from pg_stat_user_tables where relname = $1`,
    [table],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no table ${table}`)
  return { bytes: Number(row.bytes), updates: Number(row.updates), heapOnly: Number(row.heap_only) }
}

const figures = new Map<string, { bytes: number[]; heapOnly: number[] }>()
for (let round = 0; round < ROUNDS; round++)
  for (const [name, { table, objects, renew }] of Object.entries(kinds)) {
    // The first change to a page after a checkpoint writes the full page to the WAL, so checkpoint first, then warm up.
    await pool.query('checkpoint')
    for (let warmUp = 0; warmUp < 20; warmUp++) await renew()
    const before = await readCounts(table)
    for (let done = 0; done < RENEWALS; done += objects) await renew()
    const after = await readCounts(table)
    const updates = after.updates - before.updates
    if (updates < RENEWALS) throw new Error(`${name}: only ${updates} updates`)
    const figure = figures.get(name) ?? { bytes: [], heapOnly: [] }
    figures.set(name, figure)
    figure.bytes.push((after.bytes - before.bytes) / updates)
    figure.heapOnly.push((after.heapOnly - before.heapOnly) / updates)
  }

const limit = median(figures.get('a bare row')?.bytes ?? [])
console.table(
  Array.from(figures, ([name, { bytes, heapOnly }]) => ({
    'a renewal of': name,
    'WAL, bytes': Math.round(median(bytes)),
    'of the limit': Number((median(bytes) / limit).toFixed(2)),
    'heap-only, %': Number((100 * median(heapOnly)).toFixed(1)),
    [`WAL for ${OBJECTS} in progress, bytes per second`]: Math.round(
      (median(bytes) * (kinds[name]?.objects ?? 1) * 1000) / RENEW_MS,
    ),
  })),
)
