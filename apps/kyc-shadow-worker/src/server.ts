import type { Clock } from '@vaani/service-kit/clock'
import { startService } from '@vaani/service-kit/service/start-service'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { type Config, features } from './features.ts'
import { openSpool } from './spool/spool.ts'
import { createAuthenticator } from './worker/authenticator.ts'

export interface WorkerOptions {
  config: Config
  log: Logger
  /** Key of the administration. */
  adminKey: string
  clock?: Clock
  /** How long to wait for a database that is starting too; one minute by default. */
  databaseWaitMs?: number
  /** Aborts the start. */
  signal?: AbortSignal
}

/** Schema of all tables. Operators may give the worker the database of the reference server. */
export const DATABASE_SCHEMA = 'vaani_shadow'

export type RunningWorker = Awaited<ReturnType<typeof startWorker>>

/** Starts the side of the migration that is not in the path of callers: shadow submissions, evidence, gate and administration. */
export const startWorker = ({ config, adminKey, ...options }: WorkerOptions) =>
  startService({
    ...options,
    settings: config,
    features,
    databaseSchema: DATABASE_SCHEMA,
    formerKeyAdvice:
      'remove it after VAANI_SHADOW_MEDIA_HOURS and VAANI_SHADOW_DECISION_HOURS, when every pair that began with it has ended',
    open: ({ blobs, vault }) => ({
      authenticator: createAuthenticator(adminKey),
      spool: openSpool({ blobs, vault }),
      shadow: config,
      callbacks: config,
      dataDirectory: config.dataDirectory,
    }),
  })
