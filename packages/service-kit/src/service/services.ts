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
import { createIdempotencyStore, type IdempotencyStore } from '../http/idempotency/idempotency.ts'
import type { Counters } from '../http/limits/counters.ts'
import { createIdMaker, type IdMaker } from '../ids.ts'
import { NO_LEASE, startWorkerLease } from '../leases/start-worker-lease.ts'
import type { WorkerLease } from '../leases/worker-lease.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import { createReadiness, type ReadinessCheck } from './readiness.ts'
import { createLimiter, type Limiter } from '../limits/create-limiter.ts'
import type { ServiceSettings } from './service-settings.ts'
import type { Logger } from '../telemetry/log.ts'
import { loadVault } from './load-vault.ts'
import type { SealedColumn } from './sealed-column.ts'
import type { Vault } from '../vault/vault.ts'

/** The services that exist before features start. A feature declares which of them it needs. */
export interface Services {
  log: Logger
  clock: Clock
  makeId: IdMaker
  connection: PoolConfig
  /** All connections to the database. */
  sockets: DatabaseSockets
  pool: Pool
  database: Db
  limiter: Limiter
  /** Store in which limits are currently counted, for `/readyz`. */
  limiterState: () => string
  blobs: BlobStore
  vault: Vault
  idempotency: IdempotencyStore
  /** Folder of this process for unencrypted media. */
  unsealed: ProcessFolder
  /** Whether this process answers requests. */
  isApi: boolean
  /** Whether this process does background work. */
  isWorker: boolean
  /** Lease of this process, under which it holds its work. */
  lease: WorkerLease
  /** All background workers of this process. Complete once every feature has started. */
  workers: readonly BackgroundWorker[]
  /** Counters of all features. Complete once every feature has started. */
  counters: readonly Counters[]
  /** Folders that the process writes to. */
  folders: readonly string[]
  /** Returns the failing checks; none if this process is ready. */
  readiness: () => Promise<readonly ReadinessCheck[]>
  /** Disposed in reverse order after the service has stopped. */
  held: AsyncDisposableStack
  /** Aborts when the service begins to stop. */
  stopping: AbortSignal
  /** Aborts when everything still held must be released at once. */
  released: AbortSignal
}

/** Opens the services. The caller must dispose `held`, even if this fails. */
export async function openServices(options: {
  settings: ServiceSettings
  log: Logger
  clock: Clock
  migrations: Migrations
  databaseSchema?: string | undefined
  sealed: readonly SealedColumn[]
  formerKeyAdvice: string
  /** Filled as the features start. */
  workers: readonly BackgroundWorker[]
  /** Filled as the features start. */
  counters: readonly Counters[]
  held: AsyncDisposableStack
  /** How long to wait for a database that is starting too. */
  databaseWaitMs: number
  /** Aborts the start. */
  signal: AbortSignal
  stopping: AbortSignal
  released: AbortSignal
}): Promise<{ services: Services; lost: Promise<Error> }> {
  const { settings, log, clock, migrations, workers, counters, held, signal, stopping, released } = options
  const opened = await openDatabase({
    settings,
    migrations,
    schema: options.databaseSchema,
    log,
    held,
    waitMs: options.databaseWaitMs,
    signal,
  })
  const { connection, pool, database, sockets, lost } = opened
  const unsealed = held.use(await claimUnsealedFolder(settings.dataDirectory))
  const isWorker = settings.roles.has('worker')
  const lease = isWorker ? held.use(await startWorkerLease({ pool, log })) : NO_LEASE
  const { limiter, limiterState } = await startLimiter({ settings, clock, log })
  held.defer(() => limiter.close())
  const blobDirectory = path.join(settings.dataDirectory, 'blobs')
  const blobs = settings.s3
    ? createS3BlobStore(settings.s3)
    : await createFileBlobStore({ directory: blobDirectory })
  held.defer(() => blobs.close())
  const folders = settings.s3 ? [unsealed.path] : [unsealed.path, blobDirectory]
  const services: Services = {
    log,
    clock,
    makeId: createIdMaker(clock),
    connection,
    sockets,
    pool,
    database,
    limiter,
    limiterState,
    blobs,
    vault: await loadVault({ ...options, database }),
    idempotency: createIdempotencyStore({ pool, clock }),
    unsealed,
    isApi: settings.roles.has('api'),
    isWorker,
    lease,
    workers,
    counters,
    readiness: createReadiness({
      database,
      latestMigration: latestOf(migrations),
      workers,
      folders,
      stopping,
    }),
    folders,
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
      log.warn({ state }, 'Rate limits are now counted in another store')
    },
    onForgotten: (limit) =>
      log.warn({ limit }, 'A rate limit has too many subjects; one was forgotten before its window was over'),
  })
  return { limiter, limiterState: () => limiterState }
}
