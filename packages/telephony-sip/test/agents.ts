import { buildRequest, buildResponse } from '../src/message/build.ts'
import type { SipRequest } from '../src/message/message.ts'
import { createTransactions } from '../src/transaction/create-transactions.ts'
import type { TransactionFailure, Transactions } from '../src/transaction/transactions.ts'
import type { Peer, Transport } from '../src/transport/flow.ts'
import { openTransport, type TransportOptions } from '../src/transport/open-transport.ts'
import { createManualClock } from './manual-clock.ts'

export const optionsRequest: SipRequest = buildRequest({
  method: 'OPTIONS',
  uri: 'sip:trunk.example',
  from: { uri: 'sip:us@trunk.example', parameters: [['tag', 'ours']] },
  to: { uri: 'sip:trunk.example', parameters: [] },
  callId: 'a',
  sequence: 1,
})

/** Opens sockets and transactions that answer every request with 200, on a clock that stands still unless a test advances it. */
export async function openAgent(given: Omit<TransportOptions, 'clock'>, clock = createManualClock()) {
  const transport = await openTransport({ clock, ...given })
  const transactions = createTransactions({ transport, clock })
  const answer = (request: SipRequest) => buildResponse(request, { status: 200, toTag: 'theirs' })
  transactions.onRequest(({ request, respond }) => respond(answer(request)))
  const close = async () => {
    transactions.close()
    await transport.close()
  }
  return { transport, transactions, answer, [Symbol.asyncDispose]: close }
}

/** Sends a request, and resolves with the status of its response, or with why there is none. */
export const ask = (
  transactions: Transactions,
  peer: Peer,
  request = optionsRequest,
): Promise<number | TransactionFailure> =>
  new Promise((resolve) => {
    transactions.request(request, peer, {
      onProvisional: () => {},
      onFinal: ({ status }) => resolve(status),
      onFailure: resolve,
    })
  })

export const peerOf = (transport: Transport, name: Peer['transport'], address = '127.0.0.1'): Peer => ({
  transport: name,
  address,
  port: transport.localAddress(name).port,
})
