import type { Clock } from '../clock.ts'
import { headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import { isSamePeer, type Peer, type Transport } from '../transport/flow.ts'
import { clientInviteMachine } from './client-invite-machine.ts'
import { clientRequestMachine } from './client-request-machine.ts'
import { clientKeyOf } from './matching.ts'
import { type RunningClient, runClient } from './run-client.ts'
import type { ClientTransaction, ClientTransactionUser } from './transactions.ts'

/** The client transactions that have not ended, by what their responses have in common with them. */
export class ClientTransactions {
  readonly #parts: { readonly transport: Transport; readonly clock: Clock }
  readonly #running = new Map<string, RunningClient>()

  constructor(parts: { readonly transport: Transport; readonly clock: Clock }) {
    this.#parts = parts
  }

  /** @param request with its Via */
  start(request: SipRequest, peer: Peer, user: ClientTransactionUser): RunningClient {
    const key = clientKeyOf(request)
    const parts = { ...this.#parts, request, peer, user, onEnd: () => this.#running.delete(key) }
    const client =
      request.method === 'INVITE'
        ? runClient(clientInviteMachine, parts)
        : runClient(clientRequestMachine, parts)
    this.#running.set(key, client)
    return client
  }

  /** Bounds the time that an INVITE waits from now on, because its CANCEL was sent. */
  noteCanceled(invite: ClientTransaction): void {
    this.#running.get(clientKeyOf(invite.request))?.noteCanceled()
  }

  /** Ignores a response that belongs to no transaction, or that has taken a wrong way (8.1.3.3). */
  receive(response: SipResponse): void {
    if (headersOf(response, 'via').length === 1) this.#running.get(clientKeyOf(response))?.receive(response)
  }

  failPeer(peer: Peer): void {
    // Listed first, because a user may try again at once.
    const failed = [...this.#running.values()].filter((client) => isSamePeer(client.peer, peer))
    for (const client of failed) client.failTransport()
  }

  close(): void {
    for (const client of this.#running.values()) client.abandon()
  }
}
