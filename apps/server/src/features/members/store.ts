import { type Id, LIMITS, type MemberRole } from '@vaani/contracts'
import { randomBytes } from 'node:crypto'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { type Updateable, sql } from 'kysely'
import { createSecret, hashOf } from '../../tenancy/secrets.ts'
import type { MemberTable } from '../../tenancy/tables.ts'

const DAY_MS = 24 * 60 * 60_000

/** Selects members with their keys. */
const selectMembers = (database: Db) =>
  database
    .selectFrom('members')
    .innerJoin('api_keys as test_key', (join) =>
      join.onRef('test_key.member_id', '=', 'members.member_id').on('test_key.livemode', '=', false),
    )
    .leftJoin('api_keys as live_key', (join) =>
      join.onRef('live_key.member_id', '=', 'members.member_id').on('live_key.livemode', '=', true),
    )
    .selectAll('members')
    .select([
      'test_key.key_id as test_key_id',
      'live_key.key_id as live_key_id',
      sql<boolean>`live_key.key_id is not null and live_key.revoked_at is null`.as('livemode'),
    ])

export type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>

export interface NewMember {
  accountId: Id<'account'>
  name: string
  role: MemberRole
  livemode: boolean
}

/** Members, their keys and their invitations. What changes them runs in a transaction of the caller. */
export interface MemberStore {
  /** Creates a member without an invitation. */
  create(tx: Tx, member: NewMember): Promise<Id<'member'>>
  /** Counts the members that were not removed. Locks the account, so that a limit is exact under concurrent requests. */
  count(tx: Tx, accountId: Id<'account'>): Promise<number>
  find(database: Db, memberId: Id<'member'>): Promise<MemberRow | undefined>
  /** Finds a member of an account, or of any for null, and keeps others from changing it. */
  lock(tx: Tx, memberId: Id<'member'>, accountId: Id<'account'> | null): Promise<MemberRow | undefined>
  list(
    accountId: Id<'account'>,
    page: { limit: number; cursor: Id<'member'> | undefined },
  ): Promise<MemberRow[]>
  change(tx: Db, memberId: Id<'member'>, changes: Updateable<MemberTable>): Promise<void>
  /** Lets a member work in live mode, or ends it. */
  setLive(tx: Tx, member: MemberRow, isLive: boolean): Promise<void>
  /** Ends all keys of a member. */
  revokeKeys(tx: Tx, memberId: Id<'member'>): Promise<void>
  /** Replaces the invitation of a member, and returns the secret of the new one. */
  invite(tx: Tx, memberId: Id<'member'>): Promise<string>
  /** Finds the member that an open invitation is for. */
  findInvited(database: Db, invitation: string): Promise<MemberRow | undefined>
}

export function createMemberStore(options: { database: Db; clock: Clock; makeId: IdMaker }): MemberStore {
  const { database, clock, makeId } = options
  const now = (): Date => new Date(clock.nowMs())

  async function insertKey(
    tx: Tx,
    member: { memberId: Id<'member'>; accountId: Id<'account'>; name: string; livemode: boolean },
  ): Promise<void> {
    await tx
      .insertInto('api_keys')
      .values({
        key_id: makeId('key'),
        account_id: member.accountId,
        member_id: member.memberId,
        name: member.name,
        // No secret has this digest.
        hash: randomBytes(32),
        hint: '',
        scopes: [],
        livemode: member.livemode,
        created_at: now(),
        revoked_at: null,
      })
      .execute()
  }

  return {
    async create(tx, { accountId, name, role, livemode }) {
      const memberId = makeId('member')
      await tx
        .insertInto('members')
        .values({ member_id: memberId, account_id: accountId, name, role, created_at: now() })
        .execute()
      await insertKey(tx, { memberId, accountId, name, livemode: false })
      if (livemode) await insertKey(tx, { memberId, accountId, name, livemode: true })
      return memberId
    },
    async count(tx, accountId) {
      await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 4))`.execute(tx)
      const { members } = await tx
        .selectFrom('members')
        .where('account_id', '=', accountId)
        .where('removed_at', 'is', null)
        .select(({ fn }) => fn.countAll<string>().as('members'))
        .executeTakeFirstOrThrow()
      return Number(members)
    },
    find: (from, memberId) =>
      selectMembers(from).where('members.member_id', '=', memberId).executeTakeFirst(),
    lock(tx, memberId, accountId) {
      let query = selectMembers(tx).where('members.member_id', '=', memberId).forUpdate('members')
      if (accountId !== null) query = query.where('members.account_id', '=', accountId)
      return query.executeTakeFirst()
    },
    list(accountId, { limit, cursor }) {
      let query = selectMembers(database).where('members.account_id', '=', anyOf(accountId))
      if (cursor !== undefined) query = query.where('members.member_id', '<', cursor)
      return query
        .orderBy('members.account_id')
        .orderBy('members.member_id', 'desc')
        .limit(limit + 1)
        .execute()
    },
    async change(tx, memberId, changes) {
      await tx.updateTable('members').set(changes).where('member_id', '=', memberId).execute()
    },
    async setLive(tx, { member_id, account_id, name, live_key_id }, isLive) {
      if (live_key_id === null) {
        if (isLive) await insertKey(tx, { memberId: member_id, accountId: account_id, name, livemode: true })
        return
      }
      await tx
        .updateTable('api_keys')
        .set({ revoked_at: isLive ? null : now() })
        .where('key_id', '=', live_key_id)
        .execute()
    },
    async revokeKeys(tx, memberId) {
      await tx
        .updateTable('api_keys')
        .set({ revoked_at: now() })
        .where('member_id', '=', memberId)
        .where('revoked_at', 'is', null)
        .execute()
    },
    async invite(tx, memberId) {
      const invitation = createSecret()
      await tx
        .updateTable('members')
        .set({
          invitation_hash: hashOf(invitation),
          invitation_expires_at: new Date(clock.nowMs() + LIMITS.invitationDays * DAY_MS),
        })
        .where('member_id', '=', memberId)
        .execute()
      return invitation
    },
    findInvited: (from, invitation) =>
      selectMembers(from)
        .where('invitation_hash', '=', hashOf(invitation))
        .where('invitation_expires_at', '>', now())
        .where('removed_at', 'is', null)
        .executeTakeFirst(),
  }
}
