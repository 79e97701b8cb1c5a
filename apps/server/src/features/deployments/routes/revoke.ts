import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { DeploymentsContext } from '../context.ts'
import { notFound, toDeployment } from '../view.ts'

/** POST /enterprise/deploy/{deployment_id}/revoke */
export function revokeDeployment({
  store,
  clock,
  events,
}: DeploymentsContext): Handler<Contract['deployments']['revoke']> {
  return async ({ params, request }) => {
    const tenant = principalOf(request)
    const revoked = await store.revoke(tenant, params.deployment_id, new Date(clock.nowMs()))
    if (revoked === undefined) throw notFound()
    if (revoked.isNew)
      events.record('deployment_revoked', {
        deployment_id: revoked.row.deployment_id,
        account_id: tenant.accountId,
      })
    return { status: 200, body: toDeployment(revoked.row) }
  }
}
