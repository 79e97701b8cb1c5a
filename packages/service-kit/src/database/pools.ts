import pg from 'pg'
import type { Logger } from '../telemetry/log.ts'
import { createDatabaseSockets, type DatabaseSockets } from './sockets.ts'

/** For a free connection, or a new one. */
const CONNECT_TIMEOUT_MS = 5000
/**
 * Statements take milliseconds. A request waits at most for a connection, a statement and the release of its
 * Idempotency-Key: 18 s, within the 29 to 60 s after which gateways and load balancers give up.
 */
const STATEMENT_TIMEOUT_MS = 10_000
/** Past the statement timeout, as a server that works says that itself and keeps the connection. */
const SILENCE_MS = 12_000
const NO_LIMIT_MS = 0

/** A pool with bounds on every wait, so that a database that hangs cannot hang requests for ever. */
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
  // Whoever uses a connection sees its loss there; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', (error) => log.warn({ error }, 'An idle database connection ended'))
  return pool
}

/** For migrations: one may rewrite a large table, or wait for another process that does. */
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
