import type { Generated } from 'kysely'
import type { Db, Tx } from '../database/connect.ts'
import { type Vault, VaultError } from '../vault/vault.ts'

/** One row, sealed by the process that started last, so that a process that cannot open what the others seal does not start. */
export interface VaultCheckTable {
  single: Generated<boolean>
  sealed: Buffer
}

declare module '../database/connect.ts' {
  interface Tables {
    vault_check: VaultCheckTable
  }
}

const CHECK = 'vault check'

/** Returns whether the vault opens the check of this database. */
export async function opensCheck(database: Db, vault: Vault): Promise<boolean> {
  const check = await database.selectFrom('vault_check').select('sealed').executeTakeFirst()
  return check === undefined || opens(vault, check.sealed)
}

/**
 * Seals the check of this database with the current key, if there is none yet or the vault opens it. Locks it until the end of the
 * transaction, so that of processes that start together with different keys only one passes.
 *
 * @returns whether the vault opens it
 */
export async function renewCheck(tx: Tx, vault: Vault): Promise<boolean> {
  const sealed = vault.seal(CHECK, CHECK)
  const former = await tx
    .insertInto('vault_check')
    .values({ sealed })
    .onConflict((conflict) =>
      conflict.column('single').doUpdateSet(({ ref }) => ({ sealed: ref('vault_check.sealed') })),
    )
    .returning('sealed')
    .executeTakeFirstOrThrow()
  if (!opens(vault, former.sealed)) return false
  await tx.updateTable('vault_check').set({ sealed }).execute()
  return true
}

function opens(vault: Vault, sealed: Buffer): boolean {
  try {
    return vault.open(sealed, CHECK) === CHECK
  } catch (error) {
    if (error instanceof VaultError) return false
    throw error
  }
}
