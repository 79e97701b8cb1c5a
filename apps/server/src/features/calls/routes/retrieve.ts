import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { CallsContext } from '../context.ts'
import { type CallRow, toCall } from '../view.ts'

/** Finds a call of the tenant. Unknown ids and those of another account or mode get the same 404. */
export async function requireCall(context: CallsContext, tenant: Tenant, callId: string): Promise<CallRow> {
  const row = await context.calls.find(tenant, callId)
  if (row === undefined) throw new ApiError('call_not_found', 'There is no such call in this account')
  return row
}

/** GET /agent/calls/{call_id} */
export function retrieveCall(context: CallsContext): Handler<Contract['calls']['retrieve']> {
  return async ({ params, request }) => ({
    status: 200,
    body: toCall(await requireCall(context, principalOf(request), params.call_id)),
  })
}
