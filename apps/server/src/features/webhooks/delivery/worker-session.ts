import { randomInt } from 'node:crypto'
import type { DatabaseSockets } from '@vaani/service-kit/database/sockets'
import pg from 'pg'

/** First key of the advisory locks; the second is the session's own. */
export const SESSION_LOCK = 7_204_119
const CONNECT_TIMEOUT_MS = 5000
/** Longer than a session is silent between two renewals of its worker’s lease. */
const SILENCE_MS = 12_000
const MAX_INT4 = 2 ** 31 - 1

/**
 * A session of the database that holds an advisory lock as long as this process lives: the system closes the connection
 * of one that was killed, and Postgres ends the lock. Others see at once what a lease alone would show when it is over.
 */
export interface WorkerSession {
  /** Key of the lock. */
  readonly key: number
  isAlive(): boolean
  /**
   * Runs a statement on the session itself.
   *
   * @returns how many rows it changed
   * @throws Error if the session does not answer; then it counts as lost
   */
  run(text: string, values: unknown[]): Promise<number>
  end(): Promise<void>
}

/** @throws Error if the database does not answer */
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
