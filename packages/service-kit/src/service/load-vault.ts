import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { ConfigError } from '../settings/define-settings.ts'
import type { ServiceSettings } from './service-settings.ts'
import { loadOrMakeKey } from '../vault/load-key.ts'
import { createVault, KEY_ID_BYTES, type Vault } from '../vault/vault.ts'

/** Keys that something may be sealed under. Each start adds its key, and removes unused ones that it does not know. */
export interface VaultKeyTable {
  key_id: Buffer
}

declare module '../database/connect.ts' {
  interface Tables {
    vault_keys: VaultKeyTable
  }
}

/** A column sealed by the vault. Everything else that is encrypted is under a key from one of these columns. */
export interface SealedColumn {
  table: string
  column: string
}

/**
 * Loads the vault of this service.
 *
 * @throws ConfigError if the database contains secrets that the vault cannot open, because not starting is better than unsigned
 *   webhooks
 */
export async function loadVault(options: {
  settings: Pick<ServiceSettings, 'encryptionKeys' | 'dataDirectory'>
  database: Db
  sealed: readonly SealedColumn[]
}): Promise<Vault> {
  const { settings, database, sealed } = options
  const vault = createVault(settings.encryptionKeys ?? [await loadOrMakeKey(settings.dataDirectory)])
  const rows = await database.selectFrom('vault_keys').select('key_id').execute()
  for (const { key_id } of rows) {
    if (vault.knows(key_id)) continue
    for (const place of sealed)
      if (await isUsed(database, key_id, place))
        throw new ConfigError(
          'VAANI_ENCRYPTION_KEY must contain the key that the secrets in the database were encrypted with. If the variable was not set, that is encryption.key in the data directory of the process that encrypted them',
        )
    await database.deleteFrom('vault_keys').where('key_id', '=', key_id).execute()
  }
  await database
    .insertInto('vault_keys')
    .values({ key_id: vault.keyId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return vault
}

/** Pages of a table read per statement, so that no statement takes long. */
const CHUNK_PAGES = 10_000

/** Whether anything is still sealed under a key. Reads the whole column, but only once per removed key. */
async function isUsed(database: Db, keyId: Buffer, { table, column }: SealedColumn): Promise<boolean> {
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
