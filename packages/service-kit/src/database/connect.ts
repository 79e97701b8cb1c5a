import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../../../apps/server/src/database/schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

export function createDatabase(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
