import type { Id, MemberRole, Scope } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type Selectable, sql } from 'kysely'
import { hashApiKey, isLivemode, keyHint } from './api-key.ts'
import { writeAudit } from './audit-log.ts'
import type { AccountTable, ApiKeyTable } from './tables.ts'

export type KeyRow = Selectable<ApiKeyTable>

/** Inserts a key and its audit entry. Only the digest is stored, never the key itself. */
export async function insertKey(options: {
  tx: Tx
  clock: Clock
  makeId: IdMaker
  key: string
  /** By default that of the key's prefix. */
  livemode?: boolean
  /** By default the start of the key. */
  hint?: string
  accountId: Id<'account'>
  name: string
  scopes: readonly Scope[]
  /** Creator of the key, for the audit log: the id of a key, or a person at the machine. */
  actor: string
}): Promise<KeyRow> {
  const { tx, clock, makeId, key, accountId, name, scopes, actor } = options
  const { livemode = isLivemode(key), hint = keyHint(key) } = options
  const now = new Date(clock.nowMs())
  const row = await tx
    .insertInto('api_keys')
    .values({
      key_id: makeId('key'),
      account_id: accountId,
      name,
      hash: hashApiKey(key),
      hint,
      scopes: [...new Set(scopes)],
      livemode,
      created_at: now,
      revoked_at: null,
      member_id: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeAudit(tx, makeId, {
    happened_at: now,
    action: 'key.created',
    actor,
    account_id: accountId,
    livemode,
    key_id: row.key_id,
    object_id: row.key_id,
  })
  return row
}

/** Lists the keys of a tenant that somebody holds, revoked ones included, the newest first. */
export function listKeyRows(
  database: Db,
  { accountId, livemode }: Tenant,
  { cursor, limit }: { cursor: Id<'key'> | undefined; limit: number },
): Promise<KeyRow[]> {
  let query = database
    .selectFrom('api_keys')
    .where('account_id', '=', anyOf(accountId))
    .where('livemode', '=', livemode)
    .where('member_id', 'is', null)
    .selectAll()
  if (cursor !== undefined) query = query.where('key_id', '<', cursor)
  return query.orderBy('account_id').orderBy('key_id', 'desc').limit(limit).execute()
}

/** Locks the keys of an account, so that a limit is exact under concurrent requests. */
export async function lockKeys(tx: Tx, accountId: Id<'account'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 3))`.execute(tx)
}

/** Counts the keys of a tenant that work and that somebody holds. */
export async function countKeys(database: Db, { accountId, livemode }: Tenant): Promise<number> {
  const { keys } = await database
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('revoked_at', 'is', null)
    .where('member_id', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('keys'))
    .executeTakeFirstOrThrow()
  return Number(keys)
}

export async function hasLiveKey(database: Db, accountId: Id<'account'>): Promise<boolean> {
  const live = await database
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('livemode', '=', true)
    .where('revoked_at', 'is', null)
    .select('key_id')
    .limit(1)
    .executeTakeFirst()
  return live !== undefined
}

export const revokeKeyRow = (tx: Tx, keyId: Id<'key'>, now: Date): Promise<KeyRow> =>
  tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('key_id', '=', keyId)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Makes a key that may have been revoked work again. @returns its id; undefined if there is no such key */
export async function restoreKey(tx: Tx, key: string): Promise<Id<'key'> | undefined> {
  const row = await tx
    .updateTable('api_keys')
    .set({ revoked_at: null })
    .where('hash', '=', hashApiKey(key))
    .returning('key_id')
    .executeTakeFirst()
  return row?.key_id
}

/** A key with what its account may do, and the member for whom it stands, if any. */
export type KeyOfCaller = Pick<KeyRow, 'key_id' | 'account_id' | 'scopes' | 'livemode' | 'member_id'> &
  Pick<Selectable<AccountTable>, 'tier' | 'operator' | 'rate_overrides'> & {
    member_name: string | null
    role: MemberRole | null
  }

/** Selects keys that work, with what their accounts may do, and their members. */
export const selectKeysOfCallers = (database: Db) =>
  database
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
    .leftJoin('members', 'members.member_id', 'api_keys.member_id')
    .where('revoked_at', 'is', null)
    .select([
      'api_keys.key_id',
      'api_keys.account_id',
      'scopes',
      'tier',
      'operator',
      'api_keys.livemode',
      'rate_overrides',
      'api_keys.member_id',
      'members.name as member_name',
      'role',
    ])

/** Finds the working key with a digest. */
export const findKey = (database: Db, hash: Buffer): Promise<KeyOfCaller | undefined> =>
  selectKeysOfCallers(database).where('hash', '=', hash).executeTakeFirst()
