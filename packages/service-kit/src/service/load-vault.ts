import type { Db } from '../database/connect.ts'
import { ConfigError } from '../settings/define-settings.ts'
import type { ServiceSettings } from './service-settings.ts'
import type { Logger } from '../telemetry/log.ts'
import { loadOrMakeKey } from '../vault/load-key.ts'
import { createVault, type Vault } from '../vault/vault.ts'
import { isUsed, type SealedColumn } from './sealed-column.ts'
import { readRetiredKeys } from './vault-keys.ts'

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
  /** What an operator does so that a former key can be removed. */
  formerKeyAdvice: string
  log: Logger
}): Promise<Vault> {
  const { settings, database, sealed, formerKeyAdvice, log } = options
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
    .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ retired_at: null }))
    .execute()
  await reportFormerKeys(database, { vault, formerKeyAdvice, log })
  return vault
}

async function reportFormerKeys(
  database: Db,
  { vault, formerKeyAdvice, log }: { vault: Vault; formerKeyAdvice: string; log: Logger },
): Promise<void> {
  if (vault.formerKeyIds.length === 0) return
  const isRetired = await readRetiredKeys(database)
  for (const [index, keyId] of vault.formerKeyIds.entries()) {
    const name = `Key ${index + 2} of VAANI_ENCRYPTION_KEY`
    if (isRetired(keyId)) log.info(`${name} seals nothing that is stored, so it can be removed`)
    else log.info(`${name} may still seal something that is stored: ${formerKeyAdvice}`)
  }
}
