import type { SampleFormatName } from '../convert/sample-format.ts'
import { FORMAT_TAGS, SUBTYPE_TAIL, WavError, type WavFormat } from './wav-format.ts'

/** Maximum number of bytes read of a `fmt ` chunk: the size of WAVEFORMATEXTENSIBLE. */
export const FORMAT_CHUNK_BYTES = 40

type Endian = 'le' | 'be'

/** Sample formats by format tag and bytes per sample. */
const SAMPLE_FORMATS: Readonly<
  Record<number, Readonly<Record<number, (endian: Endian) => SampleFormatName>>>
> = {
  [FORMAT_TAGS.pcm]: {
    1: () => 'u8',
    2: (endian) => `s16${endian}`,
    3: (endian) => `s24${endian}`,
    4: (endian) => `s32${endian}`,
  },
  [FORMAT_TAGS.float]: { 4: (endian) => `f32${endian}`, 8: (endian) => `f64${endian}` },
  [FORMAT_TAGS.alaw]: { 1: () => 'alaw' },
  [FORMAT_TAGS.mulaw]: { 1: () => 'mulaw' },
}

/** Names of frequent codecs that this package does not decode (`WAVE_FORMAT_…` of mmreg.h). */
const CODECS: Readonly<Record<number, string>> = {
  0x00_02: 'Microsoft ADPCM',
  0x00_11: 'IMA ADPCM',
  0x00_31: 'GSM 6.10',
  0x00_40: 'G.721 ADPCM',
  0x00_50: 'MPEG',
  0x00_55: 'MP3',
  0x00_64: 'G.726 ADPCM',
  0x00_65: 'G.722 ADPCM',
  0x01_61: 'Windows Media Audio',
}

/** Returns the format tag of a `SubFormat`, or undefined if it has none. */
function subFormatTag(view: DataView, littleEndian: boolean): number | undefined {
  const guid = 24
  const known =
    view.getUint16(guid + 4, littleEndian) === 0 &&
    view.getUint16(guid + 6, littleEndian) === 0x10 &&
    SUBTYPE_TAIL.every((byte, index) => view.getUint8(guid + 8 + index) === byte)
  return known ? view.getUint32(guid, littleEndian) : undefined
}

/**
 * Parses a `fmt ` chunk: WAVEFORMAT, WAVEFORMATEX or WAVEFORMATEXTENSIBLE (Microsoft, "Multiple Channel Audio Data and WAVE
 * Files").
 *
 * @throws WavError if it contradicts itself or names an unsupported codec
 */
export function parseFormat(chunk: Uint8Array, littleEndian: boolean): Omit<WavFormat, 'dataBytes'> {
  if (chunk.length < 16)
    throw new WavError('format_missing', `A format chunk of ${chunk.length} bytes is too short`)
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const outerTag = view.getUint16(0, littleEndian)
  const channels = view.getUint16(2, littleEndian)
  const sampleRateHz = view.getUint32(4, littleEndian)
  const bytesPerSecond = view.getUint32(8, littleEndian)
  const frameBytes = view.getUint16(12, littleEndian)
  const bits = view.getUint16(14, littleEndian)
  const extended = outerTag === FORMAT_TAGS.extensible
  if (extended && chunk.length < FORMAT_CHUNK_BYTES)
    throw new WavError('format_missing', `An extensible format chunk of ${chunk.length} bytes is too short`)
  const tag = extended ? subFormatTag(view, littleEndian) : outerTag
  const byLength = tag === undefined ? undefined : SAMPLE_FORMATS[tag]
  if (byLength === undefined)
    throw new WavError(
      'format_unsupported',
      `${CODECS[tag ?? outerTag] ?? 'This codec'} (format tag 0x${(tag ?? outerTag).toString(16).padStart(4, '0')}) is not supported: convert the file to PCM, μ-law or A-law`,
    )
  const bytesPerSample = Math.ceil(bits / 8)
  // Some writers get the length of a frame wrong. The bytes per second tell which of the two is right.
  const isConsistent =
    frameBytes === channels * bytesPerSample || bytesPerSecond === sampleRateHz * channels * bytesPerSample
  const sampleFormat = byLength[bytesPerSample]?.(littleEndian ? 'le' : 'be')
  const declared = extended ? view.getUint16(18, littleEndian) : bits
  // Zero means all bits.
  const validBits = declared === 0 ? bits : declared
  if (
    sampleRateHz === 0 ||
    channels === 0 ||
    !isConsistent ||
    sampleFormat === undefined ||
    validBits > bytesPerSample * 8
  )
    throw new WavError(
      'format_invalid',
      `The format contradicts itself: ${channels} channels of ${bits} bits at ${sampleRateHz} Hz in frames of ${frameBytes} bytes (block align), ${bytesPerSecond} bytes per second`,
    )
  return {
    sampleRateHz,
    channels,
    sampleFormat,
    validBits,
    channelMask: extended ? view.getUint32(20, littleEndian) : undefined,
  }
}
