import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { ConfigError } from '../settings/define-settings.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'
import { loadOrMakeKey } from './load-key.ts'
import { createVault, KEY_ID_BYTES, type Vault } from './vault.ts'

/** A column that the vault has sealed. Whatever else is encrypted is under one of these keys. */
export interface SealedColumn {
  table: string
  column: string
}

/**
 * The vault of this service.
 *
 * @throws ConfigError if the database holds secrets that it cannot open: better no start than unsigned webhooks
 */
export async function loadVault(options: {
  settings: Pick<ServiceSettings, 'encryptionKeys' | 'dataDirectory'>
  database: Db
  sealed: readonly SealedColumn[]
}): Promise<Vault> {
  const { settings, database, sealed } = options
  const vault = createVault(settings.encryptionKeys ?? [await loadOrMakeKey(settings.dataDirectory)])
  for (const place of sealed)
    if (!(await canOpenAll(database, vault, place)))
      throw new ConfigError(
        'VAANI_ENCRYPTION_KEY must hold the key that the secrets in the database were encrypted with. Without the variable that is encryption.key in the data directory of the process that made them',
      )
  return vault
}

async function canOpenAll(database: Db, vault: Vault, { table, column }: SealedColumn): Promise<boolean> {
  const { rows } = await sql<{ key_id: Buffer }>`
    select distinct substring(${sql.ref(column)} for ${sql.lit(KEY_ID_BYTES)}) as key_id
    from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(database)
  return rows.every(({ key_id }) => vault.knows(key_id))
}
