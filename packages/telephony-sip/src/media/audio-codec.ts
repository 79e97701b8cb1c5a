import { alaw, mulaw, type SampleFormat } from '@vaani/pcm-audio'
import type { CodecName } from '../sdp/description.ts'
import { createG722Decoder, createG722Encoder, G722_RATE_HZ } from './g722.ts'

/** RTP clock of all codecs here, also of G722, which samples at twice that rate (RFC 3551, 4.5.2). */
export const RTP_CLOCK_HZ = 8000
const NARROWBAND_RATE_HZ = 8000

/**
 * Encoder of what we send, and decoder of what we receive. Every codec here has one byte per tick of the RTP clock, so the
 * length of a payload is its duration.
 */
export interface AudioCodec {
  readonly rateHz: number
  /** Fills the start of `into` with all samples. */
  encode(samples: Int16Array, into: Uint8Array): void
  /** Fills the start of `into` with all bytes, and returns that part. */
  decode(bytes: Uint8Array, into: Int16Array): Int16Array
}

const companded = (format: SampleFormat): AudioCodec => ({
  rateHz: NARROWBAND_RATE_HZ,
  encode: (samples, into) => format.fromInt16(samples, into),
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
    encode: (samples, into) => encoder.encode(samples, into),
    decode(bytes, into) {
      decoder.decode(bytes, into)
      return into.subarray(0, 2 * bytes.length)
    },
  }
}

export const codecRateHz = (name: CodecName): number => (name === 'G722' ? G722_RATE_HZ : NARROWBAND_RATE_HZ)

/** Creates a codec in the state of a stream's start. */
export function createAudioCodec(name: CodecName): AudioCodec {
  switch (name) {
    case 'PCMU':
      return companded(mulaw)
    case 'PCMA':
      return companded(alaw)
    case 'G722':
      return createG722()
  }
}
