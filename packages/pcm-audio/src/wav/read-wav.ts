import { sampleFormats } from '../convert/formats.ts'
import { createFloatPcmDecoder, createPcmDecoder, type PcmDecoder } from '../convert/pcm-decoder.ts'
import type { SampleFormat } from '../convert/sample-format.ts'
import { FORMAT_CHUNK_BYTES, parseFormat } from './parse-format.ts'
import { WavError, type WavFormat } from './wav-format.ts'

/** Reads a WAV file of any length as its bytes arrive. It never holds more than a few bytes of header and part of a frame. */
export interface WavReader<Samples extends Int16Array | Float32Array = Int16Array> {
  /**
   * Takes any number of bytes and returns their samples, interleaved and in whole frames.
   *
   * @throws WavError as soon as the bytes turn out not to be a readable WAV file
   */
  push(bytes: Uint8Array): Samples
  /**
   * Marks the end of the file.
   *
   * @throws WavError `truncated` if audio is missing, unless its length was unknown
   */
  end(): void
  /** Format in the header; undefined until the header has arrived. */
  readonly format: WavFormat | undefined
}

const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const DS64_BYTES = 16
/** Placeholder for a length that the writer did not know: all ones. */
const UNKNOWN = 0xff_ff_ff_ff
/** The placeholder of sox, which it rounds down to whole frames. */
const UNKNOWN_TO_SOX = 0x7f_ff_f0_00

const textOf = (bytes: Uint8Array, start: number) => String.fromCharCode(...bytes.subarray(start, start + 4))

/** Finds the format and the audio among the chunks. */
function createChunkWalker() {
  const collected = new Uint8Array(FORMAT_CHUNK_BYTES)
  const view = new DataView(collected.buffer)
  let held = 0
  let wanted = HEADER_BYTES
  let reading: 'header' | 'chunk' | 'format' | 'ds64' | 'nothing' = 'header'
  let littleEndian = true
  /** Bytes to skip before the next chunk; a padding byte may follow them. */
  let skip = 0
  let padded = false
  let fileBytes = 0
  let dataBytes64: number | undefined
  let parsed: Omit<WavFormat, 'dataBytes'> | undefined
  let format: WavFormat | undefined
  /** Remaining bytes of audio; infinite if unknown. */
  let left = Number.POSITIVE_INFINITY

  const inHeader = () => reading !== 'nothing'

  function collect(next: 'chunk' | 'format' | 'ds64', bytes: number): void {
    reading = next
    wanted = bytes
    held = 0
  }

  function enterData(size: number): void {
    if (parsed === undefined) throw new WavError('format_missing', 'The audio comes before its format')
    const frameBytes = sampleFormats[parsed.sampleFormat].bytesPerSample * parsed.channels
    const unknown =
      size === UNKNOWN ||
      size === UNKNOWN_TO_SOX - (UNKNOWN_TO_SOX % frameBytes) ||
      (size === 0 && (fileBytes === 0 || fileBytes === UNKNOWN))
    const dataBytes = unknown ? dataBytes64 : size
    format = { ...parsed, dataBytes }
    left = dataBytes ?? Number.POSITIVE_INFINITY
    reading = 'nothing'
  }

  function enterChunk(): void {
    const id = textOf(collected, 0)
    const size = view.getUint32(4, littleEndian)
    padded = size % 2 === 1
    if (id === 'data') {
      enterData(size)
    } else if (id === 'fmt ' && parsed === undefined) {
      const read = Math.min(size, FORMAT_CHUNK_BYTES)
      skip = size - read
      collect('format', read)
    } else if (id === 'ds64' && size >= DS64_BYTES) {
      skip = size - DS64_BYTES
      collect('ds64', DS64_BYTES)
    } else {
      skip = size
      collect('chunk', CHUNK_HEADER_BYTES)
    }
  }

  /** Handlers of the collected bytes, by state. */
  const steps = {
    header() {
      const id = textOf(collected, 0)
      if (!['RIFF', 'RIFX', 'RF64', 'BW64'].includes(id) || textOf(collected, 8) !== 'WAVE')
        throw new WavError('not_wav', 'The bytes do not start like a WAV file')
      littleEndian = id !== 'RIFX'
      fileBytes = view.getUint32(4, littleEndian)
      collect('chunk', CHUNK_HEADER_BYTES)
    },
    chunk: enterChunk,
    format() {
      parsed = parseFormat(collected.subarray(0, wanted), littleEndian)
      collect('chunk', CHUNK_HEADER_BYTES)
    },
    ds64() {
      // EBU Tech 3306: the length of the file, then that of the audio, in 64 bits each.
      const size = Number(view.getBigUint64(8, true))
      if (!Number.isSafeInteger(size))
        throw new WavError('format_invalid', 'The length of the audio is not valid')
      dataBytes64 = size
      collect('chunk', CHUNK_HEADER_BYTES)
    },
    nothing() {},
  }

  return {
    get format() {
      return format
    },
    get bytesLeft() {
      return left
    },
    /** Returns the part of the bytes that is audio. */
    audioOf(bytes: Uint8Array): Uint8Array {
      let at = 0
      while (inHeader() && at < bytes.length) {
        if (skip > 0 && reading === 'chunk') {
          const passed = Math.min(skip, bytes.length - at)
          skip -= passed
          at += passed
        } else if (padded && held === 0 && reading === 'chunk') {
          // The padding is zero (RIFF 1.0, "Chunks"). Some writers omit it, and no chunk's name starts with zero.
          padded = false
          if (bytes[at] === 0) at++
        } else {
          const part = bytes.subarray(at, at + wanted - held)
          collected.set(part, held)
          held += part.length
          at += part.length
          if (held === wanted) steps[reading]()
        }
      }
      const audio = bytes.subarray(at, at + Math.min(left, bytes.length - at))
      left -= audio.length
      return audio
    },
  }
}

