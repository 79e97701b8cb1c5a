import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallsContext } from '../context.ts'
import { toCall } from '../view.ts'

/** GET /agent/calls */
export function listCalls(context: CallsContext): Handler<Contract['calls']['list']> {
  return async ({ query, request }) => {
    const { limit, cursor, status } = query
    const rows = await context.calls.list({
      tenant: principalOf(request),
      limit: limit + 1,
      ...(cursor !== undefined && { cursor }),
      ...(status !== undefined && { status }),
    })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.call_id, view: toCall }) }
  }
}
