import type { Db } from '../database/connect.ts'
import { ConfigError } from '../settings/define-settings.ts'
import type { ServiceSettings } from './service-settings.ts'
import type { Logger } from '../telemetry/log.ts'
import { loadOrMakeKey } from '../vault/load-key.ts'
import { createVault, type Vault } from '../vault/vault.ts'
import { isUsed, type SealedColumn } from './sealed-column.ts'
import { opensCheck, renewCheck } from './vault-check.ts'
import { readRetiredKeys } from './vault-keys.ts'

/**
 * Loads the vault of this service.
 *
 * @throws ConfigError if the database contains secrets that the vault cannot open, or another process seals with a key that it lacks,
 *   because not starting is better than unsigned webhooks
 */
export async function loadVault(options: {
  settings: Pick<ServiceSettings, 'encryptionKeys' | 'dataDirectory'>
  database: Db
  sealed: readonly SealedColumn[]
  /** What an operator does so that a former key can be removed. */
  formerKeyAdvice: string
  log: Logger
  /** Whether to record nothing, so that other processes can start as before. */
  isDryRun?: boolean
}): Promise<Vault> {
  const { settings, database, formerKeyAdvice, log, isDryRun = false } = options
  const vault = createVault(settings.encryptionKeys ?? [await loadOrMakeKey(settings.dataDirectory)])
  const unused = await findUnknownKeys({ ...options, vault })
  if (isDryRun) {
    if (!(await opensCheck(database, vault))) throw wrongKey()
    return vault
  }
  await database.transaction().execute(async (tx) => {
    if (!(await renewCheck(tx, vault))) throw wrongKey()
    if (unused.length > 0) await tx.deleteFrom('vault_keys').where('key_id', 'in', unused).execute()
    await tx
      .insertInto('vault_keys')
      .values({ key_id: vault.keyId })
      .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ retired_at: null }))
      .execute()
  })
  await reportFormerKeys(database, { vault, formerKeyAdvice, log })
  return vault
}

/**
 * Finds recorded keys that the vault does not know.
 *
 * @throws ConfigError if something is sealed under one of them
 */
async function findUnknownKeys({
  database,
  sealed,
  vault,
}: {
  database: Db
  sealed: readonly SealedColumn[]
  vault: Vault
}): Promise<Buffer[]> {
  const rows = await database.selectFrom('vault_keys').select('key_id').execute()
  const unknown = rows.map(({ key_id }) => key_id).filter((keyId) => !vault.knows(keyId))
  for (const keyId of unknown)
    for (const place of sealed) if (await isUsed(database, keyId, place)) throw wrongKey()
  return unknown
}

const wrongKey = () =>
  new ConfigError(
    'VAANI_ENCRYPTION_KEY must contain the key that the secrets in the database were encrypted with. If the variable was not set, that is encryption.key in the data directory of the process that encrypted them',
  )

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
