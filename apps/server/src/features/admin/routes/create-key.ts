import { type Contract, LIMITS } from '@vaani/contracts'
import type { Tx } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sql } from 'kysely'
import { createApiKey } from '../../../tenancy/api-key.ts'
import { chooseTenant } from '../../../tenancy/choose-tenant.ts'
import { insertKey } from '../../../tenancy/key-rows.ts'
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
      await requireRoom(tx, { accountId, livemode })
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

/** Refuses a key over the limit. Locks the account, so the limit is exact under concurrent requests. */
async function requireRoom(tx: Tx, { accountId, livemode }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 3))`.execute(tx)
  const { keys } = await tx
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('revoked_at', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('keys'))
    .executeTakeFirstOrThrow()
  if (Number(keys) >= LIMITS.keysPerAccount)
    throw new ApiError(
      'state_conflict',
      `The account already has ${LIMITS.keysPerAccount} keys, which is the maximum`,
    )
}
