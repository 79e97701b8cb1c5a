import { randomBytes } from 'node:crypto'
import type { AudioDescription, CodecName, OfferedCodec, SrtpKey } from '../sdp/description.ts'

/** Static payload types (RFC 3551, table 4). */
const PAYLOAD_TYPES: Readonly<Record<CodecName, number>> = { PCMU: 0, PCMA: 8, G722: 9 }
/** Static payload type of comfort noise (RFC 3551, table 4). */
const COMFORT_NOISE = 13
/** Usual dynamic payload type of telephone-event. */
const TELEPHONE_EVENT = 101
const PACKET_MS = 20

/** Every codec that we know, the best first. */
export const ALL_CODECS: readonly CodecName[] = ['G722', 'PCMA', 'PCMU']

const toOffered = (name: CodecName): OfferedCodec => ({ name, payloadType: PAYLOAD_TYPES[name] })

/** Describes all that a media session can do. */
export function offerAudio(options: {
  readonly address: string
  readonly port: number
  readonly codecs: readonly CodecName[]
  readonly srtp?: SrtpKey
}): AudioDescription {
  const { codecs, ...more } = options
  return {
    ...more,
    codecs: codecs.map(toOffered),
    telephoneEvent: TELEPHONE_EVENT,
    comfortNoise: COMFORT_NOISE,
    direction: 'sendrecv',
    packetMs: PACKET_MS,
  }
}

/** Makes a key for one direction of one call (RFC 4568, 6.1: 128 bits of key and 112 of salt). */
export const createSrtpKey = (): SrtpKey => ({
  tag: 1,
  suite: 'AES_CM_128_HMAC_SHA1_80',
  keyAndSalt: Uint8Array.from(randomBytes(30)),
})
