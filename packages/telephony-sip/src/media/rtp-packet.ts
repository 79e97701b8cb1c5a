import { readUint16, readUint32, writeUint16, writeUint32 } from './bytes.ts'

/** Length of a header without contributing sources and extension (RFC 3550, 5.1). */
export const RTP_HEADER_BYTES = 12

/** The fields of an RTP header (RFC 3550, 5.1) that a phone call needs. */
export interface RtpHeader {
  /** Of audio, the first packet after a pause. */
  readonly marker: boolean
  readonly payloadType: number
  readonly sequenceNumber: number
  readonly timestamp: number
  readonly ssrc: number
}

/** A received packet. The payload is a view of the packet. */
export interface RtpPacket extends RtpHeader {
  readonly payload: Uint8Array
}

/**
 * Returns the length of the header with contributing sources and extension, or undefined if the packet is not RTP
 * (RFC 3550, A.1). The payload may be encrypted.
 */
export function rtpHeaderBytes(packet: Uint8Array): number | undefined {
  const first = packet[0] ?? 0
  if (packet.length < RTP_HEADER_BYTES || first >> 6 !== 2) return undefined
  let length = RTP_HEADER_BYTES + 4 * (first & 0x0f)
  if (first & 0x10) {
    if (packet.length < length + 4) return undefined
    length += 4 + 4 * readUint16(packet, length + 2)
  }
  return length <= packet.length ? length : undefined
}

/** Reads an RTP packet. Returns undefined if it is none. */
export function readRtp(packet: Uint8Array): RtpPacket | undefined {
  const start = rtpHeaderBytes(packet)
  if (start === undefined) return undefined
  const isPadded = ((packet[0] ?? 0) & 0x20) !== 0
  const padding = isPadded ? (packet[packet.length - 1] ?? 0) : 0
  const end = packet.length - padding
  if (end < start || (isPadded && padding === 0)) return undefined
  const second = packet[1] ?? 0
  return {
    marker: (second & 0x80) !== 0,
    payloadType: second & 0x7f,
    sequenceNumber: readUint16(packet, 2),
    timestamp: readUint32(packet, 4),
    ssrc: readUint32(packet, 8),
    payload: packet.subarray(start, end),
  }
}

/** Writes a header of 12 bytes to the start of a packet. */
export function writeRtpHeader(packet: Uint8Array, header: RtpHeader): void {
  packet[0] = 0x80
  packet[1] = (header.marker ? 0x80 : 0) | header.payloadType
  writeUint16(packet, 2, header.sequenceNumber)
  writeUint32(packet, 4, header.timestamp)
  writeUint32(packet, 8, header.ssrc)
}
