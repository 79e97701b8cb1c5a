import { deinterleave } from '../convert/interleave.ts'
import { BitWriter } from './bit-writer.ts'
import { crc16, crc8 } from './checksums.ts'
import { writeSubframe } from './subframe.ts'

const BITS_PER_SAMPLE = 16
const MAX_CHANNELS = 8
/** 20 bits in the header of a file. */
const MAX_SAMPLE_RATE_HZ = 2 ** 20 - 1
const MIN_BLOCK_SAMPLES = 16
const MAX_BLOCK_SAMPLES = 65_535
/** Speech changes sooner than the 4096 of `flac`, so files of it are smaller with these. */
const DEFAULT_BLOCK_SAMPLES = 1152
/** 36 bits in the header of a file. */
const MAX_TOTAL_SAMPLES = 2 ** 36 - 1
/** Codes of the usual rates in the header of a frame, which lets players begin anywhere. 0 refers to the header of the file. */
const RATE_CODES: Readonly<Record<number, number>> = {
  88_200: 1,
  176_400: 2,
  192_000: 3,
  8000: 4,
  16_000: 5,
  22_050: 6,
  24_000: 7,
  32_000: 8,
  44_100: 9,
  48_000: 10,
  96_000: 11,
}

export interface FlacOptions {
  sampleRateHz: number
  /** 1 by default, 8 at most. Channels are coded independently. */
  channels?: number
  /** Samples of each channel in the whole file, for its header; without it, the length is unknown, as in streams. */
  totalSamples?: number
  /** Samples of each channel that are coded together, 1152 by default: few delay a stream less, many suit music. */
  blockSamples?: number
}

/** Encodes samples to a FLAC file while they arrive. */
export interface FlacEncoder {
  /** Takes samples, interleaved if there are several channels, and returns the bytes that are ready. */
  push(samples: Int16Array): Uint8Array<ArrayBuffer>
  /**
   * Returns the rest of the file.
   *
   * @throws RangeError if the samples are not whole frames of all channels, or not as many as `totalSamples`
   */
  flush(): Uint8Array<ArrayBuffer>
}

/**
 * Creates an encoder to FLAC (RFC 9639), which keeps every bit of 16-bit samples. Speech takes about half the size of WAV.
 * The file has no checksum of its audio, which would stand before it; each frame has its own.
 *
 * @throws RangeError if a number is out of range
 * @example
 * const encoder = createFlacEncoder({ sampleRateHz: 16_000 })
 * const file = [encoder.push(new Int16Array(16_000)), encoder.flush()]
 * console.log(String.fromCharCode(...file[0].subarray(0, 4))) // fLaC
 */
export function createFlacEncoder(options: FlacOptions): FlacEncoder {
  const format = checked(options)
  const { channels, blockSamples, totalSamples } = format
  const blockLength = channels * blockSamples
  let header = fileHeader(format)
  let waiting = new Int16Array(0)
  let frames = 0
  let samples = 0

  const encode = (block: Int16Array) => frameOf(block, { ...format, number: frames++ })
  return {
    push(given) {
      samples += given.length
      const all = new Int16Array(waiting.length + given.length)
      all.set(waiting)
      all.set(given, waiting.length)
      const parts = [header]
      header = new Uint8Array(0)
      let at = 0
      for (; at + blockLength <= all.length; at += blockLength)
        parts.push(encode(all.subarray(at, at + blockLength)))
      waiting = all.slice(at)
      return concatenate(parts)
    },
    flush() {
      if (samples % channels !== 0) throw new RangeError('The samples must be whole frames of all channels')
      if (totalSamples !== undefined && samples / channels !== totalSamples)
        throw new RangeError(`The file must have ${totalSamples} samples, as its header says`)
      const last = waiting
      waiting = new Int16Array(0)
      return concatenate([header, ...(last.length > 0 ? [encode(last)] : [])])
    },
  }
}

