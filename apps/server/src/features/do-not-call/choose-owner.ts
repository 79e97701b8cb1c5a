import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Principal } from '@vaani/service-kit/http/principal'
import { requireOperator } from '../../tenancy/choose-tenant.ts'
import { hasLiveKey } from '../../tenancy/key-rows.ts'
import type { DoNotCallContext } from './context.ts'
import type { Owner } from './store.ts'

/** Returns the list that a request acts on. */
export type ChooseOwner = (
  context: Pick<DoNotCallContext, 'database'>,
  principal: Principal,
) => Promise<Owner>

export const ofAccount: ChooseOwner = async (_, { accountId, livemode }) => ({ accountId, livemode })

/** The list of the server holds for live calls too, so a test key must not change or show it once there are live ones. */
export const ofServer: ChooseOwner = async ({ database }, principal) => {
  requireOperator(principal)
  if (!principal.livemode && (await hasLiveKey(database, principal.accountId)))
    throw new ApiError('forbidden', 'Live traffic shares this list; use a live key of the operator')
  return 'server'
}
