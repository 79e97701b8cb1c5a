import { isIPv6, SocketAddress } from 'node:net'
import type { RtpPacket } from './rtp-packet.ts'

/** Where a packet comes from or goes to. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** A packet with what is needed to take it later. */
export interface Arrival {
  readonly packet: RtpPacket
  readonly from: Endpoint
  readonly arrivalMs: number
}

/** Packets examined per second until the source is known. A source sends 50. */
const STRANGERS_PER_SECOND = 100
/** Sources that are on trial at a time. */
const MAX_CANDIDATES = 4

const isSame = (one: Endpoint, other: Endpoint): boolean =>
  one.port === other.port && one.address === other.address

/** Returns an address as sockets report it. IPv6 addresses have several forms. */
const canonical = (address: string): string =>
  isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : address

/**
 * Decides whose packets are those of the call. Behind a NAT, media does not come from the address that SDP names, so the
 * first source that looks right is kept: at an address that SDP or the signalling named, with two packets of one stream in a
 * row. From then on all other sources are ignored, so a stranger cannot speak into the call.
 */
export class SourceLatch {
  #allowed: string[] = []
  #expected: Endpoint | undefined
  #latched: Endpoint | undefined
  #candidates: Arrival[] = []
  #budget = STRANGERS_PER_SECOND
  #budgetMs = 0

  /** The source of the call, once it is known. */
  get source(): Endpoint | undefined {
    return this.#latched
  }

  /** Sets where media is expected from. At a new address, the search for the source begins anew. */
  expect({ address, port }: Endpoint, signallingAddress: string | undefined): void {
    const expected = { address: canonical(address), port }
    this.#allowed = [expected.address]
    if (signallingAddress !== undefined) this.#allowed.push(canonical(signallingAddress))
    if (this.#expected !== undefined && isSame(this.#expected, expected)) return
    this.#expected = expected
    this.#latched = undefined
    this.#candidates = []
  }

  /** Returns whether a packet is worth reading: a cheap check of its source, and a limit while the source is unknown. */
  isHeard(from: Endpoint, nowMs: number): boolean {
    if (this.#latched !== undefined) return isSame(this.#latched, from)
    if (!this.#allowed.includes(from.address)) return false
    const passedMs = Math.max(0, nowMs - this.#budgetMs)
    this.#budgetMs = nowMs
    this.#budget = Math.min(STRANGERS_PER_SECOND, this.#budget + (passedMs * STRANGERS_PER_SECOND) / 1000)
    if (this.#budget < 1) return false
    this.#budget -= 1
    return true
  }

  /** Returns whether reports may come from an address. */
  isReporter(address: string): boolean {
    return this.#latched === undefined ? this.#allowed.includes(address) : this.#latched.address === address
  }

  /** Takes a packet that was heard. Returns the packets to play: none while a source is on trial, both once it has passed. */
  take(arrival: Arrival): readonly Arrival[] {
    if (this.#latched !== undefined) return [arrival]
    const { packet, from } = arrival
    const first = this.#candidates.find((candidate) => isSame(candidate.from, from))
    if (first?.packet.ssrc === packet.ssrc && follows(first.packet, packet)) {
      this.#latched = from
      this.#candidates = []
      return [first, arrival]
    }
    const others = this.#candidates.filter((candidate) => candidate !== first)
    this.#candidates = [...others, arrival].slice(-MAX_CANDIDATES)
    return []
  }
}

const follows = (first: RtpPacket, second: RtpPacket): boolean =>
  ((first.sequenceNumber + 1) & 0xff_ff) === second.sequenceNumber
