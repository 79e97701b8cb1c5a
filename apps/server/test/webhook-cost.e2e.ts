import { createDatabase } from '@vaani/service-kit/database/connect'
import { createMigrationPool } from '@vaani/service-kit/database/pools'
import { createIdMaker, firstIdAt } from '@vaani/service-kit/ids'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { createTestDatabase } from '@vaani/test-services'
import type { Pool } from 'pg'
import { thorough } from '@vaani/test-services/thorough'
import { describe, expect, test } from 'vitest'
import type { Delivery } from '../src/features/webhooks/delivery/lanes/delivery.ts'
import { createOutbox } from '../src/features/webhooks/delivery/read/outbox.ts'
import { createOutcomeStore } from '../src/features/webhooks/delivery/settle/outcomes.ts'
import { createPendingStore } from '../src/features/webhooks/delivery/read/pending.ts'
import { createEnginePool } from '../src/features/webhooks/delivery/start-deliveries.ts'
import { type DeliveryFilter, listDeliveries } from '../src/features/webhooks/find-deliveries.ts'
import { FILL_OUTBOX, OUTBOX_COLUMNS } from '../src/features/webhooks/write-event.ts'
import { countRowsRead, untilDeadToAll, turnOffAutovacuum } from './support/rows-read.ts'
import { migrateUrl } from './support/test-server.ts'

const TIMEOUT_MS = 300_000
const log = createLogger('silent')
const clock = { nowMs: () => Date.now() }
const DAY_MS = 86_400_000

/**
 * A backlog on the lane of one endpoint: a number of objects with a number of due events each, and a number of new events. There
 * are as many lanes of other endpoints that failed as there are due events.
 */
interface Backlog {
  objects: number
  events: number
  newEvents?: number
}

const ACCOUNT = firstIdAt('account', 0)
const BEHIND = 'whe_behind'
const WELL = 'whe_well'

async function writeTenant(pool: Pool): Promise<void> {
  await pool.query(
    `insert into accounts (account_id, name, tier, rate_overrides, created_at) values ($1, 'x', 'pro', '{}', now())`,
    [ACCOUNT],
  )
  await pool.query(
    `insert into webhook_endpoints (endpoint_id, account_id, livemode, url, events, created_at)
     select endpoint_id, $1, false, 'https://example.com/', events, now()
     from (values ($2, '{call.failed}'::text[]), ($3, '{call.queued}')) as given (endpoint_id, events)`,
    [ACCOUNT, BEHIND, WELL],
  )
}

const writeNewEvents = (pool: Pool, type: string, count: number) =>
  pool.query(
    `with event as (
       insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
       select concat('evt_', $2::text, i), $1, false, $2, concat('call_', $2::text, i), '{}', now()
       from generate_series(1, $3::integer) i
       returning ${OUTBOX_COLUMNS.join(', ')}
     ) ${FILL_OUTBOX}`,
    [ACCOUNT, type, count],
  )

async function writeBacklog(pool: Pool, { objects, events, newEvents = 0 }: Backlog): Promise<void> {
  await pool.query(
    `with event as (
       insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
       select 'evt_' || o || '_' || e, $1, false, 'call.failed', 'call_' || o, '{}', now()
       from generate_series(1, $3::integer) o, generate_series(1, $4::integer) e returning *
     )
     insert into webhook_pending (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type,
       object_id, sequence, is_next, queued_at, next_attempt_at, expires_at, created_at)
     select 'dlv_' || event_id, $1, false, $2, $2, event_id, 'call.failed', object_id, sequence,
       event_id like '%\\_1', now(), now() - interval '1 hour', now() + interval '1 day', now()
     from event`,
    [ACCOUNT, BEHIND, objects, events],
  )
  await pool.query(
    `insert into webhook_lanes (lane_id, due_at) select $1, now()
     union all select concat('whe_failed_', i), null from generate_series(1, $2::integer * $3::integer) i`,
    [BEHIND, objects, events],
  )
  await writeNewEvents(pool, 'call.failed', newEvents)
}

const countRead = (pool: Pool): Promise<number> => countRowsRead(pool, ['webhook%'])

