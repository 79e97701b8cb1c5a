import { randomBytes } from 'node:crypto'
import type {
  LineCall,
  LineCallEnd,
  LineCallListener,
  LineCallRequest,
  UserAgent,
} from '../../src/agent/user-agent.ts'
import { systemClock } from '../../src/clock.ts'
import type { OpenAgent } from '../../src/line/run-line-worker.ts'
import { buildRequest, buildResponse, type RequestParts } from '../../src/message/build.ts'
import { headerOf } from '../../src/message/message.ts'
import type { SipResponse } from '../../src/message/message.ts'
import { parseNameAddr } from '../../src/message/name-addr.ts'
import { readAnswer } from '../../src/sdp/offer-answer.ts'
import { parseAudio } from '../../src/sdp/parse-audio.ts'
import { writeAudio } from '../../src/sdp/write-audio.ts'
import { createTransactions } from '../../src/transaction/create-transactions.ts'
import type { ClientTransaction, Transactions } from '../../src/transaction/transactions.ts'
import type { Peer } from '../../src/transport/flow.ts'
import { openTransport } from '../../src/transport/open-transport.ts'

type Parts = Omit<RequestParts, 'method' | 'sequence'>

const ignore = () => {}
const NO_USER = { onProvisional: ignore, onFinal: ignore, onFailure: ignore }
const ENDS: Readonly<Record<number, LineCallEnd['outcome']>> = {
  404: 'unreachable',
  486: 'busy',
  603: 'rejected',
}

/** A call to a well-behaved peer over a network without losses: just enough to try what lies above a user agent. */
class PlainCall implements LineCall {
  readonly #transactions: Transactions
  readonly #peer: Peer
  readonly #request: LineCallRequest
  readonly #listener: LineCallListener
  readonly #invite: ClientTransaction
  #state: 'calling' | 'ringing' | 'answered' | 'ended' = 'calling'
  #parts: Parts
  #canceled: LineCallEnd | undefined
  #stopRinging = ignore

  constructor(options: {
    readonly transactions: Transactions
    readonly peer: Peer
    readonly parts: Parts
    readonly request: LineCallRequest
    readonly listener: LineCallListener
  }) {
    this.#transactions = options.transactions
    this.#peer = options.peer
    this.#request = options.request
    this.#listener = options.listener
    this.#parts = options.parts
    const body = new TextEncoder().encode(writeAudio(options.request.offer, { sessionId: 1, version: 1 }))
    const headers = [['content-type', 'application/sdp']] as const
    const invite = buildRequest({ ...this.#parts, method: 'INVITE', sequence: 1, headers, body })
    this.#invite = this.#transactions.request(invite, this.#peer, {
      onProvisional: ({ status }) => this.#provisional(status),
      onFinal: (response) => this.#final(response),
      onFailure: () => this.end({ outcome: 'unreachable', endedBy: 'carrier' }),
    })
    this.#stopRinging = systemClock.after(options.request.ringTimeoutMs, () =>
      this.#cancel({ outcome: 'no_answer', endedBy: 'agent' }),
    )
  }

  get callId(): string {
    return this.#parts.callId
  }

  hangUp(): void {
    if (this.#state !== 'answered') return this.#cancel({ outcome: 'canceled', endedBy: 'agent' })
    this.#transactions.request(
      buildRequest({ ...this.#parts, method: 'BYE', sequence: 2 }),
      this.#peer,
      NO_USER,
    )
    this.end({ outcome: 'completed', endedBy: 'agent' })
  }

  setHold(): Promise<boolean> {
    return Promise.resolve(false)
  }

  end(end: LineCallEnd): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#stopRinging()
    this.#listener.onEnded(end)
  }

  #cancel(end: LineCallEnd): void {
    this.#canceled ??= end
    if (this.#state === 'ringing') this.#transactions.cancel(this.#invite, NO_USER)
  }

  #provisional(status: number): void {
    const isFirst = this.#state === 'calling'
    this.#state = 'ringing'
    if (isFirst && this.#canceled) this.#cancel(this.#canceled)
    if (status === 180) this.#listener.onRinging()
  }

  #final(response: SipResponse): void {
    const { status } = response
    if (status >= 300) {
      const end = { outcome: ENDS[status] ?? 'carrier_error', endedBy: 'callee' } as const
      return this.end({ ...(this.#canceled ?? end), sipStatus: status })
    }
    const to = parseNameAddr(headerOf(response, 'to') ?? '')
    const { uri } = parseNameAddr(headerOf(response, 'contact') ?? '')
    this.#parts = { ...this.#parts, to, uri }
    this.#transactions.acknowledge(buildRequest({ ...this.#parts, method: 'ACK', sequence: 1 }), this.#peer)
    this.#stopRinging()
    this.#state = 'answered'
    this.#listener.onMedia(
      readAnswer(this.#request.offer, parseAudio(new TextDecoder().decode(response.body))),
    )
    this.#listener.onAnswered()
    if (this.#canceled) this.hangUp()
  }
}

/** Opens an agent without rules: no digest, no timers of sessions, no re-INVITE. */
export const openPlainAgent: OpenAgent = async ({ trunk }, localAddress): Promise<UserAgent> => {
  const clock = systemClock
  const transport = await openTransport({ clock, address: localAddress, udp: { port: 0 } })
  const transactions = createTransactions({ transport, clock })
  const { host, port } = transport.localAddress(trunk.transport)
  const peer: Peer = { transport: trunk.transport, address: trunk.host, port: trunk.port ?? 5060 }
  const calls = new Map<string, PlainCall>()
  transactions.onRequest((transaction) => {
    const call = calls.get(headerOf(transaction.request, 'call-id') ?? '')
    transaction.respond(buildResponse(transaction.request, { status: 200 }))
    if (transaction.request.method !== 'BYE') return
    const isDrop = headerOf(transaction.request, 'reason') !== undefined
    call?.end(
      isDrop ? { outcome: 'carrier_error', endedBy: 'carrier' } : { outcome: 'completed', endedBy: 'callee' },
    )
  })
  return {
    call(request, listener) {
      const parts: Parts = {
        uri: `sip:${request.to}@${peer.address}:${peer.port}`,
        from: { uri: `sip:${host}`, parameters: [['tag', randomBytes(4).toString('hex')]] },
        to: { uri: `sip:${request.to}@${peer.address}`, parameters: [] },
        callId: randomBytes(8).toString('hex'),
        contact: { uri: `sip:${host}:${port}`, parameters: [] },
      }
      const call = new PlainCall({ transactions, peer, parts, request, listener })
      calls.set(call.callId, call)
      return call
    },
    health: () => ({ state: 'unknown', sinceMs: 0 }),
    async close() {
      transactions.close()
      await transport.close()
    },
  }
}
