import type { ReceptionStatistics } from './reception-statistics.ts'
import { type ReceptionReport, readRtcp, type RtcpPacket, writeRtcp } from './rtcp-packet.ts'

/** Mean time between reports: the minimum of RFC 3550, 6.2. */
const INTERVAL_MS = 5000
/** Longer round trips are errors of the far end. */
const LONGEST_ROUND_TRIP_MS = 60_000
const NTP_FRACTIONS = 2 ** 32
/** Units of the times in reports: 65,536ths of a second. */
const SHORT_FRACTIONS = 2 ** 16

/** What the far end reported of our packets. */
export interface RemoteReport {
  readonly lostFraction: number
  readonly jitterMs: number
  /** Absent until it has heard a report of ours. */
  readonly roundTripMs?: number
}

/** What is reported of our packets and theirs. */
export interface StreamState {
  readonly ssrc: number
  /** Timestamp of now. */
  readonly timestamp: number
  /** Of our timestamps. */
  readonly clockHz: number
  readonly packets: number
  readonly octets: number
  readonly reception: ReceptionStatistics | undefined
}

/** Time as the middle 32 bits of an NTP time. */
const toShortTime = (ms: number): number => Math.floor((ms * SHORT_FRACTIONS) / 1000) % NTP_FRACTIONS

/**
 * Sends and reads the reports of one call (RFC 3550, 6). Its NTP times come from a steady
 * clock with any origin, which section 4 allows.
 */
export class ReportSession {
  remote: RemoteReport | undefined
  readonly #random: () => number
  readonly #name: string
  #dueMs: number
  #packetsAtReport = 0
  #heard: { readonly ssrc: number; readonly shortTime: number; readonly atMs: number } | undefined

  constructor(options: { readonly name: string; readonly random: () => number; readonly nowMs: number }) {
    this.#name = options.name
    this.#random = options.random
    // The first report comes after half of the interval (6.2).
    this.#dueMs = options.nowMs + this.#drawInterval() / 2
  }

  /** Half to one and a half of the interval, so that the reports of many calls do not fall together (6.3.1). */
  #drawInterval(): number {
    return INTERVAL_MS * (0.5 + this.#random())
  }

  /** Returns whether a report is due, and then sets the time of the next. */
  isDue(nowMs: number): boolean {
    if (nowMs < this.#dueMs) return false
    this.#dueMs = nowMs + this.#drawInterval()
    return true
  }

  /** Writes a report, with a goodbye at the end of the call, and returns its length. */
  write(
    state: StreamState,
    nowMs: number,
    options: { readonly isLast: boolean; readonly into: Uint8Array },
  ): number {
    const { ssrc } = state
    const reports = state.reception === undefined ? [] : [this.#reportOn(state.reception, nowMs)]
    // Without a packet since the last report, we are no sender (6.4).
    const hasSent = state.packets > this.#packetsAtReport
    this.#packetsAtReport = state.packets
    const seconds = Math.floor(nowMs / 1000)
    const report: RtcpPacket = hasSent
      ? {
          kind: 'sender_report',
          ssrc,
          ntpSeconds: seconds,
          ntpFraction: Math.floor(((nowMs - seconds * 1000) / 1000) * NTP_FRACTIONS),
          rtpTimestamp: state.timestamp,
          packets: state.packets,
          octets: state.octets,
          reports,
        }
      : { kind: 'receiver_report', ssrc, reports }
    const goodbye: RtcpPacket[] = options.isLast ? [{ kind: 'bye', ssrcs: [ssrc] }] : []
    return writeRtcp([report, { kind: 'canonical_name', ssrc, name: this.#name }, ...goodbye], options.into)
  }

  #reportOn(reception: ReceptionStatistics, nowMs: number): ReceptionReport {
    const heard = this.#heard?.ssrc === reception.ssrc ? this.#heard : undefined
    return {
      ...reception.report(),
      lastSenderReport: heard?.shortTime ?? 0,
      delaySinceLastSenderReport: heard === undefined ? 0 : toShortTime(nowMs - heard.atMs),
    }
  }

  /** Reads a compound of the far end. Returns whether it was one. */
  take(compound: Uint8Array, state: StreamState, nowMs: number): boolean {
    const packets = readRtcp(compound)
    for (const packet of packets) {
      if (packet.kind !== 'sender_report' && packet.kind !== 'receiver_report') continue
      if (packet.kind === 'sender_report') {
        const shortTime =
          (packet.ntpSeconds % SHORT_FRACTIONS) * SHORT_FRACTIONS + (packet.ntpFraction >>> 16)
        this.#heard = { ssrc: packet.ssrc, shortTime, atMs: nowMs }
      }
      const report = packet.reports.find(({ ssrc }) => ssrc === state.ssrc)
      if (report !== undefined) this.#takeReport(report, state, nowMs)
    }
    return packets.length > 0
  }

  #takeReport(report: ReceptionReport, state: StreamState, nowMs: number): void {
    const { lastSenderReport, delaySinceLastSenderReport } = report
    const elapsed = (toShortTime(nowMs) - lastSenderReport - delaySinceLastSenderReport) | 0
    const exactMs = (elapsed * 1000) / SHORT_FRACTIONS
    // Rounding may bring it just below 0.
    const isPlausible = lastSenderReport !== 0 && exactMs > -1 && exactMs <= LONGEST_ROUND_TRIP_MS
    const roundTripMs = Math.max(0, exactMs)
    const known = this.remote?.roundTripMs
    this.remote = {
      lostFraction: Math.min(1, Math.max(0, report.cumulativeLost) / Math.max(1, state.packets)),
      jitterMs: (report.jitter * 1000) / state.clockHz,
      ...(isPlausible ? { roundTripMs } : known !== undefined && { roundTripMs: known }),
    }
  }
}
