import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../telemetry/log.ts'
import { type Unavailability, unavailabilityOf } from './database-error.ts'

const RETRY_MS = 500
const CONNECT_TIMEOUT_MS = 5000
/** Outages worth waiting for. A database that refuses us needs a person. */
const PASSING: readonly Unavailability[] = ['away', 'overloaded']

/** SQLSTATEs in words (Postgres documentation, appendix A). Never the message of Postgres, which quotes the URL. */
const IN_WORDS: Readonly<Record<string, string>> = {
  '28P01': 'the password or the user is wrong',
  '28000': 'the database does not let this user in, or not from this machine (pg_hba.conf)',
  '3D000': 'there is no such database on the server',
  '42501': 'the user may not connect to the database',
  '53300': 'the database has too many connections',
}

/** The database of `DATABASE_URL` cannot be used. The message omits the URL, because it may contain a password. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError'
  readonly code = 'database_away'
}

/**
 * Waits for a database that may be starting too.
 *
 * @throws DatabaseAwayError if it does not respond in time or refuses; the signal's reason if it aborts
 */
export async function waitForDatabase(options: {
  connectionString: string
  log: Logger
  waitMs: number
  signal: AbortSignal
}): Promise<void> {
  const { connectionString, log, waitMs, signal } = options
  const deadlineMs = performance.now() + waitMs
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    const error = await tryToConnect(connectionString)
    if (error === undefined) return
    const unavailability = unavailabilityOf(error)
    const reason = 'code' in error && typeof error.code === 'string' ? error.code : unavailability
    if (unavailability === null || !PASSING.includes(unavailability))
      throw new DatabaseAwayError(
        `DATABASE_URL: ${inWords(reason) ?? `the database refuses: ${reason ?? error.name}`}`,
      )
    if (performance.now() > deadlineMs)
      throw new DatabaseAwayError(
        `DATABASE_URL: the database did not respond within ${waitMs / 1000} s: ${inWords(reason) ?? reason}`,
      )
    if (attempt === 1) log.warn({ reason }, 'Waiting for the database')
    await delay(RETRY_MS, undefined, { signal })
  }
}

function inWords(reason: string | null): string | undefined {
  const words = IN_WORDS[reason ?? '']
  return words && `${words} (${reason})`
}

async function tryToConnect(connectionString: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error('Postgres cannot be reached')
  } finally {
    await client.end()
  }
}
