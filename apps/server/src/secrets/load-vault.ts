import { type Config, ConfigError } from '../config.ts'
import type { Db } from '../database/connect.ts'
import { canOpenSecrets } from '../webhooks/secret-store.ts'
import { loadOrMakeKey } from './load-key.ts'
import { createVault, type Vault } from './vault.ts'

/**
 * The vault of this server.
 *
 * @throws ConfigError where the database holds secrets that it cannot open: better no start than unsigned webhooks
 */
export async function loadVault(config: Config, database: Db): Promise<Vault> {
  const vault = createVault(config.encryptionKeys ?? [await loadOrMakeKey(config.dataDirectory)])
  if (await canOpenSecrets(database, vault)) return vault
  throw new ConfigError(
    'VAANI_ENCRYPTION_KEY must hold the key that the secrets in the database were encrypted with. Without the variable that is encryption.key in the data directory of the process that made them',
  )
}
