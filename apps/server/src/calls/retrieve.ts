import type { Contract } from '@vaani/contracts'
import type { AppContext } from '../context.ts'
import { ApiError } from '../http/api-error.ts'
import { principalOf } from '../http/authorize.ts'
import type { Handler } from '../http/ts-rest.ts'
import { type CallRow, toCall } from './view.ts'

/** A call of the account; an unknown id and another account's id are the same 404. */
export async function requireCall(context: AppContext, accountId: string, callId: string): Promise<CallRow> {
  const row = await context.calls.find(accountId, callId)
  if (row === undefined) throw new ApiError('call_not_found', 'There is no such call in this account')
  return row
}

/** GET /agent/calls/{call_id} */
export function retrieveCall(context: AppContext): Handler<Contract['calls']['retrieve']> {
  return async ({ params, request }) => ({
    status: 200,
    body: toCall(await requireCall(context, principalOf(request).accountId, params.call_id)),
  })
}
