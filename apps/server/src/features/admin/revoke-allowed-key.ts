import type { Id } from '@vaani/contracts'
import type { Tx } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Principal } from '@vaani/service-kit/http/principal'
import type { IdMaker } from '@vaani/service-kit/ids'
import { sql } from 'kysely'
import { writeAudit } from '../../tenancy/audit-log.ts'
import { takeOperatorTurn } from '../../tenancy/operator-lock.ts'
import { type KeyRow, revokeKeyRow } from '../../tenancy/key-rows.ts'

/**
 * Revokes a key that the principal may revoke. Revoking again keeps the time of the first revocation.
 *
 * @throws ApiError `not_found`, or `state_conflict` for the last key that can administer the server
 */
export async function revokeAllowedKey(
  tx: Tx,
  { keyId, principal, now, makeId }: { keyId: Id<'key'>; principal: Principal; now: Date; makeId: IdMaker },
): Promise<KeyRow> {
  // Without the lock, two requests that revoke the last two keys concurrently would each see the other key.
  await takeOperatorTurn(tx)
  let find = tx
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
    .where('key_id', '=', keyId)
    .where('livemode', '=', principal.livemode)
    .where('member_id', 'is', null)
  if (!principal.operator) find = find.where('api_keys.account_id', '=', principal.accountId)
  const found = await find.selectAll('api_keys').select('operator').executeTakeFirst()
  if (found === undefined) throw new ApiError('not_found', 'There is no such key in this account')
  const { operator, ...row } = found
  if (row.revoked_at !== null) return row
  if (operator && row.scopes.includes('admin') && !(await canBeReplaced(tx, row)))
    throw new ApiError(
      'state_conflict',
      'This is the last key that can administer the server; create another one first',
    )
  const revoked = await revokeKeyRow(tx, keyId, now)
  await writeAudit(tx, makeId, {
    happened_at: now,
    action: 'key.revoked',
    actor: principal.keyId,
    account_id: row.account_id,
    livemode: row.livemode,
    key_id: keyId,
    object_id: keyId,
  })
  return revoked
}

/** Whether another key of an operator could create such a key again: one of the same mode, or a live one for a test key. */
async function canBeReplaced(tx: Tx, row: KeyRow): Promise<boolean> {
  const other = await tx
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
    .where('operator', '=', true)
    .where('key_id', '!=', row.key_id)
    .where('revoked_at', 'is', null)
    .where('livemode', '>=', row.livemode)
    .where(sql<boolean>`'admin' = any(scopes)`)
    .select('key_id')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
