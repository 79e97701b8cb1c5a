/**
 * `pnpm bench deliver`: measures webhooks per second, from events in Postgres to recorded deliveries, against a bare undici pool
 * that signs and sends the same bodies. Then measures the latency that one endpoint with 10,000 pending deliveries, which hangs
 * or catches up slowly, adds to the others, with different states of the planner's statistics. Measurements are interleaved in
 * one run, so that drift in the machine's speed affects all alike.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createSigner } from '@vaani/webhook-verifier'
import { Pool } from 'undici'
import { median } from './api/load.ts'
import type { ReceiverStats } from './deliver/receiver.ts'
import { type Customer, type Stack, startStack } from './deliver/stack.ts'

const ROUNDS = 5
const EVENTS = 10_000
const BEHIND = 10_000
const ENDPOINTS = 100
const IN_FLIGHT = 64
const PACED_PER_SECOND = 500
const PACED_MS = 4000
/** The pace at which an endpoint that takes 50 ms catches up with 32 requests in flight. */
const BUSY_PER_SECOND = 640

const receiver: ChildProcess = spawn(
  process.execPath,
  [path.join(import.meta.dirname, 'deliver/receiver.ts')],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const [port] = (await once(receiver.stdout ?? receiver, 'data')) as [Buffer]
const url = `http://127.0.0.1:${String(port).trim()}`
const readStats = async () => (await (await fetch(`${url}/stats`)).json()) as ReceiverStats

/** Deliveries per second of wall time and of the sender's CPU time. The latter estimates the rate on an idle machine. */
interface Rate {
  perSecond: number
  perCpuSecond: number
}

function startRate(): () => Rate {
  const startMs = performance.now()
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return {
      perSecond: (EVENTS * 1000) / (performance.now() - startMs),
      perCpuSecond: (EVENTS * 1e6) / (user + system),
    }
  }
}

interface Latency {
  p50: number
  p99: number
}
/** `one is busy` sends to the endpoint that catches up in the third case, at its pace, and leaves nothing pending: the control. */
type Others = 'nothing behind' | 'one hangs' | 'one catches up' | 'one is busy'

function createMeasures(
  stack: Stack,
  customers: readonly Customer[],
  late: Record<'one hangs' | 'one catches up', Customer>,
) {
  const lateCustomers = Object.values(late)
  const makeEvents = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const customer = customers[(from + index) % customers.length]
      if (customer === undefined) throw new Error('There is no customer')
      return stack.makeEvent(customer)
    })

  async function clear(): Promise<void> {
    await stack.clear(lateCustomers)
    await readStats()
  }

  return {
    /** Measures from already committed events until the last delivery is recorded. */
    async engine(): Promise<Rate> {
      await clear()
      await stack.write(makeEvents(0, EVENTS))
      const endRate = startRate()
      stack.wake()
      // Query the database only once all have arrived, because constant polling would slow it down.
      while (Number(await (await fetch(`${url}/count`)).text()) < EVENTS) await delay(20)
      await stack.untilDelivered(lateCustomers)
      const rate = endRate()
      const { received } = await readStats()
      if (received !== EVENTS) throw new Error(`${received} of ${EVENTS} events were received`)
      return rate
    },

    async barePool(): Promise<Rate> {
      await clear()
      const events = makeEvents(0, EVENTS)
      const signer = createSigner({ secrets: `whsec_${Buffer.alloc(32, 7).toString('base64')}` })
      const pool = new Pool(url, { connections: IN_FLIGHT })
      const endRate = startRate()
      let next = 0
      const send = async () => {
        for (let event = events[next++]; event !== undefined; event = events[next++]) {
          const timestampSeconds = Math.floor(Date.now() / 1000)
          const signature = await signer.sign(event.body, { id: event.event_id, timestampSeconds })
          const { statusCode, body } = await pool.request({
            method: 'POST',
            path: '/e/0',
            headers: { 'content-type': 'application/json', 'user-agent': 'Vaani-Webhooks/1', ...signature },
            body: event.body,
          })
          await body.dump()
          if (statusCode !== 204) throw new Error(`The receiver answered ${statusCode}`)
        }
      }
      await Promise.all(Array.from({ length: IN_FLIGHT }, send))
      const rate = endRate()
      await pool.close()
      return rate
    },

    /** Measures the time from an event to its arrival at the other endpoints, at a steady pace. */
    async latency(others: Others, prepare: () => Promise<unknown>): Promise<Latency> {
      await clear()
      const behind = others === 'one hangs' || others === 'one catches up' ? late[others] : null
      if (behind !== null) await stack.leaveBehind(behind, BEHIND)
      await prepare()
      const startMs = performance.now()
      for (let sent = 0; performance.now() - startMs < PACED_MS;) {
        const due = Math.floor(((performance.now() - startMs) / 1000) * PACED_PER_SECOND)
        if (due > sent) {
          const busyCount =
            others === 'one is busy' ? Math.round(((due - sent) * BUSY_PER_SECOND) / PACED_PER_SECOND) : 0
          const busy = Array.from({ length: busyCount }, () => stack.makeEvent(late['one catches up']))
          await stack.write([...makeEvents(sent, due - sent), ...busy])
          stack.wake()
          sent = due
        }
        await delay(2)
      }
      await stack.untilDelivered(lateCustomers)
      const { latenciesMs } = await readStats()
      const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN
      return { p50: at(0.5), p99: at(0.99) }
    },
  }
}

