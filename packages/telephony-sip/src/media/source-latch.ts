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

/** Strangers' packets that are looked at in a second; a source sends 50 in each. */
const STRANGERS_PER_SECOND = 100
/** Sources that are on trial at a time. */
const MAX_CANDIDATES = 4

const isSame = (one: Endpoint, other: Endpoint): boolean =>
  one.port === other.port && one.address === other.address

/** Returns an address as sockets write it. IPv6 has several ways to. */
const canonical = (address: string): string =>
  isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : address

/**
 * Decides whose packets are those of the call. Behind a NAT, media does not come from the address that SDP names, so the
 * first source that looks right is kept: at an address that SDP or the signalling named, with two packets of one stream in a
 * row. From then on, all others are strangers, so that nobody can speak into the call who has not seen it.
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

  /** Returns whether a packet is worth reading: a cheap check of its address, with a limit to those of strangers. */
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

  /** Takes a packet that was heard, and returns those of the call: none on trial, and both once the second has proved it. */
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
