import type { Id } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Insertable, Selectable } from 'kysely'
import { hashOf } from '../../../tenancy/secrets.ts'
import type { MemberPasskeyTable } from '../tables.ts'
import '../tables.ts'

/** How long a browser may take to answer a challenge. */
export const CHALLENGE_MS = 5 * 60_000

export type PasskeyRow = Selectable<MemberPasskeyTable>

/** Passkeys of members, and the challenges that they answer. */
export interface PasskeyStore {
  addChallenge(challenge: string): Promise<void>
  /** Uses a challenge up. @returns whether it was open */
  takeChallenge(challenge: string): Promise<boolean>
  find(credentialId: Buffer): Promise<PasskeyRow | undefined>
  listOf(memberId: Id<'member'>): Promise<PasskeyRow[]>
  /** @returns false for a passkey that is there already */
  add(tx: Tx, passkey: Insertable<MemberPasskeyTable>): Promise<boolean>
  /** @returns false for a passkey that was removed */
  noteUse(tx: Tx, credentialId: Buffer, uses: number): Promise<boolean>
  remove(tx: Tx, memberId: Id<'member'>): Promise<void>
  sweep(): Promise<void>
}

export function createPasskeyStore({ database, clock }: { database: Db; clock: Clock }): PasskeyStore {
  const after = (ms: number): Date => new Date(clock.nowMs() + ms)
  return {
    async addChallenge(challenge) {
      await database
        .insertInto('passkey_challenges')
        .values({ challenge_hash: hashOf(challenge), expires_at: after(CHALLENGE_MS) })
        .execute()
    },
    async takeChallenge(challenge) {
      const taken = await database
        .deleteFrom('passkey_challenges')
        .where('challenge_hash', '=', hashOf(challenge))
        .returning('expires_at')
        .executeTakeFirst()
      return taken !== undefined && taken.expires_at > after(0)
    },
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
    async sweep() {
      await database.deleteFrom('passkey_challenges').where('expires_at', '<=', after(0)).execute()
    },
  }
}
