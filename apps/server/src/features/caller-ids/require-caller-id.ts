import type { OwnCallerId } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { CallerIdsContext } from './context.ts'
import { toPending, toVerified } from './view.ts'

/** @throws ApiError `not_found`, also if the caller id belongs to another account or mode */
export async function requireCallerId(
  { store, verified, clock }: Pick<CallerIdsContext, 'store' | 'verified' | 'clock'>,
  tenant: Tenant,
  callerIdId: string,
): Promise<OwnCallerId> {
  const pending = await store.find(tenant, callerIdId)
  if (pending !== undefined) return toPending(pending, clock.nowMs())
  const row = await verified.find(tenant, callerIdId)
  if (row !== undefined) return toVerified(row)
  throw noSuchCallerId()
}

export const noSuchCallerId = (): ApiError =>
  new ApiError('not_found', 'There is no such caller id in this account')
