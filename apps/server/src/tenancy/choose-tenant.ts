import type { Id } from '@vaani/contracts'
import type { Db } from '@vaani/service-kit/database/connect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Principal } from '@vaani/service-kit/http/principal'
import type { Tenant } from '@vaani/service-kit/tenant'

/** Returns the tenant of an admin request, in the mode of the key. Only an operator may name another account. */
export async function chooseTenant(
  { database }: { database: Db },
  principal: Principal,
  accountId: Id<'account'> | undefined,
): Promise<Tenant> {
  const { livemode } = principal
  if (accountId === undefined || accountId === principal.accountId)
    return { accountId: principal.accountId, livemode }
  const found = principal.operator
    ? await database
        .selectFrom('accounts')
        .where('account_id', '=', accountId)
        .select('account_id')
        .executeTakeFirst()
    : undefined
  if (found === undefined)
    throw new ApiError('not_found', 'account_id: there is no such account', { param: 'account_id' })
  return { accountId: found.account_id, livemode }
}

export function requireOperator(principal: Principal): void {
  if (!principal.operator) throw new ApiError('forbidden', 'This requires a key of an operator')
}