/** Counts the rows that a worker's statements read while an endpoint has the backlog. */
async function measure(pool: Pool): Promise<Record<string, number>> {
  const outbox = createOutbox({ pool, clock, makeId: createIdMaker(clock) })
  const pending = createPendingStore({ pool, clock })
  const outcomes = createOutcomeStore({ pool, windowSeconds: 86_400 })
  const shards = Array.from({ length: 64 }, (_, shard) => shard)
  const counts: Record<string, number> = {}
  async function counted<T>(what: string, run: () => Promise<T>): Promise<T> {
    await untilDeadToAll(pool)
    const before = await countRead(pool)
    const result = await run()
    counts[what] = (await countRead(pool)) - before
    return result
  }
  const readDue = (room: number, inHand: readonly string[]) =>
    pending.readDue([{ laneId: BEHIND, room, inHand }])
  const attempt = (status: number) => ({
    at: new Date(clock.nowMs() + status).toISOString(),
    status,
    duration_ms: 1,
    error: null,
    response_excerpt: null,
  })
  const fail = (delivery: Delivery) => ({
    delivery,
    outcome: { type: 'failed', attempt: attempt(500), nextAttemptMs: clock.nowMs() + DAY_MS } as const,
  })
  const end = (delivery: Delivery) => ({
    delivery,
    outcome: { type: 'ended', status: 'delivered', attempt: attempt(204) } as const,
  })

  await writeNewEvents(pool, 'call.queued', 12)
  const read = await counted('new events', () => outbox.read(shards, new Map()))
  const found = read.filter(({ delivery }) => delivery.lane_id === WELL)
  expect(found).toHaveLength(12)
  const [first, second, ...others] = found.map(({ delivery }) => delivery)
  if (first === undefined || second === undefined) throw new Error('Nothing was read')
  await counted('new events that end', () => outcomes.endNew(others.map(end)))
  await counted('new events that fail', () => outcomes.write([fail(first), fail(second)]))
  await counted('lanes that are due', () => pending.readDueLanes(shards))
  const due = await counted('due deliveries', () => readDue(8, []))
  await counted('due deliveries, some in hand', () =>
    readDue(
      8,
      due.map(({ delivery_id }) => delivery_id),
    ),
  )
  const [one, two, three] = due
  await counted('an attempt that failed', () => outcomes.write(due.slice(0, 1).map(fail)))
  await counted('a delivery that ended', () => outcomes.write((two ? [two] : due.slice(0, 1)).map(end)))
  await counted('a delivery that waits', () =>
    outcomes.write([
      { delivery: three ?? one ?? first, outcome: { type: 'waits', nextAttemptMs: clock.nowMs() } },
    ]),
  )
  await counted('a lane that is let go', () =>
    pending.release([{ laneId: BEHIND, failures: 0, openUntilMs: null }]),
  )
  await counted('a lane that opens', () =>
    pending.release([{ laneId: BEHIND, failures: 5, openUntilMs: clock.nowMs() + 30_000 }]),
  )
  await counted('what is over', () => pending.expire(shards, new Set()))
  return counts
}

/** Ways in which the tables were filled, and the planner's statistics with them. */
const SITUATIONS = {
  'a fresh database': async (pool: Pool, backlog: Backlog) => writeBacklog(pool, backlog),
  'a database analysed while nothing was pending': async (pool: Pool, backlog: Backlog) => {
    await pool.query('vacuum analyze')
    await writeBacklog(pool, backlog)
  },
  'a database analysed after a backlog was cleared': async (pool: Pool, backlog: Backlog) => {
    await writeBacklog(pool, { objects: 1000, events: 1, newEvents: 1000 })
    for (const table of ['webhook_pending', 'webhook_lanes', 'webhook_outbox', 'events'])
      await pool.query(`delete from ${table}`)
    // Keep the empty pages, as they would be if other rows followed them.
    await pool.query('vacuum (analyze, truncate off)')
    await writeBacklog(pool, backlog)
  },
  'an analysed database': async (pool: Pool, backlog: Backlog) => {
    await writeBacklog(pool, backlog)
    await pool.query('vacuum analyze')
  },
} satisfies Record<string, (pool: Pool, backlog: Backlog) => Promise<void>>

async function measureIn(
  fill: (typeof SITUATIONS)[keyof typeof SITUATIONS],
  backlog: Backlog,
): Promise<Record<string, number>> {
  await using database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  const connection = { connectionString: database.url }
  const setup = createMigrationPool(connection)
  await turnOffAutovacuum(setup, [
    'webhook_pending',
    'webhook_lanes',
    'webhook_outbox',
    'webhook_deliveries',
    'events',
  ])
  await writeTenant(setup)
  // Its plans are made while the tables are empty, and then cached.
  const pool = createEnginePool(connection, log)
  await createPendingStore({ pool, clock }).readDue([{ laneId: BEHIND, room: 8, inHand: [] }])
  await fill(setup, backlog)
  await setup.end()
  const counts = await measure(pool)
  await pool.end()
  return counts
}

/** Allowance for index entries that lead to an earlier version of their row. */
const VERSIONS = 5

function expectFlat(few: Record<string, number>, many: Record<string, number>): void {
  const isMore = ([what, count]: [string, number]) => count > (few[what] ?? 0) + VERSIONS
  expect(Object.fromEntries(Object.entries(many).filter(isMore))).toEqual({})
}

/** The one with the most misleading statistics, and the usual one. */
const WORST = ['a database analysed after a backlog was cleared', 'an analysed database']
const TRIED = Object.entries(SITUATIONS).filter(([name]) =>
  thorough({ usual: WORST.includes(name), long: true }),
)

