import { timingSafeEqual } from 'node:crypto'
import type { SrtpKey } from '../sdp/description.ts'
import { readUint16, readUint32, writeUint32 } from './bytes.ts'
import { createReplayWindow, type ReplayWindow } from './replay-window.ts'
import { RTP_HEADER_BYTES, rtpHeaderBytes } from './rtp-packet.ts'
import {
  applyCounterMode,
  authenticationTag,
  deriveSessionKeys,
  packetCounter,
  type SessionKeys,
} from './srtp-keys.ts'

/** Longest tag of SRTP and trailer of SRTCP: bytes that a packet to protect must have room for. */
export const SRTP_TRAILER_BYTES = 14
/** Length of the tag of SRTCP, which is the same for both suites (RFC 4568, 6.2). */
const RTCP_TAG_BYTES = 10
const SEQUENCE_NUMBERS = 0x1_00_00
/** Sources accepted under one key. Refuse more instead of forgetting any, because a forgotten source could be replayed. */
const MAX_SOURCES = 32

const tagBytes = ({ suite }: SrtpKey): number => (suite === 'AES_CM_128_HMAC_SHA1_80' ? 10 : 4)

function isAuthentic(keys: SessionKeys, parts: readonly Uint8Array[], tag: Uint8Array): boolean {
  return timingSafeEqual(authenticationTag(keys.authentication, parts, tag.length), tag)
}

/** Encrypts or decrypts a part of a packet in place. */
function crypt(
  keys: SessionKeys,
  part: Uint8Array,
  source: { readonly ssrc: number; readonly index: number },
): void {
  part.set(applyCounterMode(keys.cipher, packetCounter(keys.salt, source.ssrc, source.index), part))
}

/**
 * Protects the packets of one source (RFC 3711).
 *
 * `werift-rtp` was turned down: it brings three more packages to replace two short classes over `node:crypto`.
 */
export class SrtpSender {
  readonly #key: SrtpKey
  readonly #rtp: SessionKeys
  readonly #rtcp: SessionKeys
  readonly #rollover = new Uint8Array(4)
  #rollovers = 0
  #lastSequenceNumber = -1
  #rtcpIndex = 0

  constructor(key: SrtpKey) {
    this.#key = key
    this.#rtp = deriveSessionKeys(key.keyAndSalt, 'rtp')
    this.#rtcp = deriveSessionKeys(key.keyAndSalt, 'rtcp')
  }

  /**
   * Protects an RTP packet in place. Packets come in the order of their numbers.
   *
   * @param packet with room for the tag after `length`
   * @returns the length of the protected packet
   */
  protectRtp(packet: Uint8Array, length: number): number {
    const sequenceNumber = readUint16(packet, 2)
    if (sequenceNumber < this.#lastSequenceNumber) this.#rollovers += 1
    this.#lastSequenceNumber = sequenceNumber
    const index = this.#rollovers * SEQUENCE_NUMBERS + sequenceNumber
    const start = rtpHeaderBytes(packet.subarray(0, length)) ?? length
    crypt(this.#rtp, packet.subarray(start, length), { ssrc: readUint32(packet, 8), index })
    writeUint32(this.#rollover, 0, this.#rollovers)
    const parts = [packet.subarray(0, length), this.#rollover]
    packet.set(authenticationTag(this.#rtp.authentication, parts, tagBytes(this.#key)), length)
    return length + tagBytes(this.#key)
  }

  /** Does the same for a compound of RTCP (RFC 3711, 3.4). */
  protectRtcp(packet: Uint8Array, length: number): number {
    const index = this.#rtcpIndex
    this.#rtcpIndex = (index + 1) % 0x80_00_00_00
    crypt(this.#rtcp, packet.subarray(8, length), { ssrc: readUint32(packet, 4), index })
    writeUint32(packet, length, 0x80_00_00_00 + index)
    const end = length + 4
    packet.set(authenticationTag(this.#rtcp.authentication, [packet.subarray(0, end)], RTCP_TAG_BYTES), end)
    return end + RTCP_TAG_BYTES
  }
}

/** What is known of one source. */
interface Source {
  /** Index of the newest packet; -1 before the first. */
  newest: number
  readonly rtp: ReplayWindow
  readonly rtcp: ReplayWindow
}

/** Authenticates and decrypts the packets of a far end (RFC 3711). */
export class SrtpReceiver {
  readonly #key: SrtpKey
  readonly #rtp: SessionKeys
  readonly #rtcp: SessionKeys
  readonly #rollover = new Uint8Array(4)
  readonly #sources = new Map<number, Source>()

  constructor(key: SrtpKey) {
    this.#key = key
    this.#rtp = deriveSessionKeys(key.keyAndSalt, 'rtp')
    this.#rtcp = deriveSessionKeys(key.keyAndSalt, 'rtcp')
  }

  /** Decrypts an RTP packet in place. Returns it without its tag, or undefined if it is forged, repeated or malformed. */
  unprotectRtp(packet: Uint8Array): Uint8Array | undefined {
    const length = packet.length - tagBytes(this.#key)
    if (length < RTP_HEADER_BYTES) return undefined
    const body = packet.subarray(0, length)
    const start = rtpHeaderBytes(body)
    if (start === undefined) return undefined
    const ssrc = readUint32(packet, 8)
    const source = this.#sourceOf(ssrc)
    const index = source && indexOf(readUint16(packet, 2), source.newest)
    if (index === undefined || !source?.rtp.isNew(index)) return undefined
    writeUint32(this.#rollover, 0, Math.floor(index / SEQUENCE_NUMBERS))
    if (!isAuthentic(this.#rtp, [body, this.#rollover], packet.subarray(length))) return undefined
    this.#sources.set(ssrc, source)
    source.rtp.add(index)
    source.newest = Math.max(source.newest, index)
    crypt(this.#rtp, body.subarray(start), { ssrc, index })
    return body
  }

  /** Does the same for a compound of RTCP. The packet itself says whether it is encrypted. */
  unprotectRtcp(packet: Uint8Array): Uint8Array | undefined {
    const end = packet.length - RTCP_TAG_BYTES
    if (end < 12) return undefined
    const ssrc = readUint32(packet, 4)
    const trailer = readUint32(packet, end - 4)
    const isEncrypted = trailer >= 0x80_00_00_00
    const index = trailer % 0x80_00_00_00
    const source = this.#sourceOf(ssrc)
    if (!source?.rtcp.isNew(index)) return undefined
    if (!isAuthentic(this.#rtcp, [packet.subarray(0, end)], packet.subarray(end))) return undefined
    this.#sources.set(ssrc, source)
    source.rtcp.add(index)
    if (isEncrypted) crypt(this.#rtcp, packet.subarray(8, end - 4), { ssrc, index })
    return packet.subarray(0, end - 4)
  }

  /** A new source is remembered only once a packet of it was authentic. */
  #sourceOf(ssrc: number): Source | undefined {
    const known = this.#sources.get(ssrc)
    if (known !== undefined || this.#sources.size >= MAX_SOURCES) return known
    return { newest: -1, rtp: createReplayWindow(), rtcp: createReplayWindow() }
  }
}

/** Returns the index nearest to the newest one that has this sequence number (RFC 3711, 3.3.1 and appendix A). */
function indexOf(sequenceNumber: number, newest: number): number {
  if (newest < 0) return sequenceNumber
  const ahead = ((sequenceNumber - newest) << 16) >> 16
  const index = newest + ahead
  return index < 0 ? sequenceNumber : index
}
