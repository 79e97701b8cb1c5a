import pg from 'pg'
import type { Logger } from '../telemetry/log.ts'
import { createDatabaseSockets, type DatabaseSockets } from './sockets.ts'

/** Limit on the wait for a free or new connection. */
const CONNECT_TIMEOUT_MS = 5000
/**
 * Statements normally take milliseconds. A request waits for a connection, a statement and the release of its Idempotency-Key
 * for at most 18 s, which is within the 29 to 60 s after which gateways and load balancers give up.
 */
const STATEMENT_TIMEOUT_MS = 10_000
/** Longer than the statement timeout, which a working server reports itself and keeps the connection. */
const SILENCE_MS = 12_000
const NO_LIMIT_MS = 0

/** Creates a pool that limits every wait, so that a hanging database cannot hang requests forever. */
export function createPool(
  connection: pg.PoolConfig,
  log: Logger,
  sockets: DatabaseSockets = createDatabaseSockets(),
): pg.Pool {
  const pool = new pg.Pool({
    max: 20,
    ...connection,
    stream: sockets.opener(SILENCE_MS),
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'vaani',
  })
  // The user of a connection sees its loss. Without a listener, the event would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ error }, 'An idle database connection ended')
  })
  return pool
}

/** Creates a pool for migrations, which may rewrite a large table or wait for another process that does. */
export function createMigrationPool(connection: pg.PoolConfig, sockets = createDatabaseSockets()): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    stream: sockets.opener(NO_LIMIT_MS),
    keepAlive: true,
    max: 2,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'vaani-migrations',
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}
