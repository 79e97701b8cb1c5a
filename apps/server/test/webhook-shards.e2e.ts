import { createPool } from '@vaani/service-kit/database/pools'
import { createDatabaseSockets } from '@vaani/service-kit/database/sockets'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { createTestDatabase } from '@vaani/test-services'
import { expect, test } from 'vitest'
import { POLL_MS } from '../src/features/webhooks/delivery/lane-keeper.ts'
import { Shards, SILENCE_MS } from '../src/features/webhooks/delivery/shards/shards.ts'
import { openWorkerSession } from '../src/features/webhooks/delivery/shards/worker-session.ts'
import { migrateUrl } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const ALL = Array.from({ length: 64 }, (_, shard) => shard)
const usable = (shards: Shards) => ALL.filter((shard) => shards.mayUse(shard))
const inOrder = (shards: Iterable<number>) => [...shards].toSorted((a, b) => a - b)

async function start() {
  await using held = new AsyncDisposableStack()
  const database = held.use(await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } }))
  const connection = { connectionString: database.url }
  const pool = createPool(connection, createLogger('silent'))
  held.defer(() => pool.end())
  const resources = held.move()
  const createWorker = () => {
    const sockets = createDatabaseSockets()
    const shards = new Shards({ pool, openSession: () => openWorkerSession(connection, sockets) })
    resources.defer(() => shards.leave())
    return { shards, sockets }
  }
  return { pool, createWorker, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('a worker that was considered dead loses all shards, even those that it claims again at once', async () => {
  await using fleet = await start()
  const { shards } = fleet.createWorker()
  expect(await shards.refresh()).toEqual({ lost: new Set(), surplus: 0 })
  expect(usable(shards)).toEqual(ALL)
  await fleet.pool.query('delete from webhook_workers')
  // By its own clock the lease is still valid, so it notices only at the next renewal.
  const { lost } = await until(
    () => shards.refresh(),
    (found) => found.lost.size > 0,
  )
  expect(inOrder(lost)).toEqual(ALL)
  expect(usable(shards)).toEqual(ALL)
  expect((await shards.refresh()).lost).toEqual(new Set())
})

test('two workers hold half of the shards each, and none in common', async () => {
  await using fleet = await start()
  const first = fleet.createWorker().shards
  const second = fleet.createWorker().shards
  await first.refresh()
  await second.refresh()
  expect(usable(second)).toEqual([])
  const { surplus } = await first.refresh()
  expect(surplus).toBe(32)
  const given = [...first.held()].slice(0, surplus)
  first.forget(given)
  expect(given.some((shard) => first.mayUse(shard))).toBe(false)
  await first.release(given)
  await second.refresh()
  expect(usable(second)).toEqual(inOrder(given))
  expect(inOrder([...usable(first), ...usable(second)])).toEqual(ALL)
})

test('a worker whose session ended uses no shard, and another takes over within 5 seconds, however long the lease', async () => {
  await using fleet = await start()
  const killed = fleet.createWorker()
  await killed.shards.refresh()
  await fleet.pool.query(`update webhook_workers set lease_expires_at = now() + interval '1 day'`)
  const { shards } = fleet.createWorker()
  await shards.refresh()
  killed.sockets.cut()
  await until(
    async () => usable(killed.shards),
    (mine) => mine.length === 0,
  )
  await until(
    async () => {
      await shards.refresh()
      return usable(shards)
    },
    (mine) => mine.length === ALL.length,
  )
  // The end is noticed at one poll, and the shards are taken over at a poll after the silence.
  expect(POLL_MS + SILENCE_MS + POLL_MS).toBeLessThan(5000)
})
