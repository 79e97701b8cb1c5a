import type { AppContext } from '../context.ts'
import { ApiError } from '../http/api-error.ts'
import type { Principal } from './authenticator.ts'

/** Which account an admin request is for: another than the key's own only for an operator, and only if it exists. */
export async function chooseAccount(
  context: AppContext,
  principal: Principal,
  accountId: string | undefined,
): Promise<string> {
  if (accountId === undefined || accountId === principal.accountId) return principal.accountId
  const found = principal.operator
    ? await context.database
        .selectFrom('accounts')
        .where('account_id', '=', accountId)
        .select('account_id')
        .executeTakeFirst()
    : undefined
  if (found === undefined)
    throw new ApiError('not_found', 'account_id: there is no such account', { param: 'account_id' })
  return found.account_id
}

export function requireOperator(principal: Principal): void {
  if (!principal.operator) throw new ApiError('forbidden', 'Only an operator’s key may do this')
}
