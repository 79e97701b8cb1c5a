import type { DatabaseSockets } from '../database/sockets.ts'
import type { Logger } from '../telemetry/log.ts'
import type { PoolConfig } from 'pg'
import { type ConstructorOptions, PgBoss } from 'pg-boss'

export const DIAL_QUEUE = 'calls.dial'
export interface DialJob {
  call_id: string
  /** Not in jobs from before accounts took turns: the sweep for overdue calls dials those. */
  account_id?: string
}

const DAY_SECONDS = 86_400
/** Longer than the furthest schedule, as pg-boss deletes jobs that wait past it. */
const RETENTION_SECONDS = 400 * DAY_SECONDS
const CONNECT_TIMEOUT_MS = 5000
/** Longer than its upkeep of many jobs takes, and than the pause between the heartbeats of its listener. */
const SILENCE_MS = 30_000

export type Boss = PgBoss

/** The job engine. An `api` process only sends; the upkeep is the workers'. */
export async function startBoss(options: {
  connection: PoolConfig
  sockets: DatabaseSockets
  works: boolean
  log: Logger
}): Promise<Boss> {
  const { connection, sockets, works, log } = options
  // It hands on to pg what it does not know.
  const settings: ConstructorOptions & Pick<PoolConfig, 'stream'> = {
    ...bossConnection(connection),
    stream: sockets.opener(SILENCE_MS),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'vaani-jobs',
    max: works ? 4 : 2,
    supervise: works,
    schedule: false,
    useListenNotify: works,
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
  }
  const boss = new PgBoss(settings)
  boss.on('error', (error) => log.warn({ error }, 'The job engine met an error'))
  await boss.start()
  await boss.createQueue(DIAL_QUEUE, {
    notify: true,
    retryLimit: 5,
    retryDelay: 1,
    // A job ends once its call is taken; past the heartbeat another worker gets it.
    heartbeatSeconds: 10,
    expireInSeconds: 900,
    retentionSeconds: RETENTION_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
  })
  return boss
}

function bossConnection(connection: PoolConfig) {
  const { connectionString, host, port, user, database, password } = connection
  if (connectionString !== undefined) return { connectionString }
  if (typeof password === 'function') throw new TypeError('The job engine takes no password function')
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(user !== undefined && { user }),
    ...(database !== undefined && { database }),
    ...(password !== undefined && { password }),
  }
}
