import { buildResponse, type ResponseParts } from '../message/build.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'

/** Responds to a request within a dialog, whose To has our tag, or to the INVITE that begins one, with `toTag`. */
export function respond(
  transaction: ServerTransaction,
  status: number,
  parts: Pick<ResponseParts, 'headers' | 'body' | 'toTag'> = {},
): void {
  transaction.respond(buildResponse(transaction.request, { status, ...parts }))
}
