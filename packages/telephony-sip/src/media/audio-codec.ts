import { alaw, mulaw, type SampleFormat } from '@vaani/pcm-audio'
import type { CodecName } from '../sdp/description.ts'
import { createG722Decoder, createG722Encoder, G722_RATE_HZ } from './g722.ts'

/** RTP clock of all codecs but Opus, also of G722, which samples at twice that rate (RFC 3551, 4.5.2). */
export const RTP_CLOCK_HZ = 8000
const NARROWBAND_RATE_HZ = 8000
/** Wideband, as phones have it. Opus packets have no rate of their own: far ends of other rates hear the same (RFC 7587, 4.1). */
export const OPUS_RATE_HZ = 16_000
/** RFC 7587, 4.1: always, whatever is encoded. */
export const OPUS_CLOCK_HZ = 48_000
/** Most frames of 20 ms in a packet of ours. */
export const MAX_FRAMES = 3

/** Encoder of what we send, and decoder of what we receive. */
export interface AudioCodec {
  /** Of its samples. */
  readonly rateHz: number
  /** Of RTP timestamps. */
  readonly clockHz: number
  /** Most frames of 20 ms that stand in one packet, one after the other. */
  readonly framesPerPacket: number
  /** Fills the start of `into`, and returns how many bytes that took. */
  encode(samples: Int16Array, into: Uint8Array): number
  /** Returns the samples, perhaps in the start of `into`; undefined if the bytes are none of this codec. */
  decode(bytes: Uint8Array, into: Int16Array): Int16Array | undefined
}

const companded = (format: SampleFormat): AudioCodec => ({
  rateHz: NARROWBAND_RATE_HZ,
  clockHz: RTP_CLOCK_HZ,
  framesPerPacket: MAX_FRAMES,
  encode(samples, into) {
    format.fromInt16(samples, into)
    return samples.length
  },
  decode(bytes, into) {
    const part = into.subarray(0, bytes.length)
    format.toInt16(bytes, part)
    return part
  },
})

function createG722(): AudioCodec {
  const encoder = createG722Encoder()
  const decoder = createG722Decoder()
  return {
    rateHz: G722_RATE_HZ,
    clockHz: RTP_CLOCK_HZ,
    framesPerPacket: MAX_FRAMES,
    encode(samples, into) {
      encoder.encode(samples, into)
      return samples.length / 2
    },
    decode(bytes, into) {
      decoder.decode(bytes, into)
      return into.subarray(0, 2 * bytes.length)
    },
  }
}

/** Rates that are known before there is a codec. */
export function codecRates(name: CodecName): Pick<AudioCodec, 'rateHz' | 'clockHz'> {
  switch (name) {
    case 'PCMU':
    case 'PCMA':
      return { rateHz: NARROWBAND_RATE_HZ, clockHz: RTP_CLOCK_HZ }
    case 'G722':
      return { rateHz: G722_RATE_HZ, clockHz: RTP_CLOCK_HZ }
    case 'opus':
      return { rateHz: OPUS_RATE_HZ, clockHz: OPUS_CLOCK_HZ }
  }
}

/**
 * Creates a codec in the state of a stream's start.
 *
 * @param opus that of the call, because it cannot be loaded in the middle of one
 */
export function createAudioCodec(name: CodecName, opus: AudioCodec | undefined): AudioCodec {
  switch (name) {
    case 'PCMU':
      return companded(mulaw)
    case 'PCMA':
      return companded(alaw)
    case 'G722':
      return createG722()
    case 'opus':
      if (opus === undefined) throw new Error('Opus was agreed, but is not loaded')
      return opus
  }
}
