import { createId } from '@vaani/contracts'
import { createDatabase, type Db } from '@vaani/service-kit/database/connect'
import { backlogReader, MOST_COUNTED } from '@vaani/service-kit/database/read-backlog'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dueCalls } from '../src/features/calls/metrics.ts'
import { createRecordingStore } from '../src/features/calls/recording-store.ts'
import { type CallStore, createCallStore } from '../src/features/calls/store.ts'
import { sweepOldCalls } from '../src/features/calls/sweep-old-calls.ts'
import { createErasure } from '../src/features/identity/erasure.ts'
import { createMediaStore } from '../src/features/identity/media-store.ts'
import { pendingVerifications } from '../src/features/identity/metrics.ts'
import { createRefusalStore, type RefusalFilter, type RefusalStore } from '../src/features/requests/store.ts'
import { createVerificationStore, type VerificationStore } from '../src/features/identity/store.ts'
import { SHARDS } from '../src/features/webhooks/delivery/shards/shards.ts'
import { newDeliveries, waitingDeliveries } from '../src/features/webhooks/metrics.ts'
import { writeEvent } from '../src/features/webhooks/write-event.ts'
import { doNotCall } from './support/do-not-call.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead } from './support/rows-read.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const ROWS = 50_000
const PAGE = 20
const MOST_TRIES = 100
/** Allowance for the planner, which may read the ends of an index. */
const PLANNER_LOOKS = 10

let server: TestServer
/** Has a single connection, whose counts of rows read are flushed at once. */
let pool: Pool
let database: Db
let calls: CallStore
let verifications: VerificationStore
let refusals: RefusalStore
let tenant: Tenant
beforeAll(async () => {
  // Without a worker, so that nothing claims the rows written here.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  const { accountId } = await server.createAccount()
  tenant = { accountId, livemode: false }
  const { clock, makeId } = server.context
  pool = openPool(server.databaseUrl, 1)
  database = createDatabase(pool)
  const onEvents = () => undefined
  calls = createCallStore({ pool, database, clock, makeId, doNotCall, onEvents })
  refusals = createRefusalStore({ database, clock })
  verifications = createVerificationStore({ pool, database, clock, makeId, onEvents })
  // Ids begin with their time; a leading 1 is not an old call.
  await sql`
    insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at)
    select 'call_1' || lpad(i::text, 10, '0'), ${accountId}, false, 'queued', '+9779812345678',
      (select agent_id from agents where account_id = ${accountId} limit 1), 'en-US', 'loopback', now()
    from generate_series(1, ${ROWS}::integer) i`.execute(database)
  await sql`
    insert into verifications (verification_id, account_id, livemode, version, status, store_media, artifacts, checks,
      reasons, policy, created_at)
    select 'ver_' || lpad(i::text, 10, '0'), ${accountId}, false, 2, 'pending', false, '[]', '[]', '[]', 'default', now()
    from generate_series(1, ${ROWS}::integer) i`.execute(database)
  await sql`
    insert into refused_requests (refusal_id, account_id, livemode, request_id, key_id, operation, method, route, status, code,
      duration_ms, created_at)
    select 'rfs_1' || lpad(i::text, 10, '0'), ${accountId}, false, 'req_' || i, 'key_' || i % 2, 'calls.place', 'POST',
      '/agent/calls', 422, 'invalid_phone', 3, now() from generate_series(1, ${ROWS}::integer) i`.execute(
    database,
  )
})
afterAll(async () => {
  await database.destroy()
  await server[Symbol.asyncDispose]()
})

const countRead = (): Promise<number> => countRowsRead(pool, ['calls', 'verifications', 'refused_requests'])

test.each([
  ['calls of a rare status', 0, () => calls.list({ tenant, limit: PAGE, status: 'failed' })],
  ['calls of a frequent status', PAGE, () => calls.list({ tenant, limit: PAGE, status: 'queued' })],
  ['calls', PAGE, () => calls.list({ tenant, limit: PAGE })],
  [
    'verifications of a rare status',
    0,
    () => verifications.list({ tenant, limit: PAGE, status: 'declined' }),
  ],
  [
    'verifications of a frequent status',
    PAGE,
    () => verifications.list({ tenant, limit: PAGE, status: 'pending' }),
  ],
  ['verifications', PAGE, () => verifications.list({ tenant, limit: PAGE })],
] satisfies [string, number, () => Promise<unknown[]>][])(
  'a page of %s reads only the rows that it returns, however long the history',
  async (_, found, list) => {
    const before = await countRead()
    expect(await list()).toHaveLength(found)
    expect((await countRead()) - before).toBe(found)
  },
)

test.each([
  [{}, PAGE],
  [{ request_id: 'req_7' }, 1],
  [{ request_id: 'unknown' }, 0],
  [{ key_id: 'key_1' }, PAGE],
  [{ key_id: 'unknown' }, 0],
  [{ code: 'invalid_phone' }, PAGE],
  [{ code: 'state_conflict' }, 0],
  [{ operation: 'calls.place' }, PAGE],
  [{ operation: 'calls.cancel' }, 0],
  [{ status: 422 }, PAGE],
  [{ status: 409 }, 0],
  [{ key_id: 'key_1', code: 'invalid_phone', operation: 'calls.place', status: 422 }, PAGE],
  [{ key_id: 'key_1', operation: 'calls.cancel' }, 0],
  [{ code: 'invalid_phone', operation: 'calls.cancel' }, 0],
  [{ operation: 'calls.place', status: 409 }, 0],
] satisfies [RefusalFilter, number][])(
  'a page of refused requests by %j reads only the rows that it returns',
  async (filter, found) => {
    const before = await countRead()
    const page = { limit: PAGE - 1, cursor: 'rfs_2' }
    expect(await refusals.list(tenant, { ...page, ...filter })).toHaveLength(found)
    expect((await countRead()) - before).toBe(found)
  },
)

