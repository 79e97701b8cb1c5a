import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { buildCancel } from '../message/build.ts'
import type { SipRequest } from '../message/message.ts'
import { BRANCH_COOKIE, serializeVia } from '../message/via.ts'
import type { Peer, Transport, TransportName } from '../transport/flow.ts'
import { ClientTransactions } from './client-transactions.ts'
import { LargeRequests } from './large-requests.ts'
import { type RequestReceivers, ServerTransactions } from './server-transactions.ts'
import { startWithFallback } from './start-with-fallback.ts'
import type { ClientTransactionUser, Transactions } from './transactions.ts'

/** Enough for some 300 new requests a second, because over UDP each is kept for 32 s. */
const MAX_SERVER_TRANSACTIONS = 10_000

export interface TransactionsOptions {
  /** Its messages are received by the transactions from now on. Their user closes it. */
  readonly transport: Transport
  readonly clock: Clock
  /** Requests beyond so many transactions get 503 and leave no trace. Default 10,000. */
  readonly maxServerTransactions?: number
}

/** Creates the transaction layer on top of a transport. */
export function createTransactions(options: TransactionsOptions): Transactions {
  const { transport, clock, maxServerTransactions: limit = MAX_SERVER_TRANSACTIONS } = options
  const receivers: RequestReceivers = {}
  const clients = new ClientTransactions({ transport, clock })
  const large = new LargeRequests(clock)
  /** ACKs with the Via that they were sent with: a repeated 2xx gets the same one, so that its peer knows it for a repetition. */
  const acks = new WeakMap<SipRequest, SipRequest>()
  const servers = new ServerTransactions({ transport, clock, limit, receivers })
  transport.onMessage((message, from) =>
    message.kind === 'response' ? clients.receive(message) : servers.receive(message, from),
  )
  transport.onPeerFailed((peer) => clients.failPeer(peer))

  /** Adds a Via with a branch that nobody can guess, so that only who sees the request can answer it. */
  function withVia(request: SipRequest, name: TransportName): SipRequest {
    const branch = BRANCH_COOKIE + randomBytes(16).toString('hex')
    const via = serializeVia({
      transport: name.toUpperCase(),
      ...transport.localAddress(name),
      parameters: [
        ['branch', branch],
        ['rport', ''],
      ],
    })
    return { ...request, headers: [['via', via], ...request.headers] }
  }

  const start = (request: SipRequest, peer: Peer, user: ClientTransactionUser) =>
    clients.start(withVia(request, peer.transport), peer, user)

  return {
    request(request, peer, user) {
      const stream = large.streamPeerOf(withVia(request, peer.transport), peer)
      return stream === undefined
        ? start(request, peer, user)
        : startWithFallback(
            { first: stream, second: peer, onFallback: () => large.noteRefusal(peer) },
            user,
            (to, heard) => start(request, to, heard),
          )
    },
    cancel(invite, user) {
      const cancel = clients.start(buildCancel(invite.request), invite.peer, user)
      clients.noteCanceled(invite)
      return cancel
    },
    acknowledge(ack, peer) {
      const sendable = acks.get(ack) ?? withVia(ack, peer.transport)
      acks.set(ack, sendable)
      const send = (to: Peer) => transport.send(to === peer ? sendable : withVia(ack, to.transport), to)
      const stream = large.streamPeerOf(sendable, peer)
      const sent = stream ? send(stream).catch(() => send(peer)) : send(peer)
      // The far end repeats its 2xx, and thereby asks for the ACK again.
      sent.catch(() => {})
    },
    onStranger(judge) {
      receivers.stranger = judge
    },
    onRequest(receive) {
      receivers.request = receive
    },
    onCancel(receive) {
      receivers.cancel = receive
    },
    onAcknowledge(receive) {
      receivers.acknowledge = receive
    },
    close() {
      clients.close()
      servers.close()
    },
  }
}
