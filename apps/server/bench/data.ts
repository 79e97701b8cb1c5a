/**
 * `pnpm bench data`: compares the cost of operations on a million calls, verifications, deliveries, events and idempotency keys
 * with their cost on ten thousand, interleaved on one Postgres. A ratio near 1 means that the cost does not grow with the
 * history. `ROWS=10000000` fills ten million rows.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { LIMITS } from '@vaani/contracts'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import { firstIdAt } from '@vaani/service-kit/ids'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { createVault, type VaultKeys } from '@vaani/service-kit/vault/vault'
import pg from 'pg'
import { type Config, features } from '../src/features.ts'
import { createCallStore } from '../src/features/calls/store.ts'
import { createVerificationStore } from '../src/features/identity/store.ts'
import { createOutbox } from '../src/features/webhooks/delivery/read/outbox.ts'
import { createPendingStore } from '../src/features/webhooks/delivery/read/pending.ts'
import { createEnginePool } from '../src/features/webhooks/delivery/start-deliveries.ts'
import { listDeliveries } from '../src/features/webhooks/find-deliveries.ts'
import { resendDead } from '../src/features/webhooks/resend.ts'
import { startServer } from '../src/server.ts'
import { fillDatabase, LARGEST_ACCOUNT, LARGEST_ENDPOINT } from '../test/support/fill-database.ts'
import { median } from './api/load.ts'

const FEW = 10_000
const MANY = Number(process.env['ROWS'] ?? 1_000_000)
const ACCOUNTS = 500
const ROUNDS = 15
const PAGE = 21
const DAY_MS = 86_400_000
const tenant = { accountId: LARGEST_ACCOUNT, livemode: false }
const encryptionKeys: VaultKeys = [randomBytes(32)]
const log = createLogger('silent')

await using held = new AsyncDisposableStack()
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-data-'))
held.defer(() => rm(folder, { recursive: true, force: true }))
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
held.defer(() => postgres.stop())
const { host, user } = postgres.connection

/** Starts a server on a database filled with `rows` rows, and returns operations on it by name. No filled row is due. */
async function prepare(rows: number): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const name = `rows_${rows}`
  const admin = new pg.Client(postgres.connection)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const parameters = new URLSearchParams({ host: String(host), user: String(user) })
  const databaseUrl = `postgres://localhost/${name}?${parameters}`
  const config: Config = {
    ...features.settings.read({}),
    databaseUrl,
    encryptionKeys,
    port: 0,
    dataDirectory: path.join(folder, name),
    logLevel: 'silent',
    shutdownGraceMs: 0,
  }
  const start = async () => (await startServer({ config, log }))[Symbol.asyncDispose]()
  await start()
  const filler = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const startedMs = performance.now()
  const sealed = createVault(encryptionKeys).seal('a secret', 'its owner')
  await fillDatabase(filler, { rows, accounts: ACCOUNTS, sealed })
  await filler.end()
  console.log(`filled ${rows} rows of each kind in ${Math.round((performance.now() - startedMs) / 1000)} s`)

  const { context } = held.use(await startServer({ config, log }))
  const { database, clock, makeId, idempotency } = context
  const engine = createEnginePool({ connectionString: databaseUrl }, log)
  held.defer(() => engine.end())
  const calls = createCallStore({ ...context, onEvents: () => undefined })
  const verifications = createVerificationStore({ ...context, onEvents: () => undefined })
  const outbox = createOutbox({ pool: engine, clock, makeId })
  const pending = createPendingStore({ pool: engine, clock })
  const shards = Array.from({ length: 64 }, (_, shard) => shard)
  const farBack = (kind: 'call' | 'verification' | 'delivery') => firstIdAt(kind, clock.nowMs() - 20 * DAY_MS)
  const newest = await calls.list({ tenant, limit: 1 })
  const claim = { workerId: 'bench', checking: [], room: 1, perAccount: 1, underWay: [], after: '' }
  const call = {
    ...tenant,
    to: '+9779812345678',
    agentId: 'reminder',
    scheduledAt: new Date(clock.nowMs() + 100 * DAY_MS),
    scheduledAtText: null,
    fromCallerId: null,
    language: 'en-US',
    metadata: null,
    carrier: 'simulator',
  }
  const deliveries = (filter: Partial<Parameters<typeof listDeliveries>[2]>) => () =>
    listDeliveries(database, tenant, { limit: PAGE, ...filter })
  return {
    'start and stop the server': start,
    'place a scheduled call': () =>
      calls.place(call, { maxWaiting: LIMITS.scheduledCallsPerAccount, within: () => Promise.resolve() }),
    'find a call': () => calls.find(tenant, newest[0]?.call_id ?? ''),
    'list calls': () => calls.list({ tenant, limit: PAGE }),
    'list calls, far back': () => calls.list({ tenant, limit: PAGE, cursor: farBack('call') }),
    'list calls that failed': () => calls.list({ tenant, limit: PAGE, status: 'failed' }),
    'list calls in progress (none)': () => calls.list({ tenant, limit: PAGE, status: 'in-progress' }),
    'claim a call (none due)': () => calls.claim({ workerId: 'bench', free: 10, carried: [], after: '' }),
    'look for abandoned calls': () => calls.interruptAbandoned(),
    'list verifications': () => verifications.list({ tenant, limit: PAGE }),
    'list verifications, far back': () =>
      verifications.list({ tenant, limit: PAGE, cursor: farBack('verification') }),
    'list verifications in review': () => verifications.list({ tenant, limit: PAGE, status: 'review' }),
    'list a person’s verifications': () =>
      verifications.list({ tenant, limit: PAGE, externalId: 'person 20' }),
    'claim a verification (none waiting)': () => verifications.claim(claim),
    'list deliveries': deliveries({}),
    'list deliveries, far back': deliveries({ cursor: farBack('delivery') }),
    'list dead deliveries': deliveries({ status: 'dead' }),
    'list deliveries of an endpoint': deliveries({ endpoint_id: LARGEST_ENDPOINT }),
    'list deliveries of a type': deliveries({ event_type: 'call.completed', status: 'delivered' }),
    'recover, with nothing dead': () =>
      resendDead(database, tenant, { since: new Date(clock.nowMs()) }, new Date(clock.nowMs())),
    'read the outbox': () => outbox.read(shards, new Map()),
    'look for due lanes': () => pending.readDueLanes(shards),
    'read due deliveries of a lane': () =>
      pending.readDue([{ laneId: LARGEST_ENDPOINT, room: 8, inHand: [] }]),
    'take and release an idempotency key': async () => {
      const begun = await idempotency.begin({
        tenant,
        key: makeId('request'),
        operation: 'bench',
        url: '/',
        content: Buffer.alloc(32),
      })
      if ('lockedUntil' in begun) await idempotency.release(begun)
    },
    'sweep, with nothing due': () => context.sweep(),
  }
}

