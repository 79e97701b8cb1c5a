import type { Id } from '@vaani/contracts'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Insertable, Selectable } from 'kysely'
import type { MemberPasskeyTable } from '../tables.ts'

export type PasskeyRow = Selectable<MemberPasskeyTable>

/** Passkeys of members. */
export interface PasskeyStore {
  find(credentialId: Buffer): Promise<PasskeyRow | undefined>
  listOf(memberId: Id<'member'>): Promise<PasskeyRow[]>
  /** @returns false for a passkey that is there already */
  add(tx: Tx, passkey: Insertable<MemberPasskeyTable>): Promise<boolean>
  /** @returns false for a passkey that was removed */
  noteUse(tx: Tx, credentialId: Buffer, uses: number): Promise<boolean>
  remove(tx: Tx, memberId: Id<'member'>): Promise<void>
}

export const createPasskeyStore = (database: Db): PasskeyStore => ({
  find: (credentialId) =>
    database
      .selectFrom('member_passkeys')
      .where('credential_id', '=', credentialId)
      .selectAll()
      .executeTakeFirst(),
  listOf: (memberId) =>
    database.selectFrom('member_passkeys').where('member_id', '=', memberId).selectAll().execute(),
  async add(tx, passkey) {
    const added = await tx
      .insertInto('member_passkeys')
      .values(passkey)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('credential_id')
      .executeTakeFirst()
    return added !== undefined
  },
  async noteUse(tx, credentialId, uses) {
    const noted = await tx
      .updateTable('member_passkeys')
      .set({ uses: String(uses) })
      .where('credential_id', '=', credentialId)
      .returning('credential_id')
      .executeTakeFirst()
    return noted !== undefined
  },
  async remove(tx, memberId) {
    await tx.deleteFrom('member_passkeys').where('member_id', '=', memberId).execute()
  },
})
