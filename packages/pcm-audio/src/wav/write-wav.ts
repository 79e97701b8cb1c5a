import { encodePcm } from '../convert/convert.ts'
import { s16le } from '../convert/s16.ts'
import type { SampleFormat, SampleFormatName, Samples } from '../convert/sample-format.ts'
import { FORMAT_TAGS, SUBTYPE_TAIL, type WavChunk } from './wav-format.ts'

/** Header length for 16-bit audio with one or two channels of up to 4 GiB. */
export const WAV_HEADER_BYTES = 44
/** Placeholder for a length that is unknown, in streams, or stored elsewhere, in RF64. */
const UNKNOWN = 0xff_ff_ff_ff

export interface WavOptions {
  sampleRateHz: number
  /** 1 by default. */
  channels?: number
  /** `s16le` by default. WAV files are little-endian. */
  format?: SampleFormat
}

const TAGS: Partial<Record<SampleFormatName, number>> = {
  u8: FORMAT_TAGS.pcm,
  s16le: FORMAT_TAGS.pcm,
  s24le: FORMAT_TAGS.pcm,
  s32le: FORMAT_TAGS.pcm,
  f32le: FORMAT_TAGS.float,
  f64le: FORMAT_TAGS.float,
  mulaw: FORMAT_TAGS.mulaw,
  alaw: FORMAT_TAGS.alaw,
}

const textBytes = (text: string): number[] => [...text].map((character) => character.charCodeAt(0))
const bytesOf = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** index) % 256)
const chunk = (id: string, body: number[]): number[] => [
  ...textBytes(id),
  ...bytesOf(body.length, 4),
  ...body,
]

/** Writes a `fmt ` chunk, extensible if a plain one would be ambiguous: over two channels or 16 bits (Microsoft). */
function formatChunk(
  tag: number,
  format: SampleFormat,
  options: { channels: number; sampleRateHz: number },
): number[] {
  const { channels, sampleRateHz } = options
  const bits = format.bytesPerSample * 8
  const extensible = tag === FORMAT_TAGS.pcm && (channels > 2 || bits > 16)
  const frameBytes = channels * format.bytesPerSample
  const plain = [
    ...bytesOf(extensible ? FORMAT_TAGS.extensible : tag, 2),
    ...bytesOf(channels, 2),
    ...bytesOf(sampleRateHz, 4),
    ...bytesOf(sampleRateHz * frameBytes, 4),
    ...bytesOf(frameBytes, 2),
    ...bytesOf(bits, 2),
  ]
  if (extensible)
    // All bits are valid. The mask is centre for one channel, left and right for two, and unspecified for more.
    return chunk('fmt ', [
      ...plain,
      ...bytesOf(22, 2),
      ...bytesOf(bits, 2),
      ...bytesOf(channels === 1 ? 4 : channels === 2 ? 3 : 0, 4),
      ...bytesOf(tag, 4),
      ...bytesOf(0, 2),
      ...bytesOf(0x10, 2),
      ...SUBTYPE_TAIL,
    ])
  return chunk('fmt ', tag === FORMAT_TAGS.pcm ? plain : [...plain, 0, 0])
}

/**
 * Returns the header of a WAV file, which is everything before the audio. It has 44 bytes (`WAV_HEADER_BYTES`) for one or
 * two channels of 8 or 16 bits. If the audio has an odd number of bytes, append a zero byte after it.
 *
 * @param options.dataBytes bytes of audio. Omit it for streams: the lengths are then all ones, which players take as "until
 *   the end". Over 4 GiB the header is the longer one of RF64 (EBU Tech 3306)
 * @throws RangeError if WAV files cannot hold the format, or a number is out of range
 * @example
 * console.log(wavHeader({ sampleRateHz: 16_000, dataBytes: 640 }).length) // 44
 */
export function wavHeader(options: WavOptions & { dataBytes?: number }): Uint8Array<ArrayBuffer> {
  return headerBefore(options, 0)
}

