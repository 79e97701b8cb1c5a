import { pcm16Bytes } from './pcm16.ts'

export const WAV_HEADER_BYTES = 44
/** What stands for a length that is not known yet, in streams. */
const UNKNOWN = 0xff_ff_ff_ff
const BYTES_PER_SAMPLE = 2

/**
 * The 44-byte header of a mono, 16-bit WAV file (Microsoft RIFF, WAVE_FORMAT_PCM). Without `dataBytes` the lengths are
 * all ones, which players take as "until the end", for streams.
 *
 * @throws RangeError where the audio would not fit into a WAV file (4 GiB)
 */
export function wavHeader(options: { sampleRateHz: number; dataBytes?: number }): Uint8Array<ArrayBuffer> {
  const { sampleRateHz, dataBytes } = options
  if (dataBytes !== undefined && (dataBytes < 0 || dataBytes > UNKNOWN - WAV_HEADER_BYTES))
    throw new RangeError('A WAV file holds at most 4 GiB')
  const header = new Uint8Array(WAV_HEADER_BYTES)
  const view = new DataView(header.buffer)
  const text = (offset: number, value: string) => header.set(new TextEncoder().encode(value), offset)
  text(0, 'RIFF')
  view.setUint32(4, dataBytes === undefined ? UNKNOWN : dataBytes + WAV_HEADER_BYTES - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRateHz, true)
  view.setUint32(28, sampleRateHz * BYTES_PER_SAMPLE, true)
  view.setUint16(32, BYTES_PER_SAMPLE, true)
  view.setUint16(34, 8 * BYTES_PER_SAMPLE, true)
  text(36, 'data')
  view.setUint32(40, dataBytes ?? UNKNOWN, true)
  return header
}

/** A whole WAV file of mono samples. */
export function encodeWav(samples: Int16Array, options: { sampleRateHz: number }): Uint8Array<ArrayBuffer> {
  const data = pcm16Bytes(samples)
  const file = new Uint8Array(WAV_HEADER_BYTES + data.length)
  file.set(wavHeader({ ...options, dataBytes: data.length }))
  file.set(data, WAV_HEADER_BYTES)
  return file
}
