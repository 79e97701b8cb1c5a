import { type AudioCodec, OPUS_CLOCK_HZ, OPUS_RATE_HZ } from './audio-codec.ts'

/** Of RFC 7587's 16 to 20 kb/s for wideband speech (3.1.1), the upper end. */
const BITS_PER_SECOND = 20_000
/** Half of the highest, at twice the speed. The difference is inaudible in speech at this bit rate. */
const COMPLEXITY = 5
/** Longest packet of Opus (RFC 6716, 2.1.4). */
const MAX_PACKET_MS = 120

/** A codec that holds memory of the module until it is released. */
export interface OpusCodec extends AudioCodec {
  release(): void
}

/** Loads Opus at its first use, and creates a codec for both directions of one call. */
export async function createOpusCodec(): Promise<OpusCodec> {
  const { Application, createDecoder, createEncoder, isOpusError, Signal } = await import('libopus-wasm')
  const encoder = await createEncoder({
    sampleRate: OPUS_RATE_HZ,
    channels: 1,
    application: Application.Voip,
    signal: Signal.Voice,
    bitrate: BITS_PER_SECOND,
    complexity: COMPLEXITY,
  })
  const decoder = await createDecoder({
    sampleRate: OPUS_RATE_HZ,
    channels: 1,
    maxFrameSize: (OPUS_RATE_HZ * MAX_PACKET_MS) / 1000,
  })
  return {
    rateHz: OPUS_RATE_HZ,
    clockHz: OPUS_CLOCK_HZ,
    framesPerPacket: 1,
    encode(samples, into) {
      const packet = encoder.encode(samples, { frameSize: samples.length, maxPacketBytes: into.length })
      into.set(packet)
      return packet.length
    },
    decode(bytes) {
      if (bytes.length === 0) return undefined
      try {
        return decoder.decode(bytes)
      } catch (error) {
        if (isOpusError(error)) return undefined
        throw error
      }
    },
    release() {
      encoder.free()
      decoder.free()
    },
  }
}
