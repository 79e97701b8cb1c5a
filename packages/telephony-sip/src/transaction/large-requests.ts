import type { Clock } from '../clock.ts'
import type { SipRequest } from '../message/message.ts'
import { serializeMessage, SipSerializeError } from '../message/serialize-message.ts'
import type { Peer } from '../transport/flow.ts'

/** A longer request may not fit into one packet of a path whose MTU is not known (RFC 3261, section 18.1.1). */
export const MAX_DATAGRAM_REQUEST_BYTES = 1300

/** How long a peer that refused TCP is not tried again. A firewall that drops packets costs each try 5 seconds. */
const REFUSED_FOR_MS = 600_000
const MAX_REFUSALS = 64

/** Chooses TCP for requests that are too large for UDP (RFC 3261, section 18.1.1), unless the peer has refused it lately. */
export class LargeRequests {
  readonly #clock: Clock
  readonly #refusedUntilMs = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the same peer over TCP if a request has to take that way. @param request with its Via */
  streamPeerOf(request: SipRequest, peer: Peer): Peer | undefined {
    if (peer.transport !== 'udp' || bytesOf(request) <= MAX_DATAGRAM_REQUEST_BYTES) return undefined
    const untilMs = this.#refusedUntilMs.get(keyOf(peer)) ?? 0
    return this.#clock.nowMs() < untilMs ? undefined : { ...peer, transport: 'tcp' }
  }

  /** Notes that a peer has refused TCP. */
  noteRefusal(peer: Peer): void {
    const key = keyOf(peer)
    const [oldest] = this.#refusedUntilMs.keys()
    if (oldest !== undefined && this.#refusedUntilMs.size >= MAX_REFUSALS) this.#refusedUntilMs.delete(oldest)
    this.#refusedUntilMs.set(key, this.#clock.nowMs() + REFUSED_FOR_MS)
  }
}

const keyOf = ({ address, port }: Peer): string => `${address} ${port}`

/** Returns 0 for a request that cannot be written: it fails when it is sent. */
function bytesOf(request: SipRequest): number {
  try {
    return serializeMessage(request).length
  } catch (error) {
    if (error instanceof SipSerializeError) return 0
    throw error
  }
}