describe.each(TRIED)('on %s', { timeout: TIMEOUT_MS }, (_, fill) => {
  test('the number of pending events of one object affects the cost of no statement', async () => {
    const few = await measureIn(fill, { objects: 1, events: 100 })
    expectFlat(few, await measureIn(fill, { objects: 1, events: 15_000 }))
  })

  test('the number of objects with a pending event affects the cost of no statement', async () => {
    const few = await measureIn(fill, { objects: 100, events: 1 })
    expectFlat(few, await measureIn(fill, { objects: 15_000, events: 1 }))
  })

  test('the number of new events affects the cost of no statement', async () => {
    const few = await measureIn(fill, { objects: 1, events: 1, newEvents: 100 })
    expectFlat(few, await measureIn(fill, { objects: 1, events: 1, newEvents: 15_000 }))
  })
})

test('a worker that lost its shards amid a backlog has nothing more to read, instead of reading on without a pause', async () => {
  await using database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  const pool = createEnginePool({ connectionString: database.url }, log)
  await writeTenant(pool)
  await writeNewEvents(pool, 'call.queued', 2000)
  const outbox = createOutbox({ pool, clock, makeId: createIdMaker(clock) })
  const shards = Array.from({ length: 64 }, (_, shard) => shard)
  await outbox.read(shards, new Map())
  expect(outbox.mayHoldMore()).toBe(true)
  await outbox.read([], new Map())
  expect(outbox.mayHoldMore()).toBe(false)
  await pool.end()
})

const FILTERS: Readonly<Record<string, DeliveryFilter>> = {
  'the whole list': {},
  'a status': { status: 'dead' },
  'the other status': { status: 'delivered' },
  'what waits': { status: 'pending' },
  'an endpoint': { endpoint_id: WELL },
  'an endpoint and a status': { endpoint_id: WELL, status: 'dead' },
  'a type': { event_type: 'verification.approved' },
  'a type and a status': { event_type: 'verification.approved', status: 'dead' },
  'an object': { object_id: 'call_rare' },
  'a time': { created_after: new Date(clock.nowMs() - DAY_MS).toISOString() },
  'an earlier time': { created_before: new Date(clock.nowMs() - 20 * DAY_MS).toISOString() },
  'one delivery': { delivery_id: 'dlv_1' },
}

/** Writes many deliveries over 30 days, a few of them rare by every filter, and counts the rows read for each filter. */
async function measureLists(
  count: number,
  prepare: (pool: Pool) => Promise<unknown>,
): Promise<Record<string, number>> {
  await using database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  const pool = createMigrationPool({ connectionString: database.url })
  await turnOffAutovacuum(pool, ['webhook_pending', 'webhook_deliveries'])
  await writeTenant(pool)
  const columns = `delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type, object_id, sequence,
    created_at`
  const write = async (table: string, more: string, values: string, rare: boolean, rows: number) => {
    const times = Array.from({ length: rows }, (_, index) => clock.nowMs() - 30 * DAY_MS * (1 - index / rows))
    await pool.query(
      `insert into ${table} (${columns}, ${more})
       select id, $1, false, $2, $2, 'evt', $3, case when $4 then 'call_rare' else 'call_' || id end, 1,
         to_timestamp(ms / 1000), ${values}
       from unnest($5::text[], $6::double precision[]) as given (id, ms)`,
      [
        ACCOUNT,
        rare ? WELL : BEHIND,
        rare ? 'verification.approved' : 'call.failed',
        rare,
        times.map((nowMs) => createIdMaker({ nowMs: () => nowMs })('delivery')),
        times,
      ],
    )
  }
  const waits = 'is_next, queued_at, next_attempt_at, expires_at'
  const ended = 'status, dead_reason'
  for (const [rare, rows] of [
    [false, count],
    [true, 3],
  ] as const) {
    await write('webhook_pending', waits, 'true, now(), now(), now()', rare, rows)
    await write('webhook_deliveries', ended, `'delivered', null`, rare, rows)
    await write('webhook_deliveries', ended, `'dead', 'gone'`, rare, rare ? 3 : Math.ceil(rows / 3))
  }
  await prepare(pool)
  const counts: Record<string, number> = {}
  for (const [what, filter] of Object.entries(FILTERS)) {
    const before = await countRead(pool)
    await listDeliveries(
      createDatabase(pool),
      { accountId: ACCOUNT, livemode: false },
      { ...filter, limit: 21 },
    )
    counts[what] = (await countRead(pool)) - before
  }
  await pool.end()
  return counts
}

describe('a page of the list of deliveries', { timeout: TIMEOUT_MS }, () => {
  test.each([
    ['analysed', (pool: Pool) => pool.query('vacuum analyze')],
    ['fresh', () => Promise.resolve()],
  ] as const)('reads no more rows from a long history, on a database that is %s', async (_, prepare) => {
    const few = await measureLists(1000, prepare)
    const many = await measureLists(6000, prepare)
    expectFlat(few, many)
  })
})
