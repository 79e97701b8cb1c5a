import { type Id, LIMITS, type MemberRole } from '@vaani/contracts'
import { randomBytes } from 'node:crypto'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { type Updateable, sql } from 'kysely'
import { createSecret, hashOf } from './secrets.ts'
import type { MemberTable } from './tables.ts'

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

/** Inserts a member with a key of each mode in which they may work. Nobody holds these keys: no secret has their digests. */
export async function insertMember(
  tx: Tx,
  options: {
    makeId: IdMaker
    now: Date
    accountId: Id<'account'>
    name: string
    role: MemberRole
    livemode: boolean
  },
): Promise<Id<'member'>> {
  const { makeId, now, accountId, name, role, livemode } = options
  const member_id = makeId('member')
  const member = { member_id, account_id: accountId, name }
  await tx
    .insertInto('members')
    .values({ ...member, role, created_at: now })
    .execute()
  await insertKeyOfMember(tx, { makeId, now, member, livemode: false })
  if (livemode) await insertKeyOfMember(tx, { makeId, now, member, livemode })
  return member_id
}

async function insertKeyOfMember(
  tx: Tx,
  {
    makeId,
    now,
    member: { member_id, account_id, name },
    livemode,
  }: {
    makeId: IdMaker
    now: Date
    member: Pick<MemberRow, 'member_id' | 'account_id' | 'name'>
    livemode: boolean
  },
): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({
      key_id: makeId('key'),
      account_id,
      member_id,
      name,
      hash: randomBytes(32),
      hint: '',
      scopes: [],
      livemode,
      created_at: now,
      revoked_at: null,
    })
    .execute()
}

/** Locks the members of an account, so that a limit is exact under concurrent requests. */
export async function lockMembers(tx: Tx, accountId: Id<'account'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 4))`.execute(tx)
}

/** Counts the members that were not removed. */
export async function countMembers(database: Db, accountId: Id<'account'>): Promise<number> {
  const { members } = await database
    .selectFrom('members')
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('members'))
    .executeTakeFirstOrThrow()
  return Number(members)
}

export const findMember = (database: Db, memberId: Id<'member'>): Promise<MemberRow | undefined> =>
  selectMembers(database).where('members.member_id', '=', memberId).executeTakeFirst()

/** Finds a member, and keeps others from changing it until the end of the transaction. */
export const lockMember = (tx: Tx, memberId: Id<'member'>): Promise<MemberRow | undefined> =>
  selectMembers(tx).where('members.member_id', '=', memberId).forUpdate('members').executeTakeFirst()

/** Lists the members of an account, the newest first, removed ones included. Returns one row more than the limit if there are more. */
export function listMemberRows(
  database: Db,
  accountId: Id<'account'>,
  { cursor, limit }: { cursor: Id<'member'> | undefined; limit: number },
): Promise<MemberRow[]> {
  let query = selectMembers(database).where('members.account_id', '=', anyOf(accountId))
  if (cursor !== undefined) query = query.where('members.member_id', '<', cursor)
  return query
    .orderBy('members.account_id')
    .orderBy('members.member_id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function updateMemberRow(
  database: Db,
  memberId: Id<'member'>,
  changes: Updateable<MemberTable>,
): Promise<void> {
  await database.updateTable('members').set(changes).where('member_id', '=', memberId).execute()
}

/** Lets a member work in live mode, or ends it. The key stays the same, because it names the member. */
export async function setLive(
  tx: Tx,
  { member, isLive, ...made }: { member: MemberRow; isLive: boolean; makeId: IdMaker; now: Date },
): Promise<void> {
  if (member.live_key_id !== null)
    await tx
      .updateTable('api_keys')
      .set({ revoked_at: isLive ? null : made.now })
      .where('key_id', '=', member.live_key_id)
      .execute()
  else if (isLive) await insertKeyOfMember(tx, { ...made, member, livemode: true })
}

/** Ends the keys of a member. */
export async function revokeKeysOfMember(tx: Tx, memberId: Id<'member'>, now: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('member_id', '=', memberId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Replaces the invitation of a member, and returns the secret of the new one. */
export async function replaceInvitation(tx: Tx, memberId: Id<'member'>, now: Date): Promise<string> {
  const invitation = createSecret()
  await updateMemberRow(tx, memberId, {
    invitation_hash: hashOf(invitation),
    invitation_expires_at: new Date(now.getTime() + LIMITS.invitationDays * DAY_MS),
  })
  return invitation
}

/** Finds the member that an open invitation is for. */
export const findInvited = (database: Db, invitation: string, now: Date): Promise<MemberRow | undefined> =>
  selectMembers(database)
    .where('invitation_hash', '=', hashOf(invitation))
    .where('invitation_expires_at', '>', now)
    .where('removed_at', 'is', null)
    .executeTakeFirst()

/** Finds the member whom an OpenID provider names. */
export const findByOidc = (database: Db, issuer: string, subject: string): Promise<MemberRow | undefined> =>
  selectMembers(database)
    .where('oidc_issuer', '=', issuer)
    .where('oidc_subject', '=', subject)
    .executeTakeFirst()