type Format = Required<Omit<FlacOptions, 'totalSamples'>> & { totalSamples: number | undefined }

function checked(options: FlacOptions): Format {
  const { sampleRateHz, channels = 1, blockSamples = DEFAULT_BLOCK_SAMPLES, totalSamples } = options
  const isWithin = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most
  if (!isWithin(sampleRateHz, 1, MAX_SAMPLE_RATE_HZ))
    throw new RangeError(`The sample rate of a FLAC file must be 1 to ${MAX_SAMPLE_RATE_HZ} Hz`)
  if (!isWithin(channels, 1, MAX_CHANNELS))
    throw new RangeError(`A FLAC file must have 1 to ${MAX_CHANNELS} channels`)
  if (!isWithin(blockSamples, MIN_BLOCK_SAMPLES, MAX_BLOCK_SAMPLES))
    throw new RangeError(`A block of FLAC must have ${MIN_BLOCK_SAMPLES} to ${MAX_BLOCK_SAMPLES} samples`)
  if (totalSamples !== undefined && !isWithin(totalSamples, 0, MAX_TOTAL_SAMPLES))
    throw new RangeError(`A FLAC file must have 0 to ${MAX_TOTAL_SAMPLES} samples`)
  return { sampleRateHz, channels, blockSamples, totalSamples }
}

/** Writes the signature and the one block of metadata that is required (RFC 9639, section 8.2). Zeros stand for unknown. */
function fileHeader({
  sampleRateHz,
  channels,
  blockSamples,
  totalSamples = 0,
}: Format): Uint8Array<ArrayBuffer> {
  const writer = new BitWriter(42)
  for (const letter of 'fLaC') writer.write(letter.charCodeAt(0), 8)
  writer.write(1, 1) // the last block of metadata
  writer.write(0, 7) // STREAMINFO
  writer.write(34, 24)
  writer.write(blockSamples, 16)
  writer.write(blockSamples, 16)
  writer.write(0, 24) // bytes of the smallest frame
  writer.write(0, 24) // bytes of the largest frame
  writer.write(sampleRateHz, 20)
  writer.write(channels - 1, 3)
  writer.write(BITS_PER_SAMPLE - 1, 5)
  writer.write(Math.floor(totalSamples / 2 ** 32), 4)
  writer.write(totalSamples, 32)
  for (let word = 0; word < 4; word++) writer.write(0, 32) // MD5 of the audio
  return writer.bytes
}

/** Encodes a block, interleaved, to a frame (RFC 9639, section 9). */
function frameOf(block: Int16Array, { sampleRateHz, channels, number }: Format & { number: number }) {
  const writer = new BitWriter(2 * block.length + 32)
  writer.write(0xff_f8, 16) // synchronization; all blocks have one length
  writer.write(7, 4) // the length of the block follows in 16 bits
  writer.write(RATE_CODES[sampleRateHz] ?? 0, 4)
  writer.write(channels - 1, 4)
  writer.write(4, 3) // 16 bits a sample
  writer.write(0, 1)
  writeNumber(writer, number)
  writer.write(block.length / channels - 1, 16)
  writer.write(crc8(writer.bytes), 8)
  for (const samples of channels === 1 ? [block] : deinterleave(block, channels))
    writeSubframe(writer, samples)
  writer.align()
  writer.write(crc16(writer.bytes), 16)
  return writer.bytes
}

/** Writes a number as UTF-8 writes a code point, extended to 31 bits (RFC 9639, section 9.1.5). */
function writeNumber(writer: BitWriter, number: number): void {
  if (number < 0x80) return writer.write(number, 8)
  let following = 1
  while (number >= 2 ** (5 * following + 6)) following++
  writer.write(((0xff << (7 - following)) & 0xff) | Math.floor(number / 2 ** (6 * following)), 8)
  while (following-- > 0) writer.write(0x80 | (Math.floor(number / 2 ** (6 * following)) & 0x3f), 8)
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
