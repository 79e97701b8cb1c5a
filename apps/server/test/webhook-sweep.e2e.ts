import type { IdKind } from '@vaani/contracts'
import { createDatabase, type Db } from '@vaani/service-kit/database/connect'
import { createIdMaker } from '@vaani/service-kit/ids'
import { createTestDatabase, type TestDatabase } from '@vaani/test-services'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepOldWebhooks } from '../src/features/webhooks/sweep-old.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead } from './support/rows-read.ts'
import { migrateUrl } from './support/test-server.ts'

const KEPT = 100_000
/** More than one batch. */
const DUE = 6000
/** The planner itself may look at the ends of an index. */
const PLANNER_LOOKS = 10
const ACCOUNTS = ['acct_1', 'acct_2', 'acct_3']
/** Between those, and more than are looked at in one statement. */
const IDLE_ACCOUNTS = 1100
const TENANTS = ACCOUNTS.flatMap((account) => [false, true].map((livemode) => ({ account, livemode })))
const DAY_MS = 86_400_000
const TIMEOUT_MS = 120_000

const nowMs = Date.now()
const clock = { nowMs: () => nowMs }

let testDatabase: TestDatabase
/** Of one connection, whose counts of rows read are written at once. */
let pool: Pool
let database: Db
beforeAll(async () => {
  testDatabase = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  pool = openPool(testDatabase.url, 1)
  database = createDatabase(pool)
  // Its own reads would count, and statistics of its own time would decide the plans.
  for (const table of ['events', 'webhook_deliveries', 'webhook_outbox'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(database)
  await sql`
    insert into accounts (account_id, name, tier, rate_overrides, created_at)
    select id, 'x', 'pro', '{}', now()
    from (
      select unnest(${ACCOUNTS}::text[])
      union all select 'acct_1_' || i from generate_series(1, ${IDLE_ACCOUNTS}::integer) i
    ) as given (id)`.execute(database)
  for (const { account, livemode } of TENANTS) {
    const each = Math.ceil(KEPT / TENANTS.length)
    await writeEvents(account, livemode, idsOf('event', each, 59))
    await writeDeliveries(account, livemode, 'delivered', idsOf('delivery', each, 29))
    await writeDeliveries(account, livemode, 'dead', idsOf('delivery', 10, 29))
  }
}, TIMEOUT_MS)
afterAll(async () => {
  await database.destroy()
  await testDatabase[Symbol.asyncDispose]()
})

function idsOf(kind: IdKind, count: number, ageDays: number): string[] {
  const makeId = createIdMaker({ nowMs: () => nowMs - ageDays * DAY_MS })
  return Array.from({ length: count }, () => makeId(kind))
}

const writeEvents = (account: string, livemode: boolean, ids: readonly string[]) =>
  sql`
    insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
    select id, ${account}, ${livemode}::boolean, 'call.failed', 'call_' || id, '{}', now()
    from unnest(${ids}::text[]) as given (id)`.execute(database)

const writeDeliveries = (
  account: string,
  livemode: boolean,
  status: 'delivered' | 'dead',
  ids: readonly string[],
) =>
  sql`
    insert into webhook_deliveries (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type,
      object_id, sequence, status, dead_reason, created_at)
    select id, ${account}, ${livemode}::boolean, 'whe_1', 'whe_1', 'evt_' || id, 'call.failed', 'call_' || id, 1,
      ${status}::text, ${status === 'dead' ? 'gone' : null}::text, now()
    from unnest(${ids}::text[]) as given (id)`.execute(database)

const countRead = (): Promise<number> => countRowsRead(pool, ['events', 'webhook%'])

async function countKept(): Promise<{ deliveries: number; events: number }> {
  const { rows } = await sql<{ deliveries: number; events: number }>`
    select (select count(*)::integer from webhook_deliveries) as deliveries,
      (select count(*)::integer from events) as events`.execute(database)
  return rows[0] ?? { deliveries: Number.NaN, events: Number.NaN }
}

test.each([
  ['never analysed', () => Promise.resolve()],
  ['analysed', () => sql`vacuum analyze`.execute(database)],
] as const)(
  'a sweep reads nothing that is kept, in a database that was %s',
  { timeout: TIMEOUT_MS },
  async (_, prepare) => {
    await prepare()
    const kept = await countKept()
    expect(kept.events).toBeGreaterThanOrEqual(KEPT)
    const before = await countRead()
    await sweepOldWebhooks(database, clock)
    expect((await countRead()) - before).toBeLessThan(PLANNER_LOOKS)
    expect(await countKept()).toEqual(kept)
  },
)

test(
  'a sweep deletes all that is due, of every account, mode and status, and nothing else',
  async () => {
    const kept = await countKept()
    for (const { account, livemode } of TENANTS) {
      const count = account === 'acct_2' ? DUE : 100
      await writeEvents(account, livemode, idsOf('event', count, 61))
      await writeDeliveries(account, livemode, 'delivered', idsOf('delivery', count, 31))
      await writeDeliveries(account, livemode, 'dead', idsOf('delivery', count, 31))
    }
    const { deliveries, events } = await countKept()
    const due = deliveries - kept.deliveries + events - kept.events
    expect(due).toBe(3 * (2 * DUE + 4 * 100))
    const before = await countRead()
    await sweepOldWebhooks(database, clock)
    expect((await countRead()) - before).toBeLessThan(1.5 * due)
    expect(await countKept()).toEqual(kept)
  },
  TIMEOUT_MS,
)

test(
  'an event that is past its time stays until its deliveries are made, and holds up no other',
  async () => {
    const kept = await countKept()
    const waiting = idsOf('event', DUE, 62)
    await writeEvents('acct_1', false, waiting)
    await sql`
    insert into webhook_outbox (sequence, event_id, lane_id, endpoint_id)
    select 1, id, 'whe_1', 'whe_1' from unnest(${waiting}::text[]) as given (id)`.execute(database)
    await writeEvents('acct_1', false, idsOf('event', DUE, 61))
    await sweepOldWebhooks(database, clock)
    expect(await countKept()).toEqual({ ...kept, events: kept.events + DUE })
    await sql`delete from webhook_outbox`.execute(database)
    await sweepOldWebhooks(database, clock)
    expect(await countKept()).toEqual(kept)
  },
  TIMEOUT_MS,
)
