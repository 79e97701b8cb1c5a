import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { DeploymentsContext } from '../context.ts'
import { toDeployment } from '../view.ts'

/** GET /enterprise/deploy */
export function listDeployments({
  store,
}: Pick<DeploymentsContext, 'store'>): Handler<Contract['deployments']['list']> {
  return async ({ query: { limit, cursor }, request }) => {
    const rows = await store.list(principalOf(request), { limit, cursor })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.deployment_id, view: toDeployment }) }
  }
}
