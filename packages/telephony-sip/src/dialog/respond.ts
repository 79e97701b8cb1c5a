import { buildResponse } from '../message/build.ts'
import type { Headers } from '../message/message.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'

/** Responds to a request within a dialog, whose To has our tag. */
export function respond(
  transaction: ServerTransaction,
  status: number,
  parts: { readonly headers?: Headers; readonly body?: Uint8Array } = {},
): void {
  transaction.respond(buildResponse(transaction.request, { status, ...parts }))
}
