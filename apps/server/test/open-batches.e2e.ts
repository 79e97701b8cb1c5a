/** The order in which the sweep asks upstreams about open batches, and what claiming them costs. */
import type { StoredObjects } from '@vaani/chat'
import type { Id } from '@vaani/contracts'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { until } from '@vaani/test-services/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { followOpenBatches } from '../src/features/models/stored/follow-open.ts'
import { createStoredStore, type StoredStore } from '../src/features/models/stored/store.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead, turnOffAutovacuum } from './support/rows-read.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

type Account = Id<'account'>

const MINUTE_MS = 60_000
let nowMs = Date.UTC(2027, 0, 1)
const clock = { nowMs: () => nowMs }

let server: TestServer
let store: StoredStore

beforeAll(async () => {
  // Without workers, so that no other sweep claims anything.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  store = createStoredStore({ database: server.context.database, clock })
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(() => server.context.database.deleteFrom('stored_objects').execute())

const createAccount = async () => (await server.createAccount({ tier: 'pro' })).accountId

let number = 0
/** Inserts open batches that an upstream was asked about so many minutes ago. */
async function open(
  account: Account,
  count: number,
  { minutesAgo, upstream = 'quick' }: { minutesAgo: number; upstream?: string },
): Promise<void> {
  const last = number
  number += count
  await sql`
    insert into stored_objects (account_id, livemode, kind, object_id, upstream, model, view, created_at, asked_at)
    select ${account}, n % 2 = 0, 'batch', 'batch_' || ${last}::integer + n, ${upstream}, 'chat-large', '{}',
      ${new Date(nowMs)}, ${new Date(nowMs - minutesAgo * MINUTE_MS)}::timestamptz
    from generate_series(1, ${count}::integer) n`.execute(server.context.database)
}

/** Simulates a process that claims batches and is done with them at once. */
function startProcess(claiming: StoredStore = store) {
  let after = ''
  return async (room: number) => {
    const since = new Date(nowMs - 5 * MINUTE_MS)
    const rows = await claiming.claimOpen({ since, room, underWay: [], after })
    after = rows.at(-1)?.account_id ?? after
    return rows
  }
}

test('accounts take turns, however many batches of one waited longer', async () => {
  const [many, few] = [await createAccount(), await createAccount()].toSorted() as [Account, Account]
  await open(many, 100, { minutesAgo: 60 })
  await open(few, 3, { minutesAgo: 10 })
  await open(few, 10, { minutesAgo: 1 })
  const claim = startProcess()
  const accounts: string[] = []
  for (const room of [3, 1, 4]) accounts.push(...(await claim(room)).map(({ account_id }) => account_id))
  expect(accounts).toEqual([many, few, many, few, many, few, many, many])
})

test('several processes at once claim each batch once', async () => {
  for (let index = 0; index < 3; index++) await open(await createAccount(), 30, { minutesAgo: 10 })
  const claimed = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const claim = startProcess()
      const ids: string[] = []
      for (let found = 1; found > 0;) {
        const rows = await claim(4)
        ids.push(...rows.map(({ object_id }) => object_id))
        found = rows.length
      }
      return ids
    }),
  )
  expect(claimed.flat()).toHaveLength(90)
  expect(new Set(claimed.flat()).size).toBe(90)
})

/** Makes a sweep that asks upstreams, whose batches never end. Each answer waits for the upstream's function. */
function makeSweep(answers: Readonly<Record<string, (id: string) => void | Promise<void>>>) {
  const stored = Object.entries(answers).map(([name, answer]): [string, StoredObjects] => [
    name,
    {
      async send({ path }) {
        const id = path.replace('batches/', '')
        await answer(id)
        return { id, status: 'in_progress' }
      },
      read: () => {
        throw new Error('It has no files')
      },
    },
  ])
  const upstreams = { chat: { preferred: () => undefined }, stored: new Map(stored) }
  return followOpenBatches({ ...server.context, clock, store, upstreams })
}

test('an account whose upstream is slow leaves places to others', async () => {
  await open(await createAccount(), 20, { minutesAgo: 60, upstream: 'slow' })
  await open(await createAccount(), 20, { minutesAgo: 10 })
  const slow = Promise.withResolvers<void>()
  let quickAnswers = 0
  const swept = makeSweep({ slow: () => slow.promise, quick: () => void quickAnswers++ })()
  await until(
    () => quickAnswers,
    (count) => count === 20,
  )
  slow.resolve()
  await swept
  expect(await startProcess()(1)).toEqual([])
})

test('a sweep that takes too long ends, and the next one continues with the other accounts', async () => {
  for (let index = 0; index < 10; index++) await open(await createAccount(), 1, { minutesAgo: 10 })
  const asked = new Set<string>()
  const sweep = makeSweep({
    quick(id) {
      asked.add(id)
      nowMs += 5 * MINUTE_MS
    },
  })
  await sweep()
  expect(asked.size).toBe(8)
  // All are due again.
  nowMs += 10 * MINUTE_MS
  await sweep()
  expect(asked.size).toBe(10)
})

test('a claim reads a few rows, however many batches are open', async () => {
  const [lately, many, one] = [await createAccount(), await createAccount(), await createAccount()]
  const single = openPool(server.databaseUrl, 1)
  const database = createDatabase(single)
  // Autovacuum's reads would count, and its statistics would change the plans at random times.
  await turnOffAutovacuum(single, ['stored_objects'])
  for (let written = 0; written < 50_000; written += 1000) {
    await open(lately, 1000, { minutesAgo: 1 })
    await open(many, 1000, { minutesAgo: 60 })
  }
  const claim = startProcess(createStoredStore({ database, clock }))
  for (const prepare of ['select 1', 'vacuum analyze stored_objects']) {
    await single.query(prepare)
    await open(one, 1, { minutesAgo: 10 })
    const before = await countRowsRead(single, ['stored_objects'])
    const rows = await claim(8)
    // The rows that each of two accounts offers, their updates, the steps from account to account, and looks of the planner.
    expect((await countRowsRead(single, ['stored_objects'])) - before).toBeLessThan(60)
    expect(rows).toHaveLength(8)
    expect(rows.map(({ account_id }) => account_id)).toContain(one)
  }
  await database.destroy()
})
