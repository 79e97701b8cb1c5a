import { readUint16, readUint32, writeUint16, writeUint32 } from './bytes.ts'

/** What a receiver says of the packets of one source (RFC 3550, 6.4.1). */
export interface ReceptionReport {
  readonly ssrc: number
  /** Since the previous report, in 256ths. */
  readonly fractionLost: number
  /** Since the start: 24 bits with sign, negative if more duplicates came than packets were lost. */
  readonly cumulativeLost: number
  readonly highestSequenceNumber: number
  /** In units of the RTP clock. */
  readonly jitter: number
  /** Middle 32 bits of the NTP time of the last sender report from that source; 0 if there was none. */
  readonly lastSenderReport: number
  /** Since that report arrived, in 65,536ths of a second. */
  readonly delaySinceLastSenderReport: number
}

export interface SenderReport {
  readonly kind: 'sender_report'
  readonly ssrc: number
  readonly ntpSeconds: number
  /** In 2^32ths of a second. */
  readonly ntpFraction: number
  readonly rtpTimestamp: number
  readonly packets: number
  readonly octets: number
  readonly reports: readonly ReceptionReport[]
}

export interface ReceiverReport {
  readonly kind: 'receiver_report'
  readonly ssrc: number
  readonly reports: readonly ReceptionReport[]
}

/** Name of a source that stays the same (RFC 3550, 6.5.1). */
export interface CanonicalName {
  readonly kind: 'canonical_name'
  readonly ssrc: number
  readonly name: string
}

export interface Bye {
  readonly kind: 'bye'
  readonly ssrcs: readonly number[]
}

export type RtcpPacket = SenderReport | ReceiverReport | CanonicalName | Bye

/** Packet types (RFC 3550, 12.1). */
const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const SOURCE_DESCRIPTION = 202
const BYE = 203
const CNAME_ITEM = 1

const REPORT_BYTES = 24
/** Most sources of one packet: its count has 5 bits. */
const MAX_COUNT = 31

function readReports(packet: Uint8Array, start: number, count: number): ReceptionReport[] | undefined {
  if (packet.length < start + count * REPORT_BYTES) return undefined
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * REPORT_BYTES
    const lost = readUint32(packet, at + 4)
    return {
      ssrc: readUint32(packet, at),
      fractionLost: lost >>> 24,
      cumulativeLost: (lost << 8) >> 8,
      highestSequenceNumber: readUint32(packet, at + 8),
      jitter: readUint32(packet, at + 12),
      lastSenderReport: readUint32(packet, at + 16),
      delaySinceLastSenderReport: readUint32(packet, at + 20),
    }
  })
}

/** Reads the canonical name of the first source of a description. */
function readCanonicalName(packet: Uint8Array): CanonicalName | undefined {
  for (let at = 8; at + 1 < packet.length && packet[at] !== 0;) {
    const end = at + 2 + (packet[at + 1] ?? 0)
    if (end > packet.length) return undefined
    if (packet[at] === CNAME_ITEM) {
      const name = new TextDecoder().decode(packet.subarray(at + 2, end))
      return { kind: 'canonical_name', ssrc: readUint32(packet, 4), name }
    }
    at = end
  }
  return undefined
}

/** Reads one packet of a compound: undefined if it is malformed, empty if it is of no use here. */
function readPacket(packet: Uint8Array, type: number, count: number): readonly RtcpPacket[] | undefined {
  const ssrc = readUint32(packet, 4)
  switch (type) {
    case SENDER_REPORT: {
      const reports = readReports(packet, 28, count)
      if (reports === undefined || packet.length < 28) return undefined
      return [
        {
          kind: 'sender_report',
          ssrc,
          ntpSeconds: readUint32(packet, 8),
          ntpFraction: readUint32(packet, 12),
          rtpTimestamp: readUint32(packet, 16),
          packets: readUint32(packet, 20),
          octets: readUint32(packet, 24),
          reports,
        },
      ]
    }
    case RECEIVER_REPORT: {
      const reports = readReports(packet, 8, count)
      if (reports === undefined || packet.length < 8) return undefined
      return [{ kind: 'receiver_report', ssrc, reports }]
    }
    case SOURCE_DESCRIPTION: {
      const name = count > 0 ? readCanonicalName(packet) : undefined
      return name === undefined ? [] : [name]
    }
    case BYE:
      if (packet.length < 4 + 4 * count) return undefined
      return [
        {
          kind: 'bye',
          ssrcs: Array.from({ length: count }, (_, index) => readUint32(packet, 4 + 4 * index)),
        },
      ]
    default:
      return []
  }
}

