import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { buildResponse } from '../message/build.ts'
import { headerOf, type SipRequest } from '../message/message.ts'
import { tagOf } from '../message/name-addr.ts'
import { stampReceived } from '../message/via.ts'
import type { Peer, Transport } from '../transport/flow.ts'
import { ackKeyOf, serverKeyOf } from './matching.ts'
import { responsePeerOf } from '../transport/response-peer.ts'
import { type RunningServer, runServer } from './run-server.ts'
import { serverInviteMachine } from './server-invite-machine.ts'
import { serverRequestMachine } from './server-request-machine.ts'
import type { ServerTransaction } from './transactions.ts'

/** What the user of the layer hears of requests. Without a receiver, requests are ignored. */
export interface RequestReceivers {
  stranger?: (request: SipRequest, from: Peer) => number | undefined
  request?: (transaction: ServerTransaction) => void
  cancel?: (invite: ServerTransaction) => void
  acknowledge?: (ack: SipRequest, from: Peer) => void
}

interface Parts {
  readonly transport: Transport
  readonly clock: Clock
  /** Beyond so many transactions, requests get 503. */
  readonly limit: number
  readonly receivers: RequestReceivers
}

const createTag = () => randomBytes(8).toString('hex')

/** The server transactions that have not ended. */
export class ServerTransactions {
  readonly #parts: Parts
  readonly #secret = randomBytes(16)
  readonly #running = new Map<string, RunningServer>()
  /** INVITEs by what the ACK of their 2xx has in common with them: it has a branch of its own. */
  readonly #invites = new Map<string, RunningServer>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  receive(received: SipRequest, from: Peer): void {
    const request = { ...received, headers: stampReceived(received.headers, from) }
    if (request.method === 'ACK') return this.#acknowledge(request, from)
    const known = this.#running.get(serverKeyOf(request))
    if (known !== undefined) return known.repeat()
    const { limit, receivers } = this.#parts
    const refusal = this.#running.size >= limit ? 503 : receivers.stranger?.(request, from)
    if (refusal !== undefined) return this.#refuse(request, from, refusal)
    if (request.method === 'CANCEL') return this.#cancel(request, from)
    const { request: tell } = receivers
    if (tell !== undefined) tell(this.#start(request, from))
  }

  close(): void {
    for (const server of this.#running.values()) server.end()
  }

  #start(request: SipRequest, from: Peer): RunningServer {
    const key = serverKeyOf(request)
    const ackKey = ackKeyOf(request)
    const isInvite = request.method === 'INVITE'
    const onEnd = () => {
      this.#running.delete(key)
      if (isInvite && this.#invites.get(ackKey) === server) this.#invites.delete(ackKey)
    }
    const parts = { ...this.#parts, request, from, onEnd }
    const server = isInvite ? runServer(serverInviteMachine, parts) : runServer(serverRequestMachine, parts)
    this.#running.set(key, server)
    if (isInvite) this.#invites.set(ackKey, server)
    return server
  }

  /** The ACK of a failure has the branch of its INVITE, and is for nobody else; that of a 2xx is for the dialog. */
  #acknowledge(ack: SipRequest, from: Peer): void {
    const invite = this.#running.get(serverKeyOf(ack, 'INVITE')) ?? this.#invites.get(ackKeyOf(ack))
    invite?.noteAcknowledged()
    const status = invite?.lastResponse()?.status ?? 200
    if (status >= 200 && status < 300) this.#parts.receivers.acknowledge?.(ack, from)
  }

  /** Answers a CANCEL, and passes on the INVITE that it ends (9.2). */
  #cancel(cancel: SipRequest, from: Peer): void {
    const invite = this.#running.get(serverKeyOf(cancel, 'INVITE'))
    const last = invite?.lastResponse()
    const toTag = (last && tagOf(headerOf(last, 'to') ?? '')) ?? createTag()
    const status = invite === undefined ? 481 : 200
    this.#start(cancel, from).respond(buildResponse(cancel, { status, toTag }))
    if (invite !== undefined && (last?.status ?? 100) < 200) this.#parts.receivers.cancel?.(invite)
  }

  /** Responds without a transaction. The tag is the same for a repeated request (8.2.7). */
  #refuse(request: SipRequest, from: Peer, status: number): void {
    const toTag = createHash('sha256').update(this.#secret).update(serverKeyOf(request)).digest('hex')
    const refusal = buildResponse(request, { status, toTag: toTag.slice(0, 16) })
    // Whoever wants the answer asks again.
    this.#parts.transport.send(refusal, responsePeerOf(request, from)).catch(() => {})
  }
}
