import { bytesOf } from './bytes-of.ts'

const SAMPLE_RATE_HZ = 16_000
const HEADER_BYTES = 44

/** Encodes 16-bit mono frames at 16 kHz as a WAV file. */
export function encodeWav(frames: readonly Int16Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> {
  const dataBytes = frames.reduce((sum, frame) => sum + frame.byteLength, 0)
  // In the machine's byte order, like the frames; it is little-endian, as WAV requires, on every supported platform.
  const integers = (...values: number[]): Uint32Array<ArrayBuffer> => Uint32Array.from(values)
  // PCM, one channel, two bytes per sample.
  const format = integers(16, 0x10001, SAMPLE_RATE_HZ, SAMPLE_RATE_HZ * 2, 0x100002)
  const parts = [
    'RIFF',
    integers(HEADER_BYTES - 8 + dataBytes),
    'WAVEfmt ',
    format,
    'data',
    integers(dataBytes),
  ]
  return bytesOf([...parts, ...frames])
}
