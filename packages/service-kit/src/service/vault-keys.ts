import type { Db } from '../database/connect.ts'

/** Keys that something may be sealed under. Each start adds its key, and removes unused ones that it does not know. */
export interface VaultKeyTable {
  key_id: Buffer
  /** When nothing was sealed under the key any more; null if something may be. */
  retired_at: Date | null
}

declare module '../database/connect.ts' {
  interface Tables {
    vault_keys: VaultKeyTable
  }
}

/** Returns whether nothing is sealed under a key, as far as this database knows: it is retired, or has never sealed. */
export async function readRetiredKeys(database: Db): Promise<(keyId: Buffer) => boolean> {
  const rows = await database
    .selectFrom('vault_keys')
    .where('retired_at', 'is', null)
    .select('key_id')
    .execute()
  return (keyId) => !rows.some(({ key_id }) => key_id.equals(keyId))
}

/** Records that nothing is sealed under these keys any more. */
export async function retireKeys(database: Db, keyIds: readonly Buffer[], at: Date): Promise<void> {
  if (keyIds.length === 0) return
  await database.updateTable('vault_keys').set({ retired_at: at }).where('key_id', 'in', keyIds).execute()
}