async function timeMs(run: (() => Promise<unknown>) | undefined): Promise<number> {
  const startMs = performance.now()
  await run?.()
  return performance.now() - startMs
}

const few = await prepare(FEW)
const many = await prepare(MANY)
const table: Record<string, Record<string, string>> = {}
for (const what of Object.keys(few)) {
  const times = { few: [] as number[], many: [] as number[] }
  // The first run warms the caches and sweeps due rows.
  const first = { few: await timeMs(few[what]), many: await timeMs(many[what]) }
  for (let round = 0; round < ROUNDS; round++) {
    times.few.push(await timeMs(few[what]))
    times.many.push(await timeMs(many[what]))
  }
  const [ofFew, ofMany] = [median(times.few), median(times.many)]
  table[what] = {
    [`${FEW} rows, ms`]: ofFew.toFixed(2),
    [`${MANY} rows, ms`]: ofMany.toFixed(2),
    ratio: (ofMany / ofFew).toFixed(2),
    'of the fastest': (Math.min(...times.many) / Math.min(...times.few)).toFixed(2),
    'first run, ms': `${first.few.toFixed(1)} and ${first.many.toFixed(1)}`,
  }
}
console.table(table)
console.log(
  `medians of ${ROUNDS} interleaved runs each; on a busy machine, the ratio of the fastest runs is more accurate`,
)
