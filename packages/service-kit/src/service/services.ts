import path from 'node:path'
import type { Pool, PoolConfig } from 'pg'
import type { BlobStore } from '../blobs/blob-store.ts'
import { createFileBlobStore } from '../blobs/file-blob-store.ts'
import type { ProcessFolder } from '../blobs/process-folder.ts'
import { createS3BlobStore } from '../blobs/s3-blob-store.ts'
import { claimUnsealedFolder } from '../blobs/unsealed-folder.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/connect.ts'
import { latestOf, type Migrations } from '../database/migrate.ts'
import { openDatabase } from '../database/open-database.ts'
import type { DatabaseSockets } from '../database/sockets.ts'
import { createIdempotencyStore, type IdempotencyStore } from '../http/idempotency.ts'
import { createIdMaker, type IdMaker } from '../ids.ts'
import { type Boss, type Queues, startBoss } from '../jobs/boss.ts'
import { NO_LEASE, startWorkerLease } from '../leases/start-worker-lease.ts'
import type { WorkerLease } from '../leases/worker-lease.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import { createReadiness, type ReadinessCheck } from '../lifecycle/readiness.ts'
import { createLimiter, type Limiter } from '../limits/create-limiter.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'
import type { Logger } from '../telemetry/log.ts'
import { loadVault, type SealedColumn } from '../vault/load-vault.ts'
import type { Vault } from '../vault/vault.ts'

/** What a service holds before its features start. A feature names those that it takes. */
export interface Services {
  log: Logger
  clock: Clock
  makeId: IdMaker
  connection: PoolConfig
  /** Every connection to the database, those of the job engine too. */
  sockets: DatabaseSockets
  pool: Pool
  database: Db
  boss: Boss
  limiter: Limiter
  /** Where limits are counted now, as `/readyz` shows it. */
  limiterState: () => string
  blobs: BlobStore
  vault: Vault
  idempotency: IdempotencyStore
  /** The folder of this process for media in the clear. */
  unsealed: ProcessFolder
  /** Whether this process does work in the background. */
  isWorker: boolean
  /** Of this process, which holds what it works on by it. */
  lease: WorkerLease
  /** All that works in the background of this process, once every feature has started. */
  workers: readonly BackgroundWorker[]
  /** The checks that keep this process from doing its work; none if it is ready. */
  readiness: () => Promise<readonly ReadinessCheck[]>
  /** Disposed when the service has stopped, the last first. */
  held: AsyncDisposableStack
  /** Aborts when the service begins to stop. */
  stopping: AbortSignal
  /** Aborts when what is still held has to be let go at once. */
  released: AbortSignal
}

/** Opens what a service holds. The caller disposes `held`, also if this fails. */
export async function openServices(options: {
  settings: ServiceSettings
  log: Logger
  clock: Clock
  migrations: Migrations
  queues: Queues
  sealed: readonly SealedColumn[]
  /** Filled as the features start. */
  workers: readonly BackgroundWorker[]
  held: AsyncDisposableStack
  /** How long to wait for a database that starts as well. */
  databaseWaitMs: number
  /** Aborts the start. */
  signal: AbortSignal
  stopping: AbortSignal
  released: AbortSignal
}): Promise<{ services: Services; lost: Promise<Error> }> {
  const { settings, log, clock, migrations, queues, sealed, workers, held, signal, stopping, released } =
    options
  const opened = await openDatabase({
    settings,
    migrations,
    log,
    held,
    waitMs: options.databaseWaitMs,
    signal,
  })
  const { connection, pool, database, sockets, lost } = opened
  const unsealed = held.use(await claimUnsealedFolder(settings.dataDirectory))
  const isWorker = settings.roles.has('worker')
  const lease = isWorker ? held.use(await startWorkerLease({ pool, log })) : NO_LEASE
  const boss = await startBoss({ connection, sockets, queues, works: isWorker, log })
  held.defer(() => boss.stop({ graceful: false, close: true }))
  const { limiter, limiterState } = await startLimiter({ settings, clock, log })
  held.defer(() => limiter.close())
  const blobs = settings.s3
    ? createS3BlobStore(settings.s3)
    : await createFileBlobStore({ directory: path.join(settings.dataDirectory, 'blobs') })
  held.defer(() => blobs.close())
  const services: Services = {
    log,
    clock,
    makeId: createIdMaker(clock),
    connection,
    sockets,
    pool,
    database,
    boss,
    limiter,
    limiterState,
    blobs,
    vault: await loadVault({ settings, database, sealed }),
    idempotency: createIdempotencyStore({ pool, clock }),
    unsealed,
    isWorker,
    lease,
    workers,
    readiness: createReadiness({ database, latestMigration: latestOf(migrations), workers, stopping }),
    held,
    stopping,
    released,
  }
  return { services, lost }
}

async function startLimiter({
  settings: { redisUrl, redisTimeoutMs },
  clock,
  log,
}: {
  settings: Pick<ServiceSettings, 'redisUrl' | 'redisTimeoutMs'>
  clock: Clock
  log: Logger
}) {
  let limiterState = redisUrl === undefined ? 'memory' : 'redis'
  const limiter = await createLimiter({
    clock,
    redisUrl,
    redisTimeoutMs,
    onStateChange(state) {
      limiterState = state
      log.warn({ state }, 'The store of the rate limits changed')
    },
    onForgotten: (limit) =>
      log.warn({ limit }, 'Too many subjects of a rate limit: one was forgotten before its window was over'),
  })
  return { limiter, limiterState: () => limiterState }
}
