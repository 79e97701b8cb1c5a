import {
  type DeliveryAttempt,
  WEBHOOK_EVENT_TYPES,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@vaani/contracts'
import { createTestDatabase, startLossyProxy } from '@vaani/test-services'
import { describe, expect, test } from 'vitest'
import { type Fault, FAULTS, startFaultyReceiver } from './support/faulty-receiver.ts'
import { startOwnPostgres } from './support/own-postgres.ts'
import { seededRandom, startReceiver } from '@vaani/test-harness'

import type { ServerProcess } from './support/server-process.ts'
import { startTestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { type Fleet, startFleet } from './support/webhook-fleet.ts'
import { type Load, promiseNothing, startLoad } from './support/webhook-load.ts'
import { expectNothingStuck, expectPromisesKept, untilAllEnded } from './support/webhook-promises.ts'

/** Of minutes of a processor that others use; it only ends what hangs. */
const TIMEOUT_MS = 300_000

type DeliveryDetail = WebhookDelivery & { attempts: DeliveryAttempt[] }

/** Waits for a random moment under load: until up to `most` more requests were answered or deliveries received. */
async function untilMoment(
  { receiver }: Fleet,
  options: { loads: Load[]; random: () => number; most: number },
): Promise<void> {
  const count = () => options.loads.reduce((sum, load) => sum + load.count(), receiver.deliveries.length)
  const moment = count() + 1 + Math.floor(options.random() * options.most)
  await until(
    async () => count(),
    (now) => now >= moment,
  )
}

/** Holds back the responses on some paths until released; all other requests are answered at once. */
function holdAnswers({ receiver }: Fleet, ...paths: string[]) {
  const holding = new Set(paths)
  let waiting: { path: string; answer(status: number): void }[] = []
  receiver.answer(({ path }) => {
    if (!holding.has(path)) return 204
    return (response) => waiting.push({ path, answer: (status) => response.writeHead(status).end() })
  })
  function answerAll(path: string, status: number): void {
    const answered = waiting.filter((one) => one.path === path)
    waiting = waiting.filter((one) => one.path !== path)
    for (const { answer } of answered) answer(status)
  }
  return {
    /** Answers the requests that are waiting. Later ones wait again. */
    answerAll,
    letGo(path: string) {
      holding.delete(path)
      answerAll(path, 204)
    },
    untilUnderWay: (path: string, count: number) =>
      until(
        async () => receiver.underWay(path),
        (now) => now === count,
      ),
  }
}

const countOf = (fleet: Fleet, path: string) =>
  fleet.receiver.deliveries.filter((delivery) => delivery.path === path).length

/** Waits until every process has looked for work since the call, by having each deliver a marker event. */
async function untilAllLooked(fleet: Fleet, servers: readonly ServerProcess[]): Promise<void> {
  for (const server of servers) {
    const { endpoint_id } = await fleet.createEndpoint(server, '/marker')
    const count = countOf(fleet, '/marker')
    await fleet.sendTests(server, endpoint_id, 1)
    await until(
      async () => countOf(fleet, '/marker'),
      (now) => now > count,
    )
  }
}

/** Starts two servers that share the lanes, and returns a way to create endpoints whose lanes the first one holds. */
async function startTwo(fleet: Fleet) {
  const first = await fleet.start()
  const read = async (query: string, ...values: string[]) =>
    (await fleet.pool.query<{ worker_id: string | null }>(query, values)).rows.map((row) => row.worker_id)
  const [workerId] = await until(
    () => read('select worker_id from webhook_workers'),
    (ids) => ids.length > 0,
  )
  const second = await fleet.start()
  await until(
    () => read('select distinct worker_id from webhook_shards'),
    (holders) => holders.length === 2 && !holders.includes(null),
  )
  async function createEndpoint(at: string): Promise<WebhookEndpoint> {
    for (;;) {
      const endpoint = await fleet.createEndpoint(first, at)
      const [holder] = await read(
        'select worker_id from webhook_shards where shard = hashtextextended($1, 0) & 63',
        endpoint.endpoint_id,
      )
      if (holder === workerId) return endpoint
    }
  }
  return { first, second, createEndpoint }
}

describe.concurrent('kill -9', { timeout: TIMEOUT_MS }, () => {
  test('of a server at random points under load: nothing is lost, stuck or out of order', async () => {
    await using fleet = await startFleet()
    const random = seededRandom(20_260_701)
    const promised = promiseNothing()
    fleet.receiver.answer(() => (random() < 0.05 ? 500 : 204))
    for (let round = 0; round < 4; round++) {
      const server = await fleet.start()
      // The lanes of earlier endpoints are held by a killed worker.
      const { endpoint_id } = await fleet.createEndpoint(server, `/round-${round}`)
      const load = startLoad({ fleet, server, endpointIds: [endpoint_id], promised, random })
      await untilMoment(fleet, { loads: [load], random, most: 200 })
      await server.kill('SIGKILL')
      await load.stop()
      await expectNothingStuck(fleet.pool)
    }
    await fleet.start()
    await untilAllEnded(fleet.pool)
    await expectPromisesKept(fleet, promised)
  })

  test('of one of two workers under load, repeatedly: the other one carries on', async () => {
    await using fleet = await startFleet()
    const random = seededRandom(20_260_704)
    const promised = promiseNothing()
    fleet.receiver.answer(() => (random() < 0.05 ? 500 : 204))
    const stays = await fleet.start()
    const endpoints = await Promise.all(
      ['/one', '/two', '/three'].map((at) => fleet.createEndpoint(stays, at)),
    )
    const endpointIds = endpoints.map((endpoint) => endpoint.endpoint_id)
    const load = startLoad({ fleet, server: stays, endpointIds, promised, random })
    for (let round = 0; round < 3; round++) {
      const server = await fleet.start()
      const own = startLoad({ fleet, server, endpointIds, promised, random })
      await untilMoment(fleet, { loads: [load, own], random, most: 200 })
      await server.kill('SIGKILL')
      await own.stop()
      await expectNothingStuck(fleet.pool)
    }
    await load.stop()
    await untilAllEnded(fleet.pool)
    await expectPromisesKept(fleet, promised)
  })
})

describe.concurrent('Postgres', { timeout: TIMEOUT_MS }, () => {
  test('restarts under load: the servers survive and deliver everything, and stop cleanly while it is down', async () => {
    await using postgres = await startOwnPostgres()
    await using fleet = await startFleet({ databaseUrl: postgres.url })
    const random = seededRandom(20_260_702)
    const promised = promiseNothing()
    fleet.receiver.answer(() => (random() < 0.05 ? 500 : 204))
    const servers = [await fleet.start(), await fleet.start()] as const
    const { endpoint_id } = await fleet.createEndpoint(servers[0], '/restarts')
    const loads = servers.map((server) =>
      startLoad({ fleet, server, endpointIds: [endpoint_id], promised, random }),
    )
    for (const mode of ['fast', 'immediate', 'fast', 'immediate'] as const) {
      await untilMoment(fleet, { loads, random, most: 200 })
      await postgres.stop(mode)
      await postgres.start()
      for (const { child, output } of servers) expect(child.exitCode, output()).toBeNull()
    }
    await Promise.all(loads.map((load) => load.stop()))
    await untilAllEnded(fleet.pool)
    await expectPromisesKept(fleet, promised)
    await postgres.stop('fast')
    expect(await Promise.all(servers.map((server) => server.kill('SIGTERM')))).toEqual([0, 0])
  })

  test('loses replies, so that the outcome is unknown: nothing is lost, stuck or counted twice', async () => {
    await using database = await createTestDatabase()
    await using proxy = await startLossyProxy(database.url)
    await using fleet = await startFleet({ databaseUrl: database.url, serversDatabaseUrl: proxy.url })
    const random = seededRandom(20_260_703)
    const promised = promiseNothing()
    fleet.receiver.answer(() => (random() < 0.1 ? 500 : 204))
    const server = await fleet.start()
    const { endpoint_id } = await fleet.createEndpoint(server, '/lossy')
    const load = startLoad({ fleet, server, endpointIds: [endpoint_id], promised, random })
    for (let round = 0; round < 10; round++) {
      await untilMoment(fleet, { loads: [load], random, most: 150 })
      proxy.loseReplies()
    }
    await load.stop()
    await untilAllEnded(fleet.pool)
    await expectPromisesKept(fleet, promised)
  })

  test('is down while a secret is read: a brief delay, not the half minute for a secret that cannot be opened', async () => {
    await using database = await createTestDatabase()
    await using proxy = await startLossyProxy(database.url)
    await using fleet = await startFleet({ databaseUrl: database.url, serversDatabaseUrl: proxy.url })
    const server = await fleet.start()
    const { endpoint_id } = await fleet.createEndpoint(server, '/signed')
    proxy.loseStatement('from "webhook_secrets"')
    await fleet.sendTests(server, endpoint_id, 1)
    await untilAllEnded(fleet.pool, 15_000)
    expect(server.output()).toContain('could not be completed and signed')
  })
})

// One after another: they hold requests back, each for less than the 15 s after which an attempt times out.
test(
  'while Postgres is down for longer than the lease, a worker continues its deliveries in flight, and sends nothing twice',
  async () => {
    await using fleet = await startFleet()
    const server = await fleet.start()
    const { endpoint_id } = await fleet.createEndpoint(server, '/away')
    const held = holdAnswers(fleet, '/away')
    await fleet.sendTests(server, endpoint_id, 20)
    await held.untilUnderWay('/away', 8)
    await fleet.pool.query(`update webhook_workers set lease_expires_at = now() - interval '1 second'`)
    await until(
      async () =>
        (await fleet.pool.query('select from webhook_workers where lease_expires_at > now()')).rowCount,
      (count) => count === 1,
    )
    await untilAllLooked(fleet, [server])
    expect(countOf(fleet, '/away')).toBe(8)
    held.letGo('/away')
    await untilAllEnded(fleet.pool)
    expect(countOf(fleet, '/away')).toBe(20)
  },
  TIMEOUT_MS,
)

describe('two workers', { timeout: TIMEOUT_MS }, () => {
  test('send an endpoint at most 32 requests at once, and one at a time if it fails', async () => {
    await using fleet = await startFleet()
    const servers = await Promise.all([fleet.start(), fleet.start()])
    const [first] = servers
    const { receiver } = fleet
    const held = holdAnswers(fleet, '/wide', '/weak')
    const wide = await fleet.createEndpoint(first, '/wide')
    // Few enough to be sent before the first ones time out, and more than can be under way.
    await Promise.all(servers.map((server) => fleet.sendTests(server, wide.endpoint_id, 25)))
    await held.untilUnderWay('/wide', 8)
    held.answerAll('/wide', 204)
    await held.untilUnderWay('/wide', 32)
    await untilAllLooked(fleet, servers)
    held.letGo('/wide')
    await untilAllEnded(fleet.pool)
    expect(receiver.mostUnderWay('/wide')).toBe(32)
    expect(countOf(fleet, '/wide')).toBe(50)

    const weak = await fleet.createEndpoint(first, '/weak')
    await fleet.sendTests(first, weak.endpoint_id, 1)
    await held.untilUnderWay('/weak', 1)
    held.answerAll('/weak', 500)
    await held.untilUnderWay('/weak', 0)
    await Promise.all(servers.map((server) => fleet.sendTests(server, weak.endpoint_id, 10)))
    for (let failures = 1; failures <= 3; failures++) {
      await held.untilUnderWay('/weak', 1)
      await untilAllLooked(fleet, servers)
      expect(receiver.mostUnderWay('/weak')).toBe(1)
      held.answerAll('/weak', 500)
    }
    held.letGo('/weak')
    await untilAllEnded(fleet.pool)
  })

  test('when one is stopped: it releases each lane that it has drained, and the other continues at once', async () => {
    await using fleet = await startFleet()
    const { first, createEndpoint } = await startTwo(fleet)
    const slow = await createEndpoint('/slow')
    const quick = await createEndpoint('/quick')
    const held = holdAnswers(fleet, '/slow', '/quick')
    await fleet.sendTests(first, slow.endpoint_id, 1)
    await fleet.sendTests(first, quick.endpoint_id, 20)
    await held.untilUnderWay('/slow', 1)
    await held.untilUnderWay('/quick', 8)
    const stopped = first.kill('SIGTERM')
    await until(
      async () => first.output(),
      (output) => output.includes('"Stopping"'),
    )
    const { rows: leases } = await fleet.pool.query(
      'select min(lease_expires_at) as ends from webhook_workers',
    )
    await until(
      async () => {
        held.answerAll('/quick', 204)
        return countOf(fleet, '/quick')
      },
      (count) => count === 20,
    )
    const { rows } = await fleet.pool.query('select now() < $1 as leased', [leases[0]?.ends])
    expect(rows).toEqual([{ leased: true }])
    expect(fleet.receiver.underWay('/slow')).toBe(1)
    held.letGo('/quick')
    held.letGo('/slow')
    expect(await stopped).toBe(0)
    await untilAllEnded(fleet.pool)
    // The deliveries in flight at the stop were awaited and recorded.
    expect([countOf(fleet, '/slow'), countOf(fleet, '/quick')]).toEqual([1, 20])
  })

  test('when one is killed: the other takes over its lanes once its session is gone, however long its lease still runs', async () => {
    await using fleet = await startFleet()
    const { first, createEndpoint } = await startTwo(fleet)
    const { endpoint_id } = await createEndpoint('/taken')
    const held = holdAnswers(fleet, '/taken')
    const sent = await fleet.sendTests(first, endpoint_id, 20)
    await held.untilUnderWay('/taken', 8)
    await fleet.pool.query(`update webhook_workers set lease_expires_at = now() + interval '1 day'`)
    await first.kill('SIGKILL')
    await held.untilUnderWay('/taken', 0)
    await held.untilUnderWay('/taken', 8)
    held.letGo('/taken')
    await untilAllEnded(fleet.pool)
    await expectPromisesKept(fleet, {
      ...promiseNothing(),
      testEventIds: new Set(sent.map(({ event_id }) => event_id)),
    })
  })

  test('when one sleeps past its lease: it sends nothing more on a lane that the other took over', async () => {
    await using fleet = await startFleet()
    const { first, second, createEndpoint } = await startTwo(fleet)
    const { endpoint_id } = await createEndpoint('/asleep')
    const held = holdAnswers(fleet, '/asleep')
    await fleet.sendTests(first, endpoint_id, 1)
    await held.untilUnderWay('/asleep', 1)
    // A failing endpoint gets one request at a time, so any extra request would show.
    held.answerAll('/asleep', 500)
    await held.untilUnderWay('/asleep', 0)
    await fleet.sendTests(first, endpoint_id, 10)
    await held.untilUnderWay('/asleep', 1)
    first.child.kill('SIGSTOP')
    await held.untilUnderWay('/asleep', 2)
    const count = countOf(fleet, '/asleep')
    first.child.kill('SIGCONT')
    await untilAllLooked(fleet, [first, second])
    expect(countOf(fleet, '/asleep')).toBe(count)
    held.letGo('/asleep')
    await untilAllEnded(fleet.pool)
  })
})

describe.concurrent('receivers', { timeout: TIMEOUT_MS }, () => {
  /** The status or error of the first attempt, by fault. */
  const OUTCOMES: Record<Fault, number | string> = {
    hangs: 'timeout',
    resets: 'connection_reset',
    closes: 'connection_reset',
    failsOnce: 500,
    speaksGarbage: 'network_error',
    speaksZeros: 'network_error',
    closesInHeaders: 'connection_reset',
    dripsHeaders: 'timeout',
    floodsHeaders: 'network_error',
    floodsInterim: 'timeout',
    switchesProtocols: 'connection_reset',
    // The status has arrived, so the fate of the body changes nothing.
    dripsBody: 200,
    floodsBody: 200,
    breaksBodyOff: 200,
    breaksChunks: 200,
  }

  test('that fail in any way get a retry, with the reason recorded, and delay no other endpoint', async () => {
    const config = { callbackAllowCidrs: ['127.0.0.0/8'], webhookScheduleSeconds: [0, 0.1, 0.1] }
    await using server = await startTestServer({ config })
    await using well = await startReceiver()
    const { key } = await server.createAccount()
    const post = async <Body>(route: string, body: object) =>
      (await server.json<Body>(route, { key, body })).body
    const createEndpoint = (url: string) =>
      post<WebhookEndpoint>('/webhooks/endpoints', { url, events: [...WEBHOOK_EVENT_TYPES] })
    const send = ({ endpoint_id }: WebhookEndpoint) =>
      post<WebhookDelivery>(`/webhooks/endpoints/${endpoint_id}/test`, { type: 'call.completed' })
    const read = async ({ delivery_id }: WebhookDelivery) =>
      (await server.json<DeliveryDetail>(`/webhooks/deliveries/${delivery_id}`, { key })).body

    await using broken = new AsyncDisposableStack()
    const tried: { fault: Fault; delivery: WebhookDelivery }[] = []
    for (const fault of Object.keys(FAULTS) as Fault[]) {
      const receiver = broken.use(await startFaultyReceiver(fault))
      tried.push({ fault, delivery: await send(await createEndpoint(receiver.url)) })
    }
    const beside = await createEndpoint(well.url)
    for (let sent = 0; sent < 20; sent++) {
      const delivery = await send(beside)
      await until(
        () => read(delivery),
        ({ status }) => status === 'delivered',
      )
    }
    const hanging = tried.filter(({ fault }) => OUTCOMES[fault] === 'timeout')
    for (const { delivery } of hanging) expect(await read(delivery)).toMatchObject({ attempt_count: 0 })

    const over: Record<string, unknown> = {}
    for (const { fault, delivery } of tried) {
      const { attempts } = await until(
        () => read(delivery),
        ({ status }) => status === 'delivered',
      )
      over[fault] = attempts[0]?.error ?? attempts[0]?.status
      expect(attempts, fault).toHaveLength(OUTCOMES[fault] === 200 ? 1 : 2)
      expect(attempts.at(-1), fault).toMatchObject({ status: 200, error: null })
    }
    expect(over).toEqual(OUTCOMES)
  })
})

describe.concurrent('dead deliveries', { timeout: TIMEOUT_MS }, () => {
  test('can be resent by many requests at once, one by one and all together', async () => {
    await using fleet = await startFleet({ scheduleSeconds: [0] })
    const server = await fleet.start()
    const { endpoint_id } = await fleet.createEndpoint(server, '/again')
    fleet.receiver.answer(() => 400)
    const sent = await fleet.sendTests(server, endpoint_id, 30)
    const since = sent[0]?.created_at
    for (let round = 0; round < 3; round++) {
      await untilAllEnded(fleet.pool)
      const answers = await Promise.all([
        ...sent.map(({ delivery_id }) =>
          fleet.ask(server, `/webhooks/deliveries/${delivery_id}/resend`, undefined, 'POST'),
        ),
        fleet.ask(server, '/webhooks/deliveries/recover', { since }),
      ])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    }
    await untilAllEnded(fleet.pool)
    fleet.receiver.answer(() => 204)
    expect(await fleet.ask(server, '/webhooks/deliveries/recover', { since })).toMatchObject({ status: 202 })
    await untilAllEnded(fleet.pool)
    const { rows } = await fleet.pool.query('select distinct status, resent from webhook_deliveries')
    expect(rows).toEqual([{ status: 'delivered', resent: true }])
  })
})
