import { loadOrMakeKey } from './load-key.ts'
import { createVault, KEY_ID_BYTES, type Vault } from './vault.ts'
import { sql } from 'kysely'
import { type Config, ConfigError } from '../settings/settings.ts'
import type { Db } from '../database/connect.ts'

/** Columns that the vault has sealed. Whatever else is encrypted is under one of these keys. */
const SEALED = [
  { table: 'webhook_secrets', column: 'sealed' },
  { table: 'verifications', column: 'data_key' },
  { table: 'calls', column: 'recording_data_key' },
] as const

/**
 * The vault of this server.
 *
 * @throws ConfigError if the database holds secrets that it cannot open: better no start than unsigned webhooks
 */
export async function loadVault(config: Config, database: Db): Promise<Vault> {
  const vault = createVault(config.encryptionKeys ?? [await loadOrMakeKey(config.dataDirectory)])
  for (const place of SEALED)
    if (!(await canOpenAll(database, vault, place)))
      throw new ConfigError(
        'VAANI_ENCRYPTION_KEY must hold the key that the secrets in the database were encrypted with. Without the variable that is encryption.key in the data directory of the process that made them',
      )
  return vault
}

async function canOpenAll(
  database: Db,
  vault: Vault,
  { table, column }: (typeof SEALED)[number],
): Promise<boolean> {
  const { rows } = await sql<{ key_id: Buffer }>`
    select distinct substring(${sql.ref(column)} for ${sql.lit(KEY_ID_BYTES)}) as key_id
    from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(database)
  return rows.every(({ key_id }) => vault.knows(key_id))
}
