import { BlockList, isIPv6 } from 'node:net'
import { IncomingCall } from '../dialog/incoming-call.ts'
import type { Line } from '../dialog/line.ts'
import { respond } from '../dialog/respond.ts'
import { headerOf, type SipRequest } from '../message/message.ts'
import { tagOf } from '../message/name-addr.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'
import type { IncomingListener, Trunk } from './user-agent.ts'

/** Calls that may ring or talk at once: beyond it, callers hear that it is busy. */
const MAX_CALLS = 1000

export interface IncomingCallsOptions {
  readonly line: Line
  /** The calls of the agent by Call-ID, to which those that come in are added. */
  readonly calls: Map<string, { take(transaction: ServerTransaction): boolean }>
  readonly settle: (callId: string) => void
  /** Returns whether calls are taken from a peer. */
  readonly knows: (peer: Peer) => boolean
}

const isWithinDialog = (request: SipRequest): boolean => tagOf(headerOf(request, 'to') ?? '') !== undefined

/** Returns whether a request begins a call. */
export const isNewInvite = (request: SipRequest): boolean =>
  request.method === 'INVITE' && !isWithinDialog(request)

/** Takes the calls that come in on a trunk, and tells strangers nothing of ourselves. */
export class IncomingCalls {
  readonly #options: IncomingCallsOptions
  readonly #ringing = new Map<ServerTransaction, IncomingCall>()
  #listener: IncomingListener | undefined

  constructor(options: IncomingCallsOptions) {
    this.#options = options
  }

  listen(listener: IncomingListener): void {
    this.#listener = listener
  }

  /** Returns the status that refuses a request outside of our calls; undefined for a call to take. */
  judge(request: SipRequest, from: Peer): number | undefined {
    if (isWithinDialog(request)) return 481
    const { line, calls, knows } = this.#options
    switch (request.method) {
      case 'INVITE':
        if (!this.#listener || !knows(from)) return 403
        return calls.size < MAX_CALLS ? undefined : 486
      case 'OPTIONS':
        return line.isTrunk(from) ? 200 : 403
      case 'CANCEL':
        // Its INVITE is a transaction that we have, or else it has ended.
        return this.#ringing.size > 0 && knows(from) ? undefined : 481
      case 'BYE':
      case 'PRACK':
      case 'UPDATE':
        return 481
      default:
        return 405
    }
  }

  /** Takes a new INVITE. */
  take(invite: ServerTransaction): void {
    const { line, calls, settle } = this.#options
    const callId = headerOf(invite.request, 'call-id') ?? ''
    // The same call by another way, such as from a proxy that forks (RFC 3261, 8.2.2.2).
    if (calls.has(callId)) return respond(invite, 482, { toTag: line.randomHex(8) })
    const call: IncomingCall = new IncomingCall({
      line,
      invite,
      onGone: () => this.#listener?.onGone(call),
      onSettled: () => {
        this.#ringing.delete(invite)
        settle(callId)
      },
    })
    calls.set(callId, call)
    this.#ringing.set(invite, call)
    if (call.ring()) this.#listener?.onCall(call)
  }

  /** Takes the CANCEL of an INVITE. Returns false if it is not known. */
  cancel(invite: ServerTransaction): boolean {
    const call = this.#ringing.get(invite)
    call?.cancel()
    return call !== undefined
  }
}

/**
 * Returns who may call us: the addresses of the trunk's host, and those that it names.
 *
 * @throws TypeError if one of them is none
 */
export function createSources({ inbound }: Trunk, line: Pick<Line, 'isTrunk'>): (peer: Peer) => boolean {
  if (!inbound) return () => false
  const known = new BlockList()
  for (const source of inbound.from ?? []) {
    const [address = '', bits] = source.split('/', 2)
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) known.addAddress(address, family)
    else known.addSubnet(address, Number(bits), family)
  }
  return (peer) => line.isTrunk(peer) || known.check(peer.address, isIPv6(peer.address) ? 'ipv6' : 'ipv4')
}
