/** What it costs to follow events, however many there are and whatever the planner believes about them. */
import { createDatabase } from '@vaani/service-kit/database/connect'
import { createMigrationPool, createPool } from '@vaani/service-kit/database/pools'
import { firstIdAt } from '@vaani/service-kit/ids'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { createTestDatabase } from '@vaani/test-services'
import { thorough } from '@vaani/test-services/thorough'
import { until } from '@vaani/test-services/until'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { createEventFeed } from '../src/features/webhooks/feed/event-feed.ts'
import { countRowsRead, turnOffAutovacuum } from './support/rows-read.ts'
import { migrateUrl } from './support/test-server.ts'

const TIMEOUT_MS = 900_000
const FEW = 5000
const MANY = thorough({ usual: 60_000, long: 1_000_000 })
/** Allowance for entries of an index that begin or end a read of a partition. */
const SPARE = 20
const ACCOUNT = firstIdAt('account', 0)
const log = createLogger('silent')

/** With ids of this month, as events have. */
const writeEvents = (pool: Pool, count: number) =>
  pool.query(
    `insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
     select concat($3::text, to_char(i, 'FM0000000000000000')), $1, false, 'call.failed', concat('call_', i), '{}', now()
     from generate_series(1, $2::integer) i`,
    [ACCOUNT, count, firstIdAt('event', Date.now()).slice(0, 14)],
  )

/** Counts the rows that are read to begin, and then in each of some reads, the last of which finds a new event. */
async function measure(count: number, prepare: (pool: Pool) => Promise<unknown>) {
  await using database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  const pool = createMigrationPool({ connectionString: database.url })
  await turnOffAutovacuum(pool, ['events'])
  await pool.query(
    `insert into accounts (account_id, name, tier, rate_overrides, created_at) values ($1, 'x', 'pro', '{}', now())`,
    [ACCOUNT],
  )
  await writeEvents(pool, count)
  await prepare(pool)
  // The only connection, so that its reads are counted at once.
  const one = createPool({ connectionString: database.url, max: 1 }, log)
  const read = () => countRowsRead(one, ['events%'])
  const began = await read()
  let told = 0
  const followed = await createEventFeed({ database: createDatabase(one), log }).follow({
    onEvents: (events) => (told += events.length),
    onGap: () => expect.unreachable(),
  })
  const first = (await read()) - began
  // Until nothing is read twice.
  await until(followed.position, (position) => position >= BigInt(count))
  const settled = await read()
  await pool.query(
    `insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
     values ($1, $2, false, 'call.failed', 'call_new', '{}', now())`,
    [`${firstIdAt('event', Date.now()).slice(0, -1)}1`, ACCOUNT],
  )
  await until(
    () => told,
    (events) => events === 1,
  )
  await until(followed.position, (position) => position > BigInt(count))
  await followed.stop()
  const each = (await read()) - settled
  await Promise.all([pool.end(), one.end()])
  return { first, each }
}

test.each([
  ['fresh', () => Promise.resolve()],
  ['analysed', (pool: Pool) => pool.query('vacuum analyze events')],
] as const)(
  'is the same after many events as after few, on a database that is %s',
  { timeout: TIMEOUT_MS },
  async (_, prepare) => {
    const few = await measure(FEW, prepare)
    const many = await measure(MANY, prepare)
    expect(many.first).toBeLessThanOrEqual(few.first + SPARE)
    expect(many.each).toBeLessThanOrEqual(few.each + SPARE)
    expect(many.each).toBeLessThan(100)
  },
)
