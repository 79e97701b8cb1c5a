import { sampleFormats } from '../convert/formats.ts'
import { FORMAT_CHUNK_BYTES, parseFormat } from './parse-format.ts'
import { type WavChunk, WavError, type WavFormat } from './wav-format.ts'

const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const DS64_BYTES = 16
/** Chunks that describe only the encoding of this file, and fillers. */
const NOT_KEPT: readonly string[] = ['fmt ', 'data', 'ds64', 'fact', 'JUNK', 'junk', 'PAD ', 'FLLR']

/**
 * Returns whether a length is the placeholder of a writer that did not know it. Writers choose the largest number of 31 or
 * 32 bits or the one after it, less their header (sox up to 4 KiB) and rounded down to whole frames.
 */
const isPlaceholder = (bytes: number, frameBytes: number): boolean =>
  [2 ** 31, 2 ** 32].some((limit) => bytes <= limit && bytes >= limit - 4096 - frameBytes)

const textOf = (bytes: Uint8Array, start: number) => String.fromCharCode(...bytes.subarray(start, start + 4))

/** Creates a walker over the chunks of a file, which finds the format, the audio and the chunks to keep. */
export function createChunkWalker(maxChunkBytes: number) {
  const scratch = new Uint8Array(FORMAT_CHUNK_BYTES)
  const view = new DataView(scratch.buffer)
  let collected = scratch.subarray(0, HEADER_BYTES)
  let held = 0
  let reading: 'header' | 'chunk' | 'format' | 'ds64' | 'kept' | 'audio' = 'header'
  let littleEndian = true
  /** Bytes to skip before the next chunk; a padding byte may follow them. */
  let skip = 0
  let padded = false
  let position = 0
  let fileBytes = 0
  let dataBytes64 = 0
  let parsed: Omit<WavFormat, 'dataBytes'> | undefined
  let format: WavFormat | undefined
  /** Remaining bytes of audio; infinite if unknown. */
  let left = Number.POSITIVE_INFINITY
  const chunks: WavChunk[] = []
  let room = maxChunkBytes
  let keptId = ''

  function collect(next: typeof reading, into: Uint8Array<ArrayBuffer>): void {
    reading = next
    collected = into
    held = 0
  }
  const collectChunk = () => collect('chunk', scratch.subarray(0, CHUNK_HEADER_BYTES))

  function enterData(size: number): void {
    if (parsed === undefined) throw new WavError('format_missing', 'The audio comes before its format')
    const frameBytes = sampleFormats[parsed.sampleFormat].bytesPerSample * parsed.channels
    // A stream may also declare no audio. Its file then ends with this header, or has an unknown length too.
    const isUnknown =
      isPlaceholder(size, frameBytes) ||
      (size === 0 && (fileBytes + CHUNK_HEADER_BYTES <= position || isPlaceholder(fileBytes, frameBytes)))
    const dataBytes = isUnknown ? dataBytes64 || undefined : size
    format = { ...parsed, dataBytes }
    left = dataBytes ?? Number.POSITIVE_INFINITY
    padded = left % 2 === 1
    reading = 'audio'
  }

  function enterChunk(): void {
    const id = textOf(scratch, 0)
    const size = view.getUint32(4, littleEndian)
    padded = size % 2 === 1
    const isBeforeAudio = format === undefined
    if (isBeforeAudio && id === 'data') {
      enterData(size)
    } else if (isBeforeAudio && id === 'fmt ' && parsed === undefined) {
      const read = Math.min(size, FORMAT_CHUNK_BYTES)
      skip = size - read
      collect('format', scratch.subarray(0, read))
    } else if (isBeforeAudio && id === 'ds64' && size >= DS64_BYTES) {
      skip = size - DS64_BYTES
      collect('ds64', scratch.subarray(0, DS64_BYTES))
    } else if (!NOT_KEPT.includes(id) && size <= room) {
      room -= size
      keptId = id
      collect('kept', new Uint8Array(size))
      if (size === 0) steps.kept()
    } else {
      skip = size
      collectChunk()
    }
  }

  /** Handlers of the collected bytes, by state. */
  const steps = {
    header() {
      const id = textOf(scratch, 0)
      if (!['RIFF', 'RIFX', 'RF64', 'BW64'].includes(id) || textOf(scratch, 8) !== 'WAVE')
        throw new WavError('not_wav', 'The bytes do not start like a WAV file')
      littleEndian = id !== 'RIFX'
      fileBytes = view.getUint32(4, littleEndian)
      collectChunk()
    },
    chunk: enterChunk,
    format() {
      parsed = parseFormat(collected, littleEndian)
      collectChunk()
    },
    ds64() {
      // EBU Tech 3306: the length of the file, then that of the audio, in 64 bits each.
      const size = Number(view.getBigUint64(8, true))
      if (!Number.isSafeInteger(size))
        throw new WavError('format_invalid', 'The length of the audio is not valid')
      dataBytes64 = size
      collectChunk()
    },
    kept() {
      chunks.push({ id: keptId, bytes: collected })
      collectChunk()
    },
  }

  return {
    chunks,
    get format() {
      return format
    },
    get bytesLeft() {
      return left
    },
    /** Returns the part of the bytes that is audio. */
    audioOf(bytes: Uint8Array): Uint8Array {
      let audio = bytes.subarray(0, 0)
      let at = 0
      const take = (most: number): Uint8Array => {
        const part = bytes.subarray(at, at + Math.min(most, bytes.length - at))
        at += part.length
        position += part.length
        return part
      }
      while (at < bytes.length)
        if (reading === 'audio') {
          if (left > 0) {
            audio = take(left)
            left -= audio.length
          } else collectChunk()
        } else if (skip > 0 && reading === 'chunk') {
          skip -= take(skip).length
        } else if (padded && held === 0 && reading === 'chunk') {
          // The padding is zero (RIFF 1.0, "Chunks"). Some writers omit it, and no chunk's name starts with zero.
          padded = false
          if (bytes[at] === 0) take(1)
        } else {
          const part = take(collected.length - held)
          collected.set(part, held)
          held += part.length
          if (held === collected.length) steps[reading]()
        }
      return audio
    },
  }
}