/** Writes a header for audio that this many bytes of chunks follow. */
function headerBefore(
  options: WavOptions & { dataBytes?: number },
  chunkBytes: number,
): Uint8Array<ArrayBuffer> {
  const { sampleRateHz, channels = 1, format = s16le, dataBytes } = options
  const tag = TAGS[format.name]
  if (tag === undefined) throw new RangeError(`A WAV file cannot hold ${format.name}`)
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < 1 || sampleRateHz >= UNKNOWN)
    throw new RangeError('The sample rate of a WAV file must be a whole number of hertz')
  const frameBytes = channels * format.bytesPerSample
  if (!Number.isInteger(channels) || channels < 1 || frameBytes > 0xff_ff)
    throw new RangeError('A WAV file must have at least one channel, and at most 65535 bytes per frame')
  if (dataBytes !== undefined && (!Number.isSafeInteger(dataBytes) || dataBytes < 0))
    throw new RangeError('The bytes of audio must be a whole number of at least 0')
  const body = [
    ...formatChunk(tag, format, { channels, sampleRateHz }),
    // Other formats than PCM declare the samples per channel (Microsoft, "New Multimedia Data Types").
    ...(tag === FORMAT_TAGS.pcm
      ? []
      : chunk(
          'fact',
          bytesOf(dataBytes === undefined ? UNKNOWN : Math.min(UNKNOWN, dataBytes / frameBytes), 4),
        )),
  ]
  const padding = (dataBytes ?? 0) % 2
  const fileBytes = 4 + body.length + 8 + (dataBytes ?? 0) + padding + chunkBytes
  if (fileBytes > UNKNOWN && dataBytes !== undefined) {
    const ds64 = chunk('ds64', [
      ...bytesOf(fileBytes + 36, 8),
      ...bytesOf(dataBytes, 8),
      ...bytesOf(Math.floor(dataBytes / frameBytes), 8),
      ...bytesOf(0, 4),
    ])
    return Uint8Array.from([
      ...textBytes('RF64'),
      ...bytesOf(UNKNOWN, 4),
      ...textBytes('WAVE'),
      ...ds64,
      ...body,
      ...textBytes('data'),
      ...bytesOf(UNKNOWN, 4),
    ])
  }
  return Uint8Array.from([
    ...textBytes('RIFF'),
    ...bytesOf(dataBytes === undefined ? UNKNOWN : fileBytes, 4),
    ...textBytes('WAVE'),
    ...body,
    ...textBytes('data'),
    ...bytesOf(dataBytes ?? UNKNOWN, 4),
  ])
}

/**
 * Encodes samples, interleaved if there are several channels, to a whole WAV file.
 *
 * @param options.chunks chunks to write after the audio, such as those of `decodeWav`
 * @throws RangeError if WAV files cannot hold the format, the samples are not whole frames, or a chunk's name has not four
 *   printable ASCII characters
 * @example
 * console.log(encodeWav(Int16Array.of(1, 2), { sampleRateHz: 8000 }).length) // 48
 */
export function encodeWav(
  samples: Samples,
  options: WavOptions & { chunks?: readonly WavChunk[] },
): Uint8Array<ArrayBuffer> {
  const { channels = 1, format = s16le, chunks = [] } = options
  if (samples.length % channels !== 0)
    throw new RangeError('The samples must be whole frames of all channels')
  if (chunks.some(({ id }) => !/^[ -~]{4}$/.test(id)))
    throw new RangeError('The name of a chunk must have four printable ASCII characters')
  const dataBytes = samples.length * format.bytesPerSample
  const padded = (length: number) => length + (length % 2)
  const chunkBytes = chunks.reduce((sum, { bytes }) => sum + 8 + padded(bytes.length), 0)
  const header = headerBefore({ ...options, dataBytes }, chunkBytes)
  const file = new Uint8Array(header.length + padded(dataBytes) + chunkBytes)
  file.set(header)
  encodePcm(samples, format, file.subarray(header.length))
  let at = header.length + padded(dataBytes)
  for (const { id, bytes } of chunks) {
    file.set([...textBytes(id), ...bytesOf(bytes.length, 4)], at)
    file.set(bytes, at + 8)
    at += 8 + padded(bytes.length)
  }
  return file
}
