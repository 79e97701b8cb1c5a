import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from '../log.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

/** A pool with bounds on every wait, so that a database that hangs cannot hang requests for ever. */
export function createPool(connection: pg.PoolConfig, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    max: 20,
    ...connection,
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'vaani',
  })
  // A connection that ends while it is in use is told to who uses it; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', (error) => log.warn({ error }, 'An idle database connection ended'))
  return pool
}

export function createDatabase(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
