/**
 * `pnpm bench deliver`: webhooks a second from events in Postgres to their bookkeeping, against a bare undici pool that
 * signs and sends the same bodies; and how much one endpoint of a hundred that hangs costs the others. By turns in one
 * run, so that a machine whose speed drifts treats all alike.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createSigner } from '@vaani/webhook-verifier'
import pg from 'pg'
import { Pool } from 'undici'
import { createAccountRows } from '../src/accounts/create-account-rows.ts'
import { type Config, readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import { startEmbeddedPostgres } from '../src/database/embedded/start-embedded-postgres.ts'
import { createLogger } from '../src/log.ts'
import { FILL_OUTBOX, OUTBOX_COLUMNS } from '../src/webhooks/write-event.ts'
import { median } from './api/load.ts'
import type { ReceiverStats } from './deliver/receiver.ts'

const ROUNDS = 5
const EVENTS = 10_000
const ENDPOINTS = 100
const IN_FLIGHT = 64
const PACED_PER_SECOND = 1000
const PACED_MS = 4000

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-'))
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
const { host, user } = postgres.connection
const databaseUrl = `postgres://localhost/postgres?${new URLSearchParams({ host: String(host), user: String(user) })}`

const receiver: ChildProcess = spawn(
  process.execPath,
  [path.join(import.meta.dirname, 'deliver/receiver.ts')],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const [port] = (await once(receiver.stdout ?? receiver, 'data')) as [Buffer]
const url = `http://127.0.0.1:${String(port).trim()}`

const config: Config = {
  ...readConfig({}),
  databaseUrl,
  roles: new Set(['worker']),
  dataDirectory: folder,
  callbackAllowCidrs: ['127.0.0.0/8'],
  logLevel: 'silent',
  shutdownGraceMs: 0,
}
const running = await createContext({ config, log: createLogger('silent') })
const { context } = running
const { clock, makeId, webhookSecrets, database } = context
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()

interface Customer {
  accountId: string
  endpointId: string
}

const TYPE = 'call.completed'
/** A customer with one endpoint. */
async function createCustomer(path: string): Promise<Customer> {
  const { account_id: accountId } = await database.transaction().execute((tx) =>
    createAccountRows({
      tx,
      clock,
      makeId,
      account: { name: path, tier: 'pro', operator: false, callWebhookUrl: null, rateOverrides: {} },
    }),
  )
  const endpointId = makeId('endpoint')
  await database
    .insertInto('webhook_endpoints')
    .values({
      endpoint_id: endpointId,
      account_id: accountId,
      livemode: false,
      url: url + path,
      events: [TYPE],
      created_at: new Date(),
    })
    .execute()
  await webhookSecrets.rotate(database, { ownerId: endpointId, accountId, livemode: false })
  return { accountId, endpointId }
}

const makeEvent = ({ accountId }: Customer) => {
  const event_id = makeId('event')
  const now = new Date()
  const sent_ms = performance.timeOrigin + performance.now()
  const data = { call_id: makeId('call'), status: 'completed', sent_ms, metadata: { note: 'x'.repeat(700) } }
  const body = JSON.stringify({ event_id, type: TYPE, created_at: now.toISOString(), data })
  return {
    event_id,
    account_id: accountId,
    livemode: false,
    type: TYPE,
    object_id: data.call_id,
    body,
    created_at: now,
  }
}
const customers = await Promise.all(
  Array.from({ length: ENDPOINTS }, (_, index) => createCustomer(`/e/${index}`)),
)
const dead = await createCustomer('/dead')
const customerAt = (index: number, oneIsDead = false): Customer => {
  const customer = customers[index % ENDPOINTS]
  return customer === undefined || (oneIsDead && customer === customers[0]) ? dead : customer
}

async function insertEvents(events: readonly ReturnType<typeof makeEvent>[]): Promise<void> {
  await client.query(
    `with event as (
       insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
       select event_id, account_id, livemode, type, object_id, body, created_at
     from json_to_recordset($1) as e (event_id text, account_id text, livemode boolean, type text, object_id text, body text, created_at timestamptz)
       returning ${OUTBOX_COLUMNS.join(', ')}
     ) ${FILL_OUTBOX}`,
    [JSON.stringify(events)],
  )
}
const makeEvents = (count: number) =>
  Array.from({ length: count }, (_, index) => makeEvent(customerAt(index)))

