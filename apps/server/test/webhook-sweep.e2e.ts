import type { IdKind } from '@vaani/contracts'
import { createDatabase, type Db } from '@vaani/service-kit/database/connect'
import { migrate, type Migrations } from '@vaani/service-kit/database/migrate'
import { createMigrationPool } from '@vaani/service-kit/database/pools'
import { createIdMaker } from '@vaani/service-kit/ids'
import { createTestDatabase, type TestDatabase } from '@vaani/test-services'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { features } from '../src/features.ts'
import { sweepOldWebhooks } from '../src/features/webhooks/sweep-old.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead } from './support/rows-read.ts'
import { migrateUrl } from './support/test-server.ts'

const KEPT = 20_000
const DAY_MS = 86_400_000
const startMs = Date.now()
/** Returns the first moment of the month that is this many months ahead. */
const startOfMonth = (later: number): number => {
  const now = new Date(startMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later)
}
const nameOfMonth = (later: number): string =>
  new Date(startOfMonth(later)).toISOString().slice(0, 7).replace('-', '_')
const at = (nowMs: number) => ({ nowMs: () => nowMs })

let testDatabase: TestDatabase
/** Has a single connection, whose counts of rows read are flushed at once. */
let pool: Pool
let database: Db
async function open(template?: Parameters<typeof createTestDatabase>[0]): Promise<void> {
  testDatabase = await createTestDatabase(template)
  pool = openPool(testDatabase.url, 1)
  database = createDatabase(pool)
}
beforeEach(() => open({ template: { name: 'server', migrate: migrateUrl } }))
afterEach(async () => {
  await database.destroy()
  await testDatabase[Symbol.asyncDispose]()
})

function idsOf(kind: IdKind, count: number, timeMs: number): string[] {
  const makeId = createIdMaker(at(timeMs))
  return Array.from({ length: count }, () => makeId(kind))
}

const addAccount = () =>
  sql`
  insert into accounts (account_id, name, tier, rate_overrides, created_at)
  values ('acct_1', 'x', 'pro', '{}', now()) on conflict do nothing`.execute(database)

async function writeEvents(count: number, timeMs: number): Promise<string[]> {
  await addAccount()
  const ids = idsOf('event', count, timeMs)
  await sql`
    insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
    select id, 'acct_1', false, 'call.failed', 'call_' || id, '{}', now()
    from unnest(${ids}::text[]) as given (id)`.execute(database)
  return ids
}

async function writeDeliveries(count: number, timeMs: number): Promise<void> {
  await sql`
    insert into webhook_deliveries (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type,
      object_id, sequence, status, created_at)
    select id, 'acct_1', false, 'whe_1', 'whe_1', 'evt_' || id, 'call.failed', 'call_' || id, 1, 'delivered', now()
    from unnest(${idsOf('delivery', count, timeMs)}::text[]) as given (id)`.execute(database)
}

const putIntoOutbox = (eventIds: readonly string[]) =>
  sql`
  insert into webhook_outbox (sequence, event_id, lane_id, endpoint_id)
  select 1, id, 'whe_1', 'whe_1' from unnest(${eventIds}::text[]) as given (id)`.execute(database)

async function countIn(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)}`.execute(database)
  return rows[0]?.count ?? Number.NaN
}
const countKept = async () => ({
  deliveries: await countIn('webhook_deliveries'),
  events: await countIn('events'),
})

/** Lists the suffixes of a table's partitions. */
async function listPartitions(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = to_regclass(${table})`.execute(
    database,
  )
  return rows.map(({ name }) => name.slice(table.length + 1)).toSorted()
}

