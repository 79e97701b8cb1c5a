import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { KEY_ID_BYTES } from '../vault/vault.ts'

/** A column sealed by the vault. Everything else that is encrypted is under a key from one of these columns. */
export interface SealedColumn {
  table: string
  column: string
  /** First column of the primary key, a text. */
  id: string
  /** Returns what the value of a row is sealed for; the id itself by default. */
  ownerOf?: (id: string) => string
}

/** Pages of a table read per statement, so that no statement takes long. */
const CHUNK_PAGES = 10_000

/** Whether anything is still sealed under a key. Reads the whole column. */
export async function isUsed(
  database: Db,
  keyId: Buffer,
  { table, column }: Pick<SealedColumn, 'table' | 'column'>,
): Promise<boolean> {
  const { rows: sizes } = await sql<{ pages: number }>`
    select (pg_relation_size(${table}) / current_setting('block_size')::integer)::float8 as pages`.execute(
    database,
  )
  const pages = sizes[0]?.pages ?? 0
  for (let page = 0; page < pages; page += CHUNK_PAGES) {
    const { rows } = await sql`
      select from ${sql.table(table)}
      where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + CHUNK_PAGES},0)`}::tid
        and substring(${sql.ref(column)} for ${sql.lit(KEY_ID_BYTES)}) = ${keyId}
      limit 1`.execute(database)
    if (rows.length > 0) return true
  }
  return false
}