async function untilDelivered(): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ waits: boolean }>(
      `select exists (select from webhook_outbox)
        or exists (select from webhook_pending where endpoint_id <> $1) as waits`,
      [dead.endpointId],
    )
    if (rows[0]?.waits === false) return
    await delay(10)
  }
}

const readStats = async () => (await (await fetch(`${url}/stats`)).json()) as ReceiverStats

async function clear(): Promise<void> {
  await untilDelivered()
  await readStats()
  await client.query('truncate events, webhook_deliveries, webhook_pending')
  await client.query('vacuum analyze webhook_lanes')
}

/** Events that are committed already, to the last one's bookkeeping. */
async function measureEngine(): Promise<number> {
  await clear()
  await insertEvents(makeEvents(EVENTS))
  const startMs = performance.now()
  context.deliveries?.wake()
  // Asks the database once all have arrived, as asking all the time would slow it down.
  while (Number(await (await fetch(`${url}/count`)).text()) < EVENTS) await delay(20)
  await untilDelivered()
  const seconds = (performance.now() - startMs) / 1000
  const { received } = await readStats()
  if (received !== EVENTS) throw new Error(`${received} of ${EVENTS} events were received`)
  return EVENTS / seconds
}

async function measureBarePool(): Promise<number> {
  await clear()
  const events = makeEvents(EVENTS)
  const signer = createSigner({ secrets: `whsec_${Buffer.alloc(32, 7).toString('base64')}` })
  const pool = new Pool(url, { connections: IN_FLIGHT })
  const startMs = performance.now()
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
  const seconds = (performance.now() - startMs) / 1000
  await pool.close()
  return EVENTS / seconds
}

/** From the event to its arrival at a steady pace; one of the endpoints may hang. */
async function measureLatency(oneIsDead: boolean): Promise<{ p50: number; p99: number }> {
  await clear()
  const startMs = performance.now()
  for (let sent = 0; performance.now() - startMs < PACED_MS;) {
    const due = Math.floor(((performance.now() - startMs) / 1000) * PACED_PER_SECOND)
    if (due > sent) {
      await insertEvents(
        Array.from({ length: due - sent }, (_, index) => makeEvent(customerAt(sent + index, oneIsDead))),
      )
      context.deliveries?.wake()
      sent = due
    }
    await delay(2)
  }
  await untilDelivered()
  const { latenciesMs } = await readStats()
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

try {
  const rates = { engine: [] as number[], bare: [] as number[] }
  const latency = {
    alive: [] as { p50: number; p99: number }[],
    oneDead: [] as { p50: number; p99: number }[],
  }
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await measureBarePool()
    const engine = await measureEngine()
    // The first round warms up.
    if (round === 0) continue
    rates.bare.push(bare)
    rates.engine.push(engine)
  }
  for (let round = 0; round < ROUNDS; round++) {
    latency.alive.push(await measureLatency(false))
    latency.oneDead.push(await measureLatency(true))
  }
  const ratio = median(rates.engine.map((rate, index) => rate / (rates.bare[index] ?? Number.NaN)))
  console.log(`${EVENTS} events of 1 kB to ${ENDPOINTS} endpoints, ${ROUNDS} rounds by turns; medians`)
  console.table([
    {
      sender: 'bare undici pool, signing',
      'deliveries/s': Math.round(median(rates.bare)),
      'of the limit': '1.00',
    },
    {
      sender: 'engine, with Postgres',
      'deliveries/s': Math.round(median(rates.engine)),
      'of the limit': ratio.toFixed(2),
    },
  ])
  console.log(`${PACED_PER_SECOND} events a second; milliseconds from the event to its arrival`)
  console.table(
    Object.entries(latency).map(([endpoints, all]) => ({
      endpoints,
      p50: median(all.map(({ p50 }) => p50)).toFixed(1),
      p99: median(all.map(({ p99 }) => p99)).toFixed(1),
      'p99 of each round': all.map(({ p99 }) => p99.toFixed(1)).join(' '),
    })),
  )
} finally {
  await client.end()
  await running[Symbol.asyncDispose]()
  receiver.kill()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