function createReader<Samples extends Int16Array | Float32Array>(
  createDecoder: (format: SampleFormat, channels: number) => PcmDecoder<Samples>,
  empty: Samples,
): WavReader<Samples> {
  const walker = createChunkWalker()
  let decoder: PcmDecoder<Samples> | undefined
  return {
    get format() {
      return walker.format
    },
    push(bytes) {
      const audio = walker.audioOf(bytes)
      const { format } = walker
      if (format === undefined) return empty
      decoder ??= createDecoder(sampleFormats[format.sampleFormat], format.channels)
      return decoder.push(audio)
    },
    end() {
      if (walker.format === undefined)
        throw new WavError('truncated', 'The bytes end before the audio starts')
      if (Number.isFinite(walker.bytesLeft) && walker.bytesLeft > 0)
        throw new WavError('truncated', `${walker.bytesLeft} bytes of audio are missing`)
    },
  }
}

/**
 * Creates a reader of WAV files: RIFF, RIFX, RF64 and BW64, with plain and extensible formats, of integers, floats, μ-law or
 * A-law. It skips unknown chunks of any length.
 *
 * @example
 * const reader = createWavReader()
 * const samples = reader.push(encodeWav(Int16Array.of(1, 2), { sampleRateHz: 8000 }))
 * console.log(reader.format?.sampleRateHz, samples) // 8000 Int16Array [1, 2]
 */
export const createWavReader = (): WavReader => createReader(createPcmDecoder, new Int16Array(0))

/** Creates a reader like `createWavReader` that returns floats. */
export const createFloatWavReader = (): WavReader<Float32Array> =>
  createReader(createFloatPcmDecoder, new Float32Array(0))

/**
 * Reads a whole WAV file. Samples are interleaved; see `deinterleave`.
 *
 * @throws WavError if the file cannot be read or is truncated
 * @example
 * const { format, samples } = decodeWav(encodeWav(Int16Array.of(1, 2), { sampleRateHz: 8000 }))
 * console.log(format.channels, samples) // 1 Int16Array [1, 2]
 */
export function decodeWav(file: Uint8Array): { format: WavFormat; samples: Int16Array } {
  const reader = createWavReader()
  const samples = reader.push(file)
  reader.end()
  const { format } = reader
  if (format === undefined) throw new WavError('truncated', 'The bytes end before the audio starts')
  return { format, samples }
}
