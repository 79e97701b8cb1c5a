import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { createFileBlobStore } from '@vaani/service-kit/blobs/file-blob-store'
import { createS3BlobStore } from '@vaani/service-kit/blobs/s3-blob-store'
import { claimUnsealedFolder } from '@vaani/service-kit/blobs/unsealed-folder'
import { type Clock, systemClock } from '@vaani/service-kit/clock'
import { createIdempotencyStore, type IdempotencyStore } from '@vaani/service-kit/http/idempotency'
import { createIdMaker, type IdMaker } from '@vaani/service-kit/ids'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import {
  endOf,
  startStopDeadline,
  STOP_NOW,
  type StopDeadline,
} from '@vaani/service-kit/lifecycle/stop-deadline'
import { createLimiter, type Limiter } from '@vaani/service-kit/limits/create-limiter'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { SpeechEngine } from '@vaani/speech'
import { type Carrier, createLoopbackCarrier } from '@vaani/telephony'
import { type Authenticator, createAuthenticator } from './tenancy/authenticator.ts'
import { type CallerIdStore, createCallerIdStore } from './features/admin/caller-ids.ts'
import { prepareFirstAccount } from './features/admin/first-start.ts'
import { type CallDispatcher, createCallDispatcher } from './features/calls/dispatcher.ts'
import { createRecordingStore, type RecordingStore } from './features/calls/recording-store.ts'
import { type CallStore, createCallStore } from './features/calls/store.ts'
import type { Config } from '@vaani/service-kit/settings/settings'
import type { Db } from '@vaani/service-kit/database/connect'
import { openDatabase } from '@vaani/service-kit/database/open-database'
import { createEvents, type Events } from '@vaani/service-kit/telemetry/events'
import { type AddressLimits, createAddressLimits } from '@vaani/service-kit/http/address-limits'
import { type Boss, DIAL_QUEUE, type DialJob, startBoss } from '@vaani/service-kit/jobs/boss'
import { loadSpeechEngine } from './features/speech/engine.ts'
import { type Identity, startIdentity } from './features/identity/start-identity.ts'
import { loadVault } from '@vaani/service-kit/vault/load-vault'
import { createReadiness, type ReadinessCheck } from '@vaani/service-kit/lifecycle/readiness'
import type { DeliveryEngine } from './features/webhooks/delivery/delivery-engine.ts'
import { createSecretStore, type SecretStore } from './features/webhooks/secret-store.ts'
import { startDeliveries } from './features/webhooks/delivery/start-deliveries.ts'
import { sweepOldWebhooks } from './features/webhooks/sweep-old.ts'

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
  addressLimits: AddressLimits
  blobs: BlobStore
  engine: SpeechEngine | null
  authenticator: Authenticator
  callerIds: CallerIdStore
  idempotency: IdempotencyStore
  calls: CallStore
  recordings: RecordingStore
  /** Null in a process without the role `worker`. */
  dispatcher: CallDispatcher | null
  /** Null in a process without the role `worker`. */
  deliveries: DeliveryEngine | null
  /** All that works in the background of this process. */
  workers: readonly BackgroundWorker[]
  /** The checks that keep this process from doing its work; none if it is ready. */
  readiness(): Promise<readonly ReadinessCheck[]>
  webhookSecrets: SecretStore
  vault: Vault
  identity: Identity
  /** The key that was made at this start, to be shown once. */
  firstKey: string | null
  /** Removes what has been kept for as long as it may be; runs by itself every ten minutes. */
  sweep(): Promise<void>
  /** Aborts when the server begins to stop. */
  stopping: AbortSignal
}

/** Disposing it is stopping and releasing it without a grace. */
export interface RunningContext extends AsyncDisposable {
  context: AppContext
  /** Resolves if something is lost that this process cannot go on without. */
  failed: Promise<Error>
  /** Takes up nothing new from the moment of this call, and ends what is under way by the deadline. */
  stopWorking(deadline: StopDeadline): Promise<void>
  /** Releases what is held. Cuts the connections to the database when the deadline is over, or after a second. */
  release(deadline: StopDeadline): Promise<void>
}

const SWEEP_INTERVAL_MS = 600_000
const RELEASE_MS = 1000
/** Longer than a Postgres takes that is started together with this server. */
const DATABASE_WAIT_MS = 60_000

export interface ContextOptions {
  config: Config
  log: Logger
  clock?: Clock
  /** Makes the carrier; default: the loopback phone in real time. */
  createCarrier?: (log: Logger) => Carrier
  /** How long to wait for a database that starts as well; default: a minute. */
  databaseWaitMs?: number
  /** Aborts the start. */
  signal?: AbortSignal
}

