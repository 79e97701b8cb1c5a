import { randomBytes } from 'node:crypto'
import type { AudioDescription, CodecName, OfferedCodec, SrtpKey } from '../sdp/description.ts'

/** Static payload types (RFC 3551, table 4), and the usual one of Opus, which has none. */
const PAYLOAD_TYPES: Readonly<Record<CodecName, number>> = { PCMU: 0, PCMA: 8, G722: 9, opus: 111 }
/** Static payload type of comfort noise (RFC 3551, table 4). */
const COMFORT_NOISE = 13
/** Usual dynamic payload types of telephone-event. */
const TELEPHONE_EVENT = 101
const TELEPHONE_EVENT_48_KHZ = 110
const PACKET_MS = 20

/** What is offered unless a trunk is said to have others, the best first. */
export const DEFAULT_CODECS: readonly CodecName[] = ['G722', 'PCMA', 'PCMU']

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
    ...(codecs.includes('opus') && { telephoneEvent48kHz: TELEPHONE_EVENT_48_KHZ }),
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
