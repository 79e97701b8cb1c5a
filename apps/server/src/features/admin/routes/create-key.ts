import { type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { createApiKey } from '../../../tenancy/api-key.ts'
import { chooseTenant } from '../../../tenancy/choose-tenant.ts'
import { countKeys, insertKey, lockKeys } from '../../../tenancy/key-rows.ts'
import type { AdminContext } from '../context.ts'
import { toApiKey } from '../key-view.ts'

/** POST /admin/keys */
export function createKey(context: AdminContext): Handler<Contract['admin']['createKey']> {
  return async ({ body, request }) => {
    const { database, clock, makeId } = context
    const principal = principalOf(request)
    const { accountId } = await chooseTenant(context, principal, body.account_id)
    const { livemode = principal.livemode } = body
    if (livemode && !principal.livemode)
      throw new ApiError('forbidden', 'livemode: a test key can only create test keys', { param: 'livemode' })
    const key = createApiKey(livemode)
    const row = await database.transaction().execute(async (tx) => {
      await lockKeys(tx, accountId)
      if ((await countKeys(tx, { accountId, livemode })) >= LIMITS.keysPerAccount)
        throw new ApiError(
          'state_conflict',
          `The account already has ${LIMITS.keysPerAccount} keys, which is the maximum`,
        )
      return insertKey({
        tx,
        clock,
        makeId,
        key,
        accountId,
        name: body.name,
        scopes: body.scopes,
        actor: principal.keyId,
      })
    })
    context.events.record('key_created', { key_id: row.key_id, account_id: accountId })
    return { status: 201, body: { ...toApiKey(row), key } }
  }
}
