import { describe, expect, test } from 'vitest'
import { startOwnPostgres } from './support/own-postgres.ts'
import { seededRandom } from './support/seeded-random.ts'
import { until } from './support/until.ts'
import { startFleet } from './support/webhook-fleet.ts'
import { promiseNothing, startLoad } from './support/webhook-load.ts'
import { expectNothingStuck, expectPromisesKept, untilAllEnded } from './support/webhook-promises.ts'

const TIMEOUT_MS = 120_000

describe.concurrent('kill -9', { timeout: TIMEOUT_MS }, () => {
  test('of a server at random points under load: nothing is lost, stuck or out of order', async () => {
    await using fleet = await startFleet()
    const { receiver, pool } = fleet
    const random = seededRandom(20_260_701)
    const promised = promiseNothing()
    receiver.answer(() => (random() < 0.05 ? 500 : 204))
    for (let round = 0; round < 5; round++) {
      const server = await fleet.start()
      // The lanes of those before it are leased to who was killed.
      const { endpoint_id } = await fleet.createEndpoint(server, `/round-${round}`)
      const load = startLoad({ fleet, server, endpointIds: [endpoint_id], promised, random })
      const before = receiver.deliveries.length + load.count()
      const moment = before + 20 + Math.floor(random() * 300)
      await until(
        async () => receiver.deliveries.length + load.count(),
        (count) => count >= moment,
      )
      await server.kill('SIGKILL')
      await load.stop()
      await expectNothingStuck(pool)
    }
    await fleet.start()
    await untilAllEnded(pool)
    await expectPromisesKept(fleet, promised)
  })
})

describe.concurrent('a restart of Postgres', { timeout: TIMEOUT_MS }, () => {
  test('under load is survived by the servers, and all is delivered', async () => {
    await using postgres = await startOwnPostgres()
    await using fleet = await startFleet({ databaseUrl: postgres.url })
    const { receiver, pool } = fleet
    const random = seededRandom(20_260_702)
    const promised = promiseNothing()
    receiver.answer(() => (random() < 0.05 ? 500 : 204))
    const servers = [await fleet.start(), await fleet.start()] as const
    const { endpoint_id } = await fleet.createEndpoint(servers[0], '/restarts')
    const loads = servers.map((server) =>
      startLoad({ fleet, server, endpointIds: [endpoint_id], promised, random }),
    )
    const count = () => loads.reduce((sum, load) => sum + load.count(), receiver.deliveries.length)
    for (const mode of ['fast', 'immediate', 'fast', 'immediate'] as const) {
      const moment = count() + 50 + Math.floor(random() * 300)
      await until(
        async () => count(),
        (now) => now >= moment,
      )
      await postgres.stop(mode)
      await postgres.start()
      for (const { child, output } of servers) expect(child.exitCode, output()).toBeNull()
    }
    await Promise.all(loads.map((load) => load.stop()))
    await untilAllEnded(pool)
    await expectPromisesKept(fleet, promised)
  })
})
