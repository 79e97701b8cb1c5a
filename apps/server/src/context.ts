import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { SpeechEngine } from '@vaani/speech'
import { type Carrier, createLoopbackCarrier } from '@vaani/telephony'
import type { PoolConfig } from 'pg'
import { type Authenticator, createAuthenticator } from './accounts/authenticator.ts'
import { type CallerIdStore, createCallerIdStore } from './accounts/caller-ids.ts'
import { prepareFirstAccount } from './accounts/first-start.ts'
import { type CallDispatcher, createCallDispatcher } from './calls/dispatcher.ts'
import { type CallStore, createCallStore } from './calls/store.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { createDatabase, createPool, type Db } from './database/connect.ts'
import { startEmbeddedPostgres } from './database/embedded/start-embedded-postgres.ts'
import { migrate } from './database/migrate.ts'
import { createEvents, type Events } from './events.ts'
import { createIdempotencyStore, type IdempotencyStore } from './http/idempotency.ts'
import { createIdMaker, type IdMaker } from './ids.ts'
import { type Boss, DIAL_QUEUE, type DialJob, startBoss } from './jobs/boss.ts'
import { createLimiter, type Limiter } from './limits/create-limiter.ts'
import type { Logger } from './log.ts'
import { loadSpeechEngine } from './speech/engine.ts'
import type { BlobStore } from './storage/blob-store.ts'
import { createFileBlobStore } from './storage/file-blob-store.ts'
import { createS3BlobStore } from './storage/s3-blob-store.ts'
import { type Identity, startIdentity } from './identity/start-identity.ts'
import { loadVault } from './secrets/load-vault.ts'
import type { Vault } from './secrets/vault.ts'
import type { DeliveryEngine } from './webhooks/delivery-engine.ts'
import { createSecretStore, type SecretStore } from './webhooks/secret-store.ts'
import { startDeliveries } from './webhooks/start-deliveries.ts'
import { sweepOldWebhooks } from './webhooks/sweep-old.ts'

/** Everything that the server holds, made once at start. */
export interface AppContext {
  config: Config
  log: Logger
  clock: Clock
  makeId: IdMaker
  events: Events
  database: Db
  boss: Boss
  limiter: Limiter
  limiterState(): string
  blobs: BlobStore
  engine: SpeechEngine | null
  authenticator: Authenticator
  callerIds: CallerIdStore
  idempotency: IdempotencyStore
  calls: CallStore
  /** Null in a process without the role `worker`. */
  dispatcher: CallDispatcher | null
  /** Null in a process without the role `worker`. */
  deliveries: DeliveryEngine | null
  webhookSecrets: SecretStore
  vault: Vault
  identity: Identity
  /** The key of the account that was made at this start, to be shown once. */
  firstKey: string | null
  /** Removes what has been kept for as long as it may be; runs by itself every ten minutes. */
  sweep(): Promise<void>
  /** Aborts when the server begins to stop. */
  stopping: AbortSignal
}

export interface RunningContext extends AsyncDisposable {
  context: AppContext
  /** Marks the server as stopping, so that it is no longer ready. */
  stop(): void
}

const SWEEP_INTERVAL_MS = 600_000

export interface ContextOptions {
  config: Config
  log: Logger
  clock?: Clock
  /** Makes the carrier; default: the loopback phone in real time. */
  createCarrier?: (log: Logger) => Carrier
}

