import type { ReceptionReport } from './rtcp-packet.ts'

const SEQUENCE_NUMBERS = 0x1_00_00
/** A number further ahead or behind means that the source has begun anew (RFC 3550, A.1). */
const MAX_DROPOUT = 3000
const MAX_MISORDER = 100
/** Weight of a new difference in the jitter (RFC 3550, A.8). */
const JITTER_GAIN = 1 / 16
/** Cumulative loss has 24 bits with sign. */
const MAX_LOST = 0x7f_ff_ff

/** Counts the packets of one source (RFC 3550, A.1, A.3 and A.8). */
export class ReceptionStatistics {
  readonly ssrc: number
  received = 0
  readonly #clockHz: number
  #base = -1
  #highest = -1
  #isAwaitingRestart = -1
  #transit: number | undefined
  #jitter = 0
  /** Counts of packets before the source began anew. */
  #expectedBefore = 0
  #expectedAtReport = 0
  #receivedAtReport = 0

  /** @param clockHz that of the timestamps */
  constructor(ssrc: number, clockHz: number) {
    this.ssrc = ssrc
    this.#clockHz = clockHz
  }

  take(packet: { readonly sequenceNumber: number; readonly timestamp: number }, arrivalMs: number): void {
    const ahead = ((packet.sequenceNumber - this.#highest) << 16) >> 16
    if (this.#base < 0) this.#base = this.#highest = packet.sequenceNumber
    else if (ahead > 0 && ahead < MAX_DROPOUT) this.#highest += ahead
    else if (ahead >= MAX_DROPOUT || ahead < -MAX_MISORDER) {
      // Two consecutive packets elsewhere are a restart.
      if (packet.sequenceNumber !== this.#isAwaitingRestart) {
        this.#isAwaitingRestart = (packet.sequenceNumber + 1) % SEQUENCE_NUMBERS
        return
      }
      this.#expectedBefore = this.#expected
      this.#base = this.#highest = packet.sequenceNumber
      this.#transit = undefined
    }
    this.received += 1
    this.#followTransit(packet.timestamp, arrivalMs)
  }

  get #expected(): number {
    return this.#expectedBefore + (this.#base < 0 ? 0 : this.#highest - this.#base + 1)
  }

  #followTransit(timestamp: number, arrivalMs: number): void {
    const transit = (Math.round((arrivalMs * this.#clockHz) / 1000) - timestamp) | 0
    if (this.#transit !== undefined) {
      const difference = Math.abs((transit - this.#transit) | 0)
      this.#jitter += (difference - this.#jitter) * JITTER_GAIN
    }
    this.#transit = transit
  }

  get jitterMs(): number {
    return (this.#jitter * 1000) / this.#clockHz
  }

  /** Of all packets since the start. Duplicates may hide losses, as in RFC 3550. */
  get lostFraction(): number {
    return this.#expected === 0 ? 0 : Math.max(0, 1 - this.received / this.#expected)
  }

  /** Returns the block of a report, and begins its next interval. */
  report(): Omit<ReceptionReport, 'lastSenderReport' | 'delaySinceLastSenderReport'> {
    const expected = this.#expected
    const expectedNow = expected - this.#expectedAtReport
    const lostNow = expectedNow - (this.received - this.#receivedAtReport)
    this.#expectedAtReport = expected
    this.#receivedAtReport = this.received
    return {
      ssrc: this.ssrc,
      fractionLost:
        expectedNow > 0 && lostNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0,
      cumulativeLost: Math.max(-MAX_LOST - 1, Math.min(MAX_LOST, expected - this.received)),
      highestSequenceNumber: Math.max(0, this.#highest) % 0x1_00_00_00_00,
      jitter: Math.floor(this.#jitter),
    }
  }
}