const ratios = (values: readonly number[], bases: readonly number[]): number[] =>
  values.map((value, index) => value / (bases[index] ?? Number.NaN))

try {
  await using stack = await startStack(url)
  const customers = await Promise.all(
    Array.from({ length: ENDPOINTS }, (_, index) => stack.createCustomer(`/e/${index}`)),
  )
  const late = {
    'one hangs': await stack.createCustomer('/hangs'),
    'one catches up': await stack.createCustomer('/slow'),
  }
  const measure = createMeasures(stack, customers, late)

  const rates = { engine: [] as Rate[], bare: [] as Rate[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await measure.barePool()
    const engine = await measure.engine()
    // The first round warms up.
    if (round === 0) continue
    rates.bare.push(bare)
    rates.engine.push(engine)
  }
  console.log(`${EVENTS} events of 1 kB to ${ENDPOINTS} endpoints, ${ROUNDS} interleaved rounds; medians`)
  for (const [unit, name] of [
    ['perSecond', 'deliveries/s'],
    ['perCpuSecond', 'deliveries/s of CPU of the sender'],
  ] as const) {
    const bare = rates.bare.map((rate) => rate[unit])
    const engine = rates.engine.map((rate) => rate[unit])
    const shares = ratios(engine, bare)
    console.table([
      { sender: 'bare undici pool, signing', [name]: Math.round(median(bare)), 'of the limit': '1.00' },
      {
        sender: 'engine, with Postgres',
        [name]: Math.round(median(engine)),
        'of the limit': median(shares).toFixed(2),
        'by round': shares.map((share) => share.toFixed(2)).join(' '),
      },
    ])
  }

  console.log(
    `${PACED_PER_SECOND} events per second to ${ENDPOINTS} endpoints, while another endpoint has ${BEHIND} pending`,
  )
  console.log('milliseconds from the event to its arrival; medians of interleaved rounds')
  const nothing = () => Promise.resolve()
  for (const [database, prepare] of [
    ['fresh', nothing],
    ['analysed', stack.analyze],
    ['restarted', stack.restart],
  ] as const) {
    const latency: Record<Others, Latency[]> = {
      'nothing behind': [],
      'one is busy': [],
      'one hangs': [],
      'one catches up': [],
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const others of Object.keys(latency) as Others[])
        latency[others].push(await measure.latency(others, prepare))
    const p99 = (others: Others) => latency[others].map((one) => one.p99)
    console.table(
      (Object.keys(latency) as Others[]).map((others) => ({
        database,
        others,
        p50: median(latency[others].map((one) => one.p50)).toFixed(1),
        p99: median(p99(others)).toFixed(1),
        'p99 ratio to nothing behind': median(ratios(p99(others), p99('nothing behind'))).toFixed(2),
        'p99 of each round': p99(others)
          .map((one) => one.toFixed(1))
          .join(' '),
      })),
    )
  }
} finally {
  receiver.kill()
}
