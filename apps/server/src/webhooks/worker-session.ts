import { randomInt } from 'node:crypto'
import pg from 'pg'

/** First key of the advisory locks; the second is the session's own. */
export const SESSION_LOCK = 7_204_119
const CONNECT_TIMEOUT_MS = 5000
const MAX_INT4 = 2 ** 31 - 1

/**
 * A session of the database that holds an advisory lock as long as this process lives: the system closes the connection
 * of one that was killed, and Postgres ends the lock. Others see at once what a lease alone would show when it is over.
 */
export interface WorkerSession {
  /** Key of the lock. */
  readonly key: number
  isAlive(): boolean
  end(): Promise<void>
}

/** @throws Error if the database does not answer */
export async function openWorkerSession(connection: pg.ClientConfig): Promise<WorkerSession> {
  const key = randomInt(1, MAX_INT4)
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    application_name: 'vaani-webhooks',
    keepAlive: true,
  })
  let isAlive = true
  const lost = (): void => {
    isAlive = false
  }
  client.on('error', lost).on('end', lost)
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1, $2)', [SESSION_LOCK, key])
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return {
    key,
    isAlive: () => isAlive,
    async end() {
      isAlive = false
      await client.end().catch(() => undefined)
    },
  }
}