describe('a sweep', () => {
  test.each([
    ['never analysed', () => Promise.resolve()],
    ['analysed', () => sql`vacuum analyze`.execute(database)],
  ] as const)('reads no rows in a database that was %s', async (_, prepare) => {
    await putIntoOutbox(await writeEvents(KEPT, startMs))
    await writeDeliveries(KEPT, startMs)
    await prepare()
    const before = await countRowsRead(pool, ['events%', 'webhook%'])
    await sweepOldWebhooks(database, at(startMs))
    expect(await countRowsRead(pool, ['events%', 'webhook%'])).toBe(before)
    expect(await countKept()).toEqual({ deliveries: KEPT, events: KEPT })
  })

  test('drops deliveries 30 days and events 69 days after the end of their month, and creates months ahead', async () => {
    for (const timeMs of [startMs - 400 * DAY_MS, startOfMonth(1) - 1, startOfMonth(1)]) {
      await writeEvents(100, timeMs)
      await writeDeliveries(100, timeMs)
    }
    const sweepAt = (timeMs: number) => sweepOldWebhooks(database, at(timeMs))
    await sweepAt(startOfMonth(1) + 30 * DAY_MS - 1)
    expect(await countKept()).toEqual({ deliveries: 300, events: 300 })
    await sweepAt(startOfMonth(1) + 30 * DAY_MS)
    expect(await countKept()).toEqual({ deliveries: 100, events: 300 })
    await sweepAt(startOfMonth(1) + 69 * DAY_MS - 1)
    expect(await countIn('events')).toBe(300)
    await sweepAt(startOfMonth(1) + 69 * DAY_MS)
    expect(await countIn('events')).toBe(100)
    const ahead = [1, 2, 3, 4, 5].map(nameOfMonth)
    expect(await listPartitions('events')).toEqual([...ahead, 'default'])
  })

  test('keeps a month of events while one of them is in the outbox', async () => {
    const [waiting = ''] = await writeEvents(100, startMs)
    await putIntoOutbox([waiting])
    const later = at(startOfMonth(4))
    await sweepOldWebhooks(database, later)
    expect(await countIn('events')).toBe(100)
    await sql`delete from webhook_outbox`.execute(database)
    await sweepOldWebhooks(database, later)
    expect(await countIn('events')).toBe(0)
  })

  test('deletes due rows in the default partition, however many there are', async () => {
    const due = 5100
    const [waiting = ''] = await writeEvents(due, startOfMonth(12))
    await writeEvents(100, startOfMonth(14))
    await writeDeliveries(due, startOfMonth(12))
    expect(await countIn('events_default')).toBe(due + 100)
    await putIntoOutbox([waiting])
    const later = at(startOfMonth(14) + 20 * DAY_MS)
    await sweepOldWebhooks(database, later)
    expect(await countKept()).toEqual({ deliveries: 0, events: due + 100 })
    await sql`delete from webhook_outbox`.execute(database)
    await sweepOldWebhooks(database, later)
    expect(await countKept()).toEqual({ deliveries: 0, events: 100 })
  })

  test('skips creating a month whose rows are already in the default partition', async () => {
    await writeEvents(1, startOfMonth(13))
    await sweepOldWebhooks(database, at(startOfMonth(12)))
    const names = await listPartitions('events')
    expect(names).toContain(nameOfMonth(12))
    expect(names).not.toContain(nameOfMonth(13))
    expect(names).toContain(nameOfMonth(14))
  })

  test('blocks others only briefly while another transaction reads, and succeeds afterwards', async () => {
    await writeEvents(10, startMs)
    const reader = openPool(testDatabase.url, 1)
    const connection = await reader.connect()
    await connection.query('begin; select count(*) from events')
    const later = at(startOfMonth(4))
    await expect(sweepOldWebhooks(database, later)).rejects.toMatchObject({ code: '55P03' })
    await writeEvents(1, startMs)
    await connection.query('commit')
    connection.release()
    await reader.end()
    await sweepOldWebhooks(database, later)
    expect(await countIn('events')).toBe(0)
  })

  test('can run in several processes at once', async () => {
    await writeEvents(10, startMs)
    const pools = [1, 2, 3].map(() => openPool(testDatabase.url, 2))
    const others = pools.map((each) => createDatabase(each))
    const later = at(startOfMonth(4))
    const results = await Promise.allSettled(others.map((each) => sweepOldWebhooks(each, later)))
    await Promise.all(others.map((each) => each.destroy()))
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    // A sweep may give up while another holds the lock, and continue at its next run.
    expect(failures.filter((error) => error.code !== '55P03')).toEqual([])
    await sweepOldWebhooks(database, later)
    expect(await countIn('events')).toBe(0)
    expect(await listPartitions('events')).toContain(nameOfMonth(6))
  })
})

describe('a database of an earlier version', () => {
  const MIGRATION = '0016-months-breaking'
  const earlier: Migrations = Object.fromEntries(
    Object.entries(features.migrations).filter(([name]) => name < MIGRATION),
  )
  beforeEach(async () => {
    await database.destroy()
    await testDatabase[Symbol.asyncDispose]()
    await open()
    await migrateTo(earlier)
  })
  async function migrateTo(migrations: Migrations): Promise<void> {
    const connection = createDatabase(createMigrationPool({ connectionString: testDatabase.url }))
    await migrate(connection, migrations)
    await connection.destroy()
  }

  test('keeps its events in order and its deliveries, and reads them by index', async () => {
    const [first = ''] = await writeEvents(KEPT, startMs - 20 * DAY_MS)
    await writeDeliveries(KEPT, startMs - 20 * DAY_MS)
    const readEvents = async () =>
      (await sql<{ sequence: string }>`select * from events order by sequence`.execute(database)).rows
    const before = await readEvents()
    await migrateTo(features.migrations)
    expect(await readEvents()).toEqual(before.map((row) => ({ ...row, traceparent: null, late_field: null })))
    expect(await countKept()).toEqual({ deliveries: KEPT, events: KEPT })
    const [newest = ''] = await writeEvents(1, startMs)
    expect((await readEvents()).at(-1)).toMatchObject({
      event_id: newest,
      sequence: String(BigInt(before.at(-1)?.sequence ?? 0) + 1n),
    })

    const read = await countRowsRead(pool, ['events%'])
    await sql`select from events where event_id = ${first}`.execute(database)
    expect((await countRowsRead(pool, ['events%'])) - read).toBe(1)
    await expect(
      sql`insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
        values ('evt_1', 'acct_unknown', false, 'x', 'x', '{}', now())`.execute(database),
    ).rejects.toMatchObject({ code: '23503' })
  })

  test('keeps rows written by a clock that was months ahead', async () => {
    await writeEvents(1, startOfMonth(2))
    await migrateTo(features.migrations)
    expect(await countIn(`events_${nameOfMonth(2)}`)).toBe(1)
    expect(await listPartitions('events')).toEqual([nameOfMonth(2), 'default'])
  })
})
