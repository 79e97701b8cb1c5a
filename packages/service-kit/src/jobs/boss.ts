import type { PoolConfig } from 'pg'
import { type ConstructorOptions, PgBoss, type Queue } from 'pg-boss'
import type { DatabaseSockets } from '../database/sockets.ts'
import type { Logger } from '../telemetry/log.ts'

/** Queues of jobs by name. */
export type Queues = Readonly<Record<string, Omit<Queue, 'name'>>>

const DAY_SECONDS = 86_400
/** Longer than the furthest schedule, because pg-boss deletes jobs that wait longer. */
const RETENTION_SECONDS = 400 * DAY_SECONDS
const CONNECT_TIMEOUT_MS = 5000
/** Longer than pg-boss's maintenance of many jobs takes, and than the heartbeat interval of its listener. */
const SILENCE_MS = 30_000

export type Boss = PgBoss

/** Starts the job engine. A process with only the role `api` sends jobs; workers also do maintenance. */
export async function startBoss(options: {
  connection: PoolConfig
  sockets: DatabaseSockets
  queues: Queues
  works: boolean
  log: Logger
  /** Schema of the engine's tables; `pgboss` by default. */
  schema?: string | undefined
}): Promise<Boss> {
  const { connection, sockets, queues, works, log, schema } = options
  // pg-boss passes unknown options on to pg.
  const settings: ConstructorOptions & Pick<PoolConfig, 'stream'> = {
    ...bossConnection(connection),
    ...(schema !== undefined && { schema }),
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
  boss.on('error', (error) => log.warn({ error }, 'The job engine reported an error'))
  await boss.start()
  for (const [name, queue] of Object.entries(queues))
    await boss.createQueue(name, {
      retentionSeconds: RETENTION_SECONDS,
      deleteAfterSeconds: DAY_SECONDS,
      ...queue,
    })
  return boss
}

function bossConnection(connection: PoolConfig) {
  const { connectionString, host, port, user, database, password } = connection
  if (connectionString !== undefined) return { connectionString }
  if (typeof password === 'function')
    throw new TypeError('The job engine does not support a password function')
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(user !== undefined && { user }),
    ...(database !== undefined && { database }),
    ...(password !== undefined && { password }),
  }
}
