import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { AdminContext } from '../context.ts'
import { toApiKey } from '../key-view.ts'
import { revokeAllowedKey } from '../revoke-allowed-key.ts'

/** DELETE /admin/keys/{key_id} */
export function revokeKey(context: AdminContext): Handler<Contract['admin']['revokeKey']> {
  return async ({ params, request }) => {
    const principal = principalOf(request)
    const { clock, database, makeId } = context
    const now = new Date(clock.nowMs())
    const row = await database
      .transaction()
      .execute((tx) => revokeAllowedKey(tx, { keyId: params.key_id, principal, now, makeId }))
    context.authenticator.forgetAccount(row.account_id)
    context.events.record('key_revoked', { key_id: row.key_id, account_id: row.account_id })
    return { status: 200, body: toApiKey(row) }
  }
}
