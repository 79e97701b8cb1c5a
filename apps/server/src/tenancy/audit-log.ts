import type { Id } from '@vaani/contracts'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { Insertable } from 'kysely'
import type { AuditLogTable } from './tables.ts'

/**
 * Adds an entry to the audit log. For a change, it must run in the transaction of the change, so that neither exists without
 * the other.
 */
export async function writeAudit(
  tx: Db,
  makeId: IdMaker,
  entry: Omit<Insertable<AuditLogTable>, 'entry_id'>,
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({ ...entry, entry_id: makeId('audit') })
    .execute()
}

/** Lists entries of a tenant with the names of who did it, the newest first. Returns one row more than the limit if there are more. */
export function listAuditRows(
  database: Db,
  { accountId, livemode }: Tenant,
  page: { cursor: Id<'audit'> | undefined; limit: number; objectId: string | undefined },
) {
  const { cursor, limit, objectId } = page
  let query = database
    .selectFrom('audit_log')
    .leftJoin('api_keys', 'api_keys.key_id', 'audit_log.actor')
    .leftJoin('members', 'members.member_id', 'api_keys.member_id')
    .where('audit_log.account_id', '=', anyOf(accountId))
    .where('audit_log.livemode', '=', livemode)
    .select([
      'entry_id',
      'action',
      'actor',
      'object_id',
      'happened_at',
      'api_keys.key_id as actor_key_id',
      'api_keys.name as key_name',
      'members.name as member_name',
    ])
  if (objectId !== undefined) query = query.where('object_id', '=', objectId)
  if (cursor !== undefined) query = query.where('entry_id', '<', cursor)
  return query
    .orderBy('audit_log.account_id')
    .orderBy('entry_id', 'desc')
    .limit(limit + 1)
    .execute()
}

export type AuditRow = Awaited<ReturnType<typeof listAuditRows>>[number]
