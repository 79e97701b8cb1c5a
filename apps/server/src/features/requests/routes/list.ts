import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { RequestsContext } from '../context.ts'
import { toRefusedRequest } from '../view.ts'

/** GET /requests */
export function listRefusedRequests({
  store,
}: Pick<RequestsContext, 'store'>): Handler<Contract['requests']['list']> {
  return async ({ query: { limit, cursor, ...filter }, request }) => {
    const rows = await store.list(principalOf(request), { limit, cursor, ...filter })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.refusal_id, view: toRefusedRequest }) }
  }
}
