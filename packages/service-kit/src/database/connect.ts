import { type ColumnType, Kysely, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'

/**
 * The tables of a service. Each feature adds its own by declaration merging:
 *
 * ```ts
 * declare module '@vaani/service-kit/database/connect' {
 *   interface Tables {
 *     calls: CallTable
 *   }
 * }
 * ```
 */
export interface Tables {}

/** A `json` column: written as JSON text, read as a value, with the order of members preserved. */
export type Json<T> = ColumnType<T, string, string>

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

export function createDatabase(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
