import { randomInt } from 'node:crypto'
import type { DatabaseSockets } from '@vaani/service-kit/database/sockets'
import pg from 'pg'

/** First key of the advisory locks. The second key is unique to the session. */
export const SESSION_LOCK = 7_204_119
const CONNECT_TIMEOUT_MS = 5000
/** Longer than a session is idle between two renewals of its worker's lease. */
const SILENCE_MS = 12_000
const MAX_INT4 = 2 ** 31 - 1

/**
 * A database session that holds an advisory lock for as long as this process lives. If the process is killed, the operating
 * system closes the connection and Postgres releases the lock, so others notice at once instead of when the lease expires.
 */
export interface WorkerSession {
  /** Key of the lock. */
  readonly key: number
  isAlive(): boolean
  /**
   * Runs a statement on the session itself.
   *
   * @returns the number of rows changed
   * @throws Error if the session does not respond, which marks it as lost
   */
  run(text: string, values: unknown[]): Promise<number>
  end(): Promise<void>
}

/** @throws Error if the database does not respond */
export async function openWorkerSession(
  connection: pg.ClientConfig,
  sockets: DatabaseSockets,
): Promise<WorkerSession> {
  const key = randomInt(1, MAX_INT4)
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    application_name: 'vaani-webhooks',
    keepAlive: true,
    stream: sockets.opener(SILENCE_MS),
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
    async run(text, values) {
      try {
        return (await client.query(text, values)).rowCount ?? 0
      } catch (error) {
        lost()
        throw error
      }
    },
    async end() {
      isAlive = false
      await client.end().catch(() => undefined)
    },
  }
}