/** Makes the context. What has been made when a step fails is released again. */
export async function createContext(options: ContextOptions): Promise<RunningContext> {
  const { config, log, clock = systemClock, createCarrier = createLoopbackPhone } = options
  await using held = new AsyncDisposableStack()
  const makeId = createIdMaker(clock)
  const events = createEvents(log)
  const stopping = new AbortController()

  const connection = await connectDatabase(config, log, held)
  const pool = createPool(connection, log)
  const database = createDatabase(pool)
  held.defer(() => database.destroy())
  await migrate(database)
  const firstKey = await prepareFirstAccount({
    database,
    clock,
    makeId,
    bootstrapKey: config.bootstrapApiKey,
  })

  const works = config.roles.has('worker')
  const boss = await startBoss({ connection, works, log })
  held.defer(() => boss.stop({ graceful: false, close: true }))

  let limiterState = config.redisUrl === undefined ? 'memory' : 'redis'
  const limiter = await createLimiter({
    clock,
    redisUrl: config.redisUrl,
    redisTimeoutMs: config.redisTimeoutMs,
    onStateChange(state) {
      limiterState = state
      log.warn({ state }, 'The store of the rate limits changed')
    },
    onForgotten: (limit) =>
      log.warn({ limit }, 'Too many subjects of a rate limit: one was forgotten before its window was over'),
  })
  held.defer(() => limiter.close())

  const blobs = config.s3
    ? createS3BlobStore(config.s3)
    : await createFileBlobStore({ directory: path.join(config.dataDirectory, 'blobs') })
  held.defer(() => blobs.close())
  const engine = await loadSpeechEngine(log)
  if (engine !== null) held.defer(() => engine.close())

  const vault = await loadVault(config, database)
  const webhookSecrets = createSecretStore({ database, vault, clock })
  const deliveries = works
    ? startDeliveries({ config, connection, clock, makeId, secrets: webhookSecrets, events, log, held })
    : null
  const calls = createCallStore({
    pool,
    database,
    boss,
    clock,
    makeId,
    onEvents: () => deliveries?.wake(),
  })
  const identity = await startIdentity({
    config,
    pool,
    database,
    blobs,
    vault,
    clock,
    makeId,
    events,
    log,
    onEvents: () => deliveries?.wake(),
    held,
  })
  const idempotency = createIdempotencyStore({ pool, clock })
  const dispatcher =
    works && engine !== null
      ? startDispatcher({
          config,
          log,
          database,
          calls,
          engine,
          blobs,
          events,
          carrier: createCarrier(log),
          held,
        })
      : null
  if (dispatcher) {
    await workOnDialJobs(boss, dispatcher)
    held.defer(() => boss.offWork(DIAL_QUEUE, { wait: false }))
  }

  async function sweep(): Promise<void> {
    const sweeps = {
      'idempotency keys': () => idempotency.sweep(),
      ...(works && {
        'old media': () => identity.sweep(),
        'old webhooks': () => sweepOldWebhooks(database, clock),
      }),
    }
    for (const [what, run] of Object.entries(sweeps))
      await run().catch((error: unknown) => log.warn({ error }, `The sweep of ${what} failed`))
  }
  const sweeper = setInterval(() => void sweep(), SWEEP_INTERVAL_MS)
  held.defer(() => clearInterval(sweeper))

  const context: AppContext = {
    config,
    log,
    clock,
    makeId,
    events,
    database,
    boss,
    limiter,
    limiterState: () => limiterState,
    blobs,
    engine,
    authenticator: createAuthenticator({ database, clock }),
    callerIds: createCallerIdStore(database),
    idempotency,
    calls,
    dispatcher,
    deliveries,
    webhookSecrets,
    vault,
    identity,
    firstKey,
    sweep,
    stopping: stopping.signal,
  }
  const resources = held.move()
  return { context, stop: () => stopping.abort(), [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function connectDatabase(config: Config, log: Logger, held: AsyncDisposableStack): Promise<PoolConfig> {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl }
  const postgres = await startEmbeddedPostgres({
    directory: path.join(config.dataDirectory, 'postgres'),
    logger: log,
  })
  held.defer(() => postgres.stop())
  return postgres.connection
}

function createLoopbackPhone(log: Logger): Carrier {
  return createLoopbackCarrier({
    onCrash: (error) => log.error({ error }, 'The media worker crashed; its calls ended as carrier-error'),
  })
}

function startDispatcher(options: {
  config: Config
  log: Logger
  database: Db
  calls: CallStore
  engine: SpeechEngine
  blobs: BlobStore
  events: Events
  carrier: Carrier
  held: AsyncDisposableStack
}): CallDispatcher {
  const { config, log, database, calls, engine, blobs, events, carrier, held } = options
  held.defer(() => carrier.close())
  const dispatcher = createCallDispatcher({
    workerId: `worker-${randomUUID()}`,
    maxCalls: config.maxCalls,
    recordingDirectory: path.join(config.dataDirectory, 'recordings'),
    store: calls,
    database,
    carrier,
    engine,
    blobs,
    events,
    log,
  })
  held.defer(() => dispatcher.stop(config.shutdownGraceMs))
  return dispatcher
}

async function workOnDialJobs(boss: Boss, dispatcher: CallDispatcher): Promise<void> {
  await boss.work<DialJob>(
    DIAL_QUEUE,
    {
      batchSize: 10,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
      burstWhenBatchFull: true,
    },
    async (jobs) => {
      await Promise.all(jobs.map((job) => dispatcher.dispatch(job.data.call_id)))
    },
  )
}
