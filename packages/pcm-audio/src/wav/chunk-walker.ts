import { sampleFormats } from '../convert/formats.ts'
import { FORMAT_CHUNK_BYTES, parseFormat } from './parse-format.ts'
import { type WavChunk, WavError, type WavFormat } from './wav-format.ts'

const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const DS64_BYTES = 16
/** Most chunks of a file. Their number costs time however small they are; writers make a few dozen. */
const MAX_CHUNKS = 1000
/** Chunks that describe only the encoding of this file, and fillers. */
const NOT_KEPT: readonly string[] = ['fmt ', 'data', 'ds64', 'fact', 'JUNK', 'junk', 'PAD ', 'FLLR']

/**
 * Returns whether a length is the placeholder of a writer that did not know it. Writers choose the largest number of 31 or
 * 32 bits or the one after it, less their header (sox up to 4 KiB) and rounded down to whole frames.
 */
const isPlaceholder = (bytes: number, frameBytes: number): boolean =>
  [2 ** 31, 2 ** 32].some((limit) => bytes <= limit && bytes >= limit - 4096 - frameBytes)

const textOf = (bytes: Uint8Array, start: number) => String.fromCharCode(...bytes.subarray(start, start + 4))

type Reading = 'header' | 'chunk' | 'format' | 'ds64' | 'kept' | 'audio'

/** A walk over the chunks of a file. */
export interface ChunkWalker {
  /** Chunks to keep, so far. */
  readonly chunks: WavChunk[]
  /** Undefined until the audio begins. */
  readonly format: WavFormat | undefined
  /** Remaining bytes of audio; infinite if unknown. */
  readonly bytesLeft: number
  /** Returns the part of the bytes that is audio. */
  audioOf(bytes: Uint8Array): Uint8Array
}

/** Creates a walker over the chunks of a file, which finds the format, the audio and the chunks to keep. */
export const createChunkWalker = (maxChunkBytes: number): ChunkWalker =>
  new StatefulChunkWalker(maxChunkBytes)

class StatefulChunkWalker implements ChunkWalker {
  readonly #scratch = new Uint8Array(FORMAT_CHUNK_BYTES)
  readonly #view: DataView<ArrayBuffer>
  #collected: Uint8Array<ArrayBuffer>
  #held = 0
  #reading: Reading = 'header'
  #littleEndian = true
  /** Bytes to skip before the next chunk; a padding byte may follow them. */
  #skip = 0
  #padded = false
  #position = 0
  #fileBytes = 0
  #dataBytes64 = 0
  #parsed: Omit<WavFormat, 'dataBytes'> | undefined
  #format: WavFormat | undefined
  /** Remaining bytes of audio; infinite if unknown. */
  #left = Number.POSITIVE_INFINITY
  readonly chunks: WavChunk[] = []
  #room: number
  #keptId = ''
  #entered = 0

  constructor(maxChunkBytes: number) {
    this.#view = new DataView(this.#scratch.buffer)
    this.#collected = this.#scratch.subarray(0, HEADER_BYTES)
    this.#room = maxChunkBytes
  }

  get format() {
    return this.#format
  }

  get bytesLeft() {
    return this.#left
  }

