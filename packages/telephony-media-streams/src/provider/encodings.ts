import { mulaw } from '@vaani/pcm-audio'
import type { AudioEncoding } from './provider.ts'

/** G.711 μ-law at 8 kHz. */
export const MULAW: AudioEncoding = {
  sampleRateHz: 8000,
  encode(samples) {
    const payload = new Uint8Array(samples.length)
    mulaw.fromInt16(samples, payload)
    return payload
  },
  decode(payload) {
    const samples = new Int16Array(payload.length)
    mulaw.toInt16(payload, samples)
    return samples
  },
}

const SAMPLE_BYTES = 2

/** Linear PCM of 16 bits at 16 kHz, little-endian. An odd byte at the end is dropped. */
export const LINEAR_16_KHZ: AudioEncoding = {
  sampleRateHz: 16_000,
  encode(samples) {
    const payload = Buffer.allocUnsafe(samples.length * SAMPLE_BYTES)
    for (const [index, sample] of samples.entries()) payload.writeInt16LE(sample, index * SAMPLE_BYTES)
    return payload
  },
  decode(payload) {
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
    return Int16Array.from({ length: Math.floor(payload.length / SAMPLE_BYTES) }, (_, index) =>
      bytes.readInt16LE(index * SAMPLE_BYTES),
    )
  },
}