/** Makes the context. What has been made when a step fails is released again. */
export async function createContext(options: ContextOptions): Promise<RunningContext> {
  const { config, log, clock = systemClock, createCarrier = createLoopbackPhone } = options
  const { databaseWaitMs = DATABASE_WAIT_MS, signal = new AbortController().signal } = options
  await using held = new AsyncDisposableStack()
  const makeId = createIdMaker(clock)
  const events = createEvents(log)
  const stopping = new AbortController()

  const opened = await openDatabase({ config, log, held, waitMs: databaseWaitMs, signal })
  const { connection, pool, database, sockets } = opened
  const released = new AbortController()
  const unsealed = held.use(await claimUnsealedFolder(config.dataDirectory))
  const firstKey = await prepareFirstAccount({
    database,
    clock,
    makeId,
    log,
    bootstrapKey: config.bootstrapApiKey,
  })

  const works = config.roles.has('worker')
  const boss = await startBoss({ connection, sockets, works, log })
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
  const recordings = createRecordingStore({
    database,
    blobs,
    vault,
    clock,
    log,
    retentionDays: config.recordingRetentionDays,
  })
  const webhookSecrets = createSecretStore({ database, vault, clock })
  const deliveries = works
    ? startDeliveries({
        config,
        connection,
        sockets,
        clock,
        makeId,
        secrets: webhookSecrets,
        events,
        log,
        held,
      })
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
    unsealedDirectory: unsealed.path,
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
          recordingDirectory: unsealed.path,
          log,
          database,
          calls,
          engine,
          recordings,
          events,
          carrier: createCarrier(log),
          held,
          released: released.signal,
        })
      : null
  if (dispatcher) await workOnDialJobs(boss, dispatcher)
  const workers = [dispatcher, identity.verifier, deliveries].filter((worker) => worker !== null)

  async function sweep(): Promise<void> {
    const sweeps = {
      'idempotency keys': () => idempotency.sweep(),
      'media in the clear': () => unsealed.sweep(),
      'unfinished blobs': () => blobs.sweep(),
      ...(works && {
        'old media': () => identity.sweep(),
        'old recordings': () => recordings.sweep(),
        'old webhooks': () => sweepOldWebhooks(database, clock),
      }),
    }
    for (const [what, run] of Object.entries(sweeps))
      if (!stopping.signal.aborted)
        await run().catch((error: unknown) => log.warn({ error }, `The sweep of ${what} failed`))
  }
  let sweeping: Promise<void> | undefined
  const sweeper = setInterval(() => {
    sweeping ??= sweep().finally(() => (sweeping = undefined))
  }, SWEEP_INTERVAL_MS)

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
    addressLimits: createAddressLimits({ limiter, clock }),
    blobs,
    engine,
    authenticator: createAuthenticator({ database, clock }),
    callerIds: createCallerIdStore(database),
    idempotency,
    calls,
    recordings,
    dispatcher,
    deliveries,
    workers,
    readiness: createReadiness({ database, workers, stopping: stopping.signal }),
    webhookSecrets,
    vault,
    identity,
    firstKey,
    sweep,
    stopping: stopping.signal,
  }
  signal.throwIfAborted()
  const cut = () => {
    sockets.cut()
    released.abort()
  }
  const resources = held.move()

  async function stopWorking(deadline: StopDeadline): Promise<void> {
    stopping.abort()
    clearInterval(sweeper)
    const ends = [
      // First of all, as its jobs begin calls.
      boss.offWork(DIAL_QUEUE, { wait: false }),
      ...workers.map((worker) => worker.stop(deadline)),
      sweeping,
    ]
    await Promise.all(ends.map((end) => endOf(end, deadline.timeOver)))
  }

  async function release({ timeOver }: StopDeadline): Promise<void> {
    const late = setTimeout(cut, RELEASE_MS)
    timeOver.addEventListener('abort', cut)
    if (timeOver.aborted) cut()
    await resources.disposeAsync()
    clearTimeout(late)
    timeOver.removeEventListener('abort', cut)
  }

  return {
    context,
    failed: opened.lost,
    stopWorking,
    release,
    async [Symbol.asyncDispose]() {
      using deadline = startStopDeadline(0)
      await stopWorking(deadline)
      await release(deadline)
    },
  }
}

function createLoopbackPhone(log: Logger): Carrier {
  return createLoopbackCarrier({
    onCrash: (error) => log.error({ error }, 'The media worker crashed; its calls ended as carrier-error'),
  })
}

function startDispatcher(options: {
  config: Config
  recordingDirectory: string
  log: Logger
  database: Db
  calls: CallStore
  engine: SpeechEngine
  recordings: RecordingStore
  events: Events
  carrier: Carrier
  held: AsyncDisposableStack
  released: AbortSignal
}): CallDispatcher {
  const { config, recordingDirectory, log, database, calls, engine, recordings, events } = options
  const { carrier, held, released } = options
  held.defer(() => endOf(carrier.close(), released))
  const dispatcher = createCallDispatcher({
    workerId: `worker-${randomUUID()}`,
    maxCalls: config.maxCalls,
    recordingDirectory,
    store: calls,
    database,
    carrier,
    engine,
    recordings,
    events,
    log,
  })
  held.defer(() => dispatcher.stop(STOP_NOW))
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
      await Promise.all(
        jobs.map(async ({ data: { call_id: callId, account_id: accountId } }) => {
          if (accountId !== undefined) await dispatcher.dispatch({ callId, accountId })
        }),
      )
    },
  )
}
