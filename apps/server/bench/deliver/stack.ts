import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import pg from 'pg'
import { type Config, features } from '../../src/features.ts'
import { createAccountRows } from '../../src/features/admin/create-account-rows.ts'
import { FILL_OUTBOX, OUTBOX_COLUMNS } from '../../src/features/webhooks/write-event.ts'
import { startServer } from '../../src/server.ts'
import { turnOffAutovacuum } from '../../test/support/rows-read.ts'

export interface Customer {
  accountId: string
  endpointId: string
}

const TYPE = 'call.completed'
/** Excludes the outbox, whose rows turn over so fast that it needs vacuuming. */
const UNANALYSED = ['events', 'webhook_pending', 'webhook_deliveries', 'webhook_lanes']

async function startParts(folder: string) {
  await using held = new AsyncDisposableStack()
  const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
  held.defer(() => postgres.stop())
  const { host, user } = postgres.connection
  const parameters = new URLSearchParams({ host: String(host), user: String(user) })
  const databaseUrl = `postgres://localhost/postgres?${parameters}`
  const config: Config = {
    ...features.settings.read({}),
    databaseUrl,
    roles: new Set(['worker']),
    dataDirectory: folder,
    callbackAllowCidrs: ['127.0.0.0/8'],
    logLevel: 'silent',
    shutdownGraceMs: 0,
  }
  const { context } = held.use(await startServer({ config, log: createLogger('silent') }))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  held.defer(() => client.end())
  const resources = held.move()
  return { context, client, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Starts a worker on an embedded Postgres, and returns the operations that the benchmark needs. */
export async function startStack(receiverUrl: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-'))
  let parts = await startParts(folder)
  // The planner's statistics are part of the measurement.
  await turnOffAutovacuum(parts.client, UNANALYSED)

  const makeEvent = ({ accountId }: Customer, isTimed = true) => {
    const { makeId } = parts.context
    const event_id = makeId('event')
    const created_at = new Date().toISOString()
    const call_id = makeId('call')
    const sent_ms = isTimed ? performance.timeOrigin + performance.now() : 0
    const data = { call_id, status: 'completed', sent_ms, metadata: { note: 'x'.repeat(700) } }
    const body = JSON.stringify({ event_id, type: TYPE, created_at, data })
    const shared = { event_id, account_id: accountId, livemode: false, type: TYPE, created_at }
    return { ...shared, object_id: call_id, body }
  }
  const insertEvents = (events: readonly ReturnType<typeof makeEvent>[], rest: string) =>
    parts.client.query(
      `with event as (
         insert into events (event_id, account_id, livemode, type, object_id, body, created_at)
         select event_id, account_id, livemode, type, object_id, body, created_at
         from json_to_recordset($1) as e (event_id text, account_id text, livemode boolean, type text, object_id text,
           body text, created_at timestamptz)
         returning ${OUTBOX_COLUMNS.join(', ')}
       ) ${rest}`,
      [JSON.stringify(events)],
    )

  async function untilDelivered(except: readonly Customer[]): Promise<void> {
    for (;;) {
      const { rows } = await parts.client.query<{ waits: boolean }>(
        `select exists (select from webhook_outbox)
          or exists (select from webhook_pending where endpoint_id <> all ($1)) as waits`,
        [except.map(({ endpointId }) => endpointId)],
      )
      if (rows[0]?.waits === false) return
      await delay(10)
    }
  }

  return {
    makeEvent,
    /** Creates a customer with one endpoint at a path of the receiver. */
    async createCustomer(at: string): Promise<Customer> {
      const { database, clock, makeId, webhooks } = parts.context
      const account = {
        name: at,
        tier: 'pro',
        operator: false,
        callWebhookUrl: null,
        rateOverrides: {},
      } as const
      const { account_id: accountId } = await database
        .transaction()
        .execute((tx) => createAccountRows({ tx, clock, makeId, account }))
      const endpointId = makeId('endpoint')
      const shared = { account_id: accountId, livemode: false, url: receiverUrl + at }
      await database
        .insertInto('webhook_endpoints')
        .values({ ...shared, events: [TYPE], endpoint_id: endpointId, created_at: new Date() })
        .execute()
      await webhooks.secrets.rotate(database, { ownerId: endpointId, accountId, livemode: false })
      return { accountId, endpointId }
    },
    /** Commits events the same way as the service. */
    write: (events: readonly ReturnType<typeof makeEvent>[]) => insertEvents(events, FILL_OUTBOX),
    /** Gives an endpoint a backlog of due deliveries, each for its own object. */
    async leaveBehind(customer: Customer, count: number): Promise<void> {
      const events = Array.from({ length: count }, () => makeEvent(customer, false))
      await insertEvents(
        events,
        `insert into webhook_pending (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type,
           object_id, sequence, is_next, queued_at, next_attempt_at, expires_at, created_at)
         select 'dlv_' || event_id, account_id, livemode, '${customer.endpointId}', '${customer.endpointId}', event_id,
           type, object_id, sequence, true, now(), now(), now() + interval '1 day', now()
         from event`,
      )
      await parts.client.query(
        `insert into webhook_lanes (lane_id, due_at) values ($1, now())
         on conflict (lane_id) do update set due_at = now(), open_until = null, failures = 0`,
        [customer.endpointId],
      )
    },
    wake: () => parts.context.webhooks.wake(),
    untilDelivered,
    async clear(except: readonly Customer[]): Promise<void> {
      await untilDelivered(except)
      await parts.client.query('truncate events, webhook_deliveries, webhook_pending')
    },
    analyze: () => parts.client.query('vacuum analyze'),
    /** Stops the worker and Postgres, and restarts both on the same data. */
    async restart(): Promise<void> {
      await parts[Symbol.asyncDispose]()
      parts = await startParts(folder)
    },
    async [Symbol.asyncDispose]() {
      await parts[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type Stack = Awaited<ReturnType<typeof startStack>>
