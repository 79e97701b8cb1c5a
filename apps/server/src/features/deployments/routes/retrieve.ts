import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { DeploymentsContext } from '../context.ts'
import { notFound, toDeployment } from '../view.ts'

/** GET /enterprise/deploy/{deployment_id} */
export function retrieveDeployment({
  store,
}: Pick<DeploymentsContext, 'store'>): Handler<Contract['deployments']['retrieve']> {
  return async ({ params, request }) => {
    const row = await store.find(principalOf(request), params.deployment_id)
    if (row === undefined) throw notFound()
    return { status: 200, body: toDeployment(row) }
  }
}