test('a sweep of media and recordings reads only the rows to erase', async () => {
  await sql`
    insert into verifications (verification_id, account_id, livemode, version, status, store_media, artifacts, checks,
      reasons, policy, created_at, decided_at)
    select 'ver_kept_' || i, ${tenant.accountId}, true, 2, 'approved', true, '[]', '[]', '[]', 'default', now(), now()
    from generate_series(1, ${ROWS}::integer) i`.execute(database)
  await sql`
    insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at, answered_at, ended_at,
      recording_key, recording_data_key)
    select 'call_kept_' || i, ${tenant.accountId}, true, 'completed', '+9779812345678',
      (select agent_id from agents where account_id = ${tenant.accountId} limit 1), 'en-US', 'loopback', now(), now(), now(),
      'recordings/' || i, '\\x00'
    from generate_series(1, ${ROWS}::integer) i`.execute(database)
  const { blobs, vault, clock, log, makeId, idempotency } = server.context
  const recordings = createRecordingStore({ database, blobs, vault, clock, log, retentionDays: 30 })
  const media = createMediaStore({ blobs, vault })
  const erasure = createErasure({
    database,
    store: verifications,
    media,
    idempotency,
    clock,
    makeId,
    retentionDays: 30,
  })
  const before = await countRead()
  await erasure.sweep()
  expect(await erasure.eraseSubject(tenant, 'nobody')).toBe(0)
  await recordings.sweep()
  await sweepOldCalls({ database, recordings, clock, retentionDays: 30 })
  expect((await countRead()) - before).toBeLessThan(PLANNER_LOOKS)

  await sql`
    update verifications set decided_at = now() - interval '31 days' where verification_id = 'ver_kept_7'`.execute(
    database,
  )
  await erasure.sweep()
  const erased = database.selectFrom('verifications').where('erased_at', 'is not', null).selectAll()
  expect(await erased.execute()).toMatchObject([
    { verification_id: 'ver_kept_7', media_erased_at: expect.any(Date) },
  ])
})

test('new deliveries are as late as the first of them, whose event may have a greater id', async () => {
  const nowMs = Date.now()
  const write = (objectMs: number, at: Date) =>
    database.transaction().execute((tx) =>
      writeEvent(tx, {
        event_id: createId('event', { nowMs: objectMs, random: new Uint8Array(10) }),
        account_id: tenant.accountId,
        livemode: false,
        type: 'call.failed',
        object_id: 'call_late',
        callback_url: 'https://example.com/hook',
        body: '{}',
        created_at: at,
      }),
    )
  const first = new Date(nowMs - 600_000)
  await write(nowMs, first)
  await write(nowMs - 3 * 86_400_000, new Date(nowMs))
  expect(await backlogReader(database, newDeliveries)()).toEqual({ waiting: 2, oldest: first })
  await database.deleteFrom('webhook_outbox').execute()
})

test('a scrape counts a backlog only up to its bound, and reads nothing else', async () => {
  const now = new Date(Date.now() + 1000)
  await sql`insert into webhook_lanes (lane_id, due_at) select 'whe_' || i, ${now} from generate_series(1, 200) i`.execute(
    database,
  )
  await sql`
    insert into webhook_pending (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type, object_id,
      sequence, is_next, queued_at, next_attempt_at, expires_at, created_at)
    select 'whd_' || i, ${tenant.accountId}, false, 'whe_' || i % 200, 'whe_' || i % 200, 'evt_' || i, 'call.failed', 'call_' || i,
      i, true, ${now}, ${now}, ${now}, ${now}
    from generate_series(1, ${ROWS}::integer) i`.execute(database)
  await sql`
    insert into webhook_outbox (sequence, event_id, lane_id, endpoint_id)
    select i, 'evt_' || i, 'whe_' || i % 200, 'whe_' || i % 200 from generate_series(1, ${ROWS}::integer) i`.execute(
    database,
  )
  const tables = ['calls', 'verifications', 'webhook%', 'events%']
  for (const [query, others] of [
    [() => dueCalls(now), 0],
    [pendingVerifications, 0],
    [newDeliveries, 0],
    // It also reads the first lane of each shard.
    [waitingDeliveries, SHARDS],
  ] as const) {
    const { waiting, rowsRead } = await readInTime(query, tables)
    expect(waiting).toBeGreaterThan(MOST_COUNTED / 2)
    expect(waiting).toBeLessThanOrEqual(MOST_COUNTED + SHARDS)
    expect(rowsRead - waiting).toBeLessThanOrEqual(others + PLANNER_LOOKS)
  }
})

/** Reads a backlog, and once more for as long as the machine is too busy for the second that a reader has. */
async function readInTime(query: Parameters<typeof backlogReader>[1], tables: readonly string[]) {
  for (let tries = 1; ; tries++) {
    const before = await countRowsRead(pool, tables)
    try {
      const { waiting } = await backlogReader(database, query)()
      return { waiting, rowsRead: (await countRowsRead(pool, tables)) - before }
    } catch (error) {
      if (tries === MOST_TRIES) throw error
    }
  }
}