/**
 * Reads a compound RTCP packet (RFC 3550, 6.1), checked as in A.2: it begins with a report, and its lengths add up.
 *
 * @returns the packets of known kinds in order, none if the compound is malformed
 */
export function readRtcp(compound: Uint8Array): readonly RtcpPacket[] {
  const packets: RtcpPacket[] = []
  for (let at = 0; at < compound.length;) {
    const first = compound[at] ?? 0
    const type = compound[at + 1] ?? 0
    const end = at + 4 + 4 * readUint16(compound, at + 2)
    if (first >> 6 !== 2 || end > compound.length) return []
    if (at === 0 && type !== SENDER_REPORT && type !== RECEIVER_REPORT) return []
    const isPadded = (first & 0x20) !== 0
    const padding = isPadded ? (compound[end - 1] ?? 0) : 0
    // Only the last packet may be padded.
    if (isPadded && (end !== compound.length || padding === 0 || padding > end - at - 4)) return []
    const read = readPacket(compound.subarray(at, end - padding), type, first & MAX_COUNT)
    if (read === undefined) return []
    packets.push(...read)
    at = end
  }
  return packets
}

function writeReport(into: Uint8Array, at: number, report: ReceptionReport): void {
  writeUint32(into, at, report.ssrc)
  writeUint32(into, at + 4, (report.fractionLost << 24) | (report.cumulativeLost & 0xff_ff_ff))
  writeUint32(into, at + 8, report.highestSequenceNumber)
  writeUint32(into, at + 12, report.jitter)
  writeUint32(into, at + 16, report.lastSenderReport)
  writeUint32(into, at + 20, report.delaySinceLastSenderReport)
}

/** Writes the part of a packet after its first four bytes, and returns the type, the count and the length of it all. */
function writeBody(
  packet: RtcpPacket,
  into: Uint8Array,
): readonly [type: number, count: number, length: number] {
  switch (packet.kind) {
    case 'sender_report':
      writeUint32(into, 4, packet.ssrc)
      writeUint32(into, 8, packet.ntpSeconds)
      writeUint32(into, 12, packet.ntpFraction)
      writeUint32(into, 16, packet.rtpTimestamp)
      writeUint32(into, 20, packet.packets)
      writeUint32(into, 24, packet.octets)
      for (const [index, report] of packet.reports.entries())
        writeReport(into, 28 + index * REPORT_BYTES, report)
      return [SENDER_REPORT, packet.reports.length, 28 + packet.reports.length * REPORT_BYTES]
    case 'receiver_report':
      writeUint32(into, 4, packet.ssrc)
      for (const [index, report] of packet.reports.entries())
        writeReport(into, 8 + index * REPORT_BYTES, report)
      return [RECEIVER_REPORT, packet.reports.length, 8 + packet.reports.length * REPORT_BYTES]
    case 'canonical_name': {
      const name = new TextEncoder().encode(packet.name)
      // At least one zero ends the items, and the packet has whole words.
      const length = 4 * Math.ceil((10 + name.length + 1) / 4)
      into.fill(0, 8, length)
      writeUint32(into, 4, packet.ssrc)
      into[8] = CNAME_ITEM
      into[9] = name.length
      into.set(name, 10)
      return [SOURCE_DESCRIPTION, 1, length]
    }
    case 'bye':
      for (const [index, ssrc] of packet.ssrcs.entries()) writeUint32(into, 4 + 4 * index, ssrc)
      return [BYE, packet.ssrcs.length, 4 + 4 * packet.ssrcs.length]
  }
}

/**
 * Writes a compound packet.
 *
 * @param packets at most 31 reports or sources each, names of at most 255 bytes; the first is a report
 * @param into long enough for all
 * @returns the length
 */
export function writeRtcp(packets: readonly RtcpPacket[], into: Uint8Array): number {
  let at = 0
  for (const packet of packets) {
    const [type, count, length] = writeBody(packet, into.subarray(at))
    into[at] = 0x80 | count
    into[at + 1] = type
    writeUint16(into, at + 2, length / 4 - 1)
    at += length
  }
  return at
}