  audioOf(bytes: Uint8Array): Uint8Array {
    let audio = bytes.subarray(0, 0)
    let at = 0
    const take = (most: number): Uint8Array => {
      const part = bytes.subarray(at, at + Math.min(most, bytes.length - at))
      at += part.length
      this.#position += part.length
      return part
    }
    while (at < bytes.length)
      if (this.#reading === 'audio') {
        if (this.#left > 0) {
          audio = take(this.#left)
          this.#left -= audio.length
        } else this.#collectChunk()
      } else if (this.#skip > 0 && this.#reading === 'chunk') {
        this.#skip -= take(this.#skip).length
      } else if (this.#padded && this.#held === 0 && this.#reading === 'chunk') {
        // The padding is zero (RIFF 1.0, "Chunks"). Some writers omit it, and no chunk's name starts with zero.
        this.#padded = false
        if (bytes[at] === 0) take(1)
      } else {
        const part = take(this.#collected.length - this.#held)
        this.#collected.set(part, this.#held)
        this.#held += part.length
        if (this.#held === this.#collected.length) this.#step()
      }
    return audio
  }

  #collect(next: Reading, into: Uint8Array<ArrayBuffer>): void {
    this.#reading = next
    this.#collected = into
    this.#held = 0
  }

  #collectChunk(): void {
    this.#collect('chunk', this.#scratch.subarray(0, CHUNK_HEADER_BYTES))
  }

  #enterData(size: number): void {
    if (this.#parsed === undefined) throw new WavError('format_missing', 'The audio comes before its format')
    const frameBytes = sampleFormats[this.#parsed.sampleFormat].bytesPerSample * this.#parsed.channels
    // A stream may also declare no audio. Its file then ends with this header, or has an unknown length too.
    const isUnknown =
      isPlaceholder(size, frameBytes) ||
      (size === 0 &&
        (this.#fileBytes + CHUNK_HEADER_BYTES <= this.#position ||
          isPlaceholder(this.#fileBytes, frameBytes)))
    const dataBytes = isUnknown ? this.#dataBytes64 || undefined : size
    this.#format = { ...this.#parsed, dataBytes }
    this.#left = dataBytes ?? Number.POSITIVE_INFINITY
    this.#padded = this.#left % 2 === 1
    this.#reading = 'audio'
  }

  #enterChunk(): void {
    if (++this.#entered > MAX_CHUNKS)
      throw new WavError('too_many_chunks', `The file has more than ${MAX_CHUNKS} chunks`)
    const id = textOf(this.#scratch, 0)
    const size = this.#view.getUint32(4, this.#littleEndian)
    this.#padded = size % 2 === 1
    const isBeforeAudio = this.#format === undefined
    if (isBeforeAudio && id === 'data') {
      this.#enterData(size)
    } else if (isBeforeAudio && id === 'fmt ' && this.#parsed === undefined) {
      const read = Math.min(size, FORMAT_CHUNK_BYTES)
      this.#skip = size - read
      this.#collect('format', this.#scratch.subarray(0, read))
    } else if (isBeforeAudio && id === 'ds64' && size >= DS64_BYTES) {
      this.#skip = size - DS64_BYTES
      this.#collect('ds64', this.#scratch.subarray(0, DS64_BYTES))
    } else if (!NOT_KEPT.includes(id) && size <= this.#room) {
      this.#room -= size
      this.#keptId = id
      this.#collect('kept', new Uint8Array(size))
      if (size === 0) this.#keep()
    } else {
      this.#skip = size
      this.#collectChunk()
    }
  }

  #readHeader(): void {
    const id = textOf(this.#scratch, 0)
    if (!['RIFF', 'RIFX', 'RF64', 'BW64'].includes(id) || textOf(this.#scratch, 8) !== 'WAVE')
      throw new WavError('not_wav', 'The bytes do not start like a WAV file')
    this.#littleEndian = id !== 'RIFX'
    this.#fileBytes = this.#view.getUint32(4, this.#littleEndian)
    this.#collectChunk()
  }

  /** EBU Tech 3306: the length of the file, then that of the audio, in 64 bits each. */
  #readLengths(): void {
    const size = Number(this.#view.getBigUint64(8, true))
    if (!Number.isSafeInteger(size))
      throw new WavError('format_invalid', 'The length of the audio is not valid')
    this.#dataBytes64 = size
    this.#collectChunk()
  }

  #keep(): void {
    this.chunks.push({ id: this.#keptId, bytes: this.#collected })
    this.#collectChunk()
  }

  /** Handles what was collected. */
  #step(): void {
    switch (this.#reading) {
      case 'header':
        return this.#readHeader()
      case 'chunk':
        return this.#enterChunk()
      case 'format':
        this.#parsed = parseFormat(this.#collected, this.#littleEndian)
        return this.#collectChunk()
      case 'ds64':
        return this.#readLengths()
      case 'kept':
        return this.#keep()
      case 'audio':
    }
  }
}
