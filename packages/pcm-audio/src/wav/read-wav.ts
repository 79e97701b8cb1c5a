import { sampleFormats } from '../convert/formats.ts'
import { createFloatPcmDecoder, createPcmDecoder, type PcmDecoder } from '../convert/pcm-decoder.ts'
import type { SampleFormat } from '../convert/sample-format.ts'
import { createChunkWalker } from './chunk-walker.ts'
import { type WavChunk, WavError, type WavFormat } from './wav-format.ts'

/** Reads a WAV file of any length as its bytes arrive. It never holds more than the kept chunks and part of a frame. */
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
  /** The complete chunks so far. None can follow audio of unknown length. */
  readonly chunks: readonly WavChunk[]
}

export interface WavReaderOptions {
  /** Maximum size of all kept chunks together; 1 MiB by default. Chunks for which it has no room are skipped. */
  maxChunkBytes?: number
}

const MAX_CHUNK_BYTES = 2 ** 20

function createReader<Samples extends Int16Array | Float32Array>(
  createDecoder: (format: SampleFormat, channels: number) => PcmDecoder<Samples>,
  empty: Samples,
  { maxChunkBytes = MAX_CHUNK_BYTES }: WavReaderOptions = {},
): WavReader<Samples> {
  const walker = createChunkWalker(maxChunkBytes)
  let decoder: PcmDecoder<Samples> | undefined
  return {
    chunks: walker.chunks,
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
 * A-law. Of other chunks, such as `cue ` and `LIST`, it keeps those for which there is room.
 *
 * @example
 * const reader = createWavReader()
 * const samples = reader.push(encodeWav(Int16Array.of(1, 2), { sampleRateHz: 8000 }))
 * console.log(reader.format?.sampleRateHz, samples) // 8000 Int16Array [1, 2]
 */
export const createWavReader = (options?: WavReaderOptions): WavReader =>
  createReader(createPcmDecoder, new Int16Array(0), options)

/** Creates a reader like `createWavReader` that returns floats. */
export const createFloatWavReader = (options?: WavReaderOptions): WavReader<Float32Array> =>
  createReader(createFloatPcmDecoder, new Float32Array(0), options)

/** A whole WAV file. */
export interface DecodedWav {
  readonly format: WavFormat
  /** Interleaved; see `deinterleave`. */
  readonly samples: Int16Array
  /** All other chunks, such as `cue ` and `LIST`, which `encodeWav` can write again. */
  readonly chunks: readonly WavChunk[]
}

/**
 * Reads a whole WAV file.
 *
 * @throws WavError if the file cannot be read or is truncated
 * @example
 * const { format, samples } = decodeWav(encodeWav(Int16Array.of(1, 2), { sampleRateHz: 8000 }))
 * console.log(format.channels, samples) // 1 Int16Array [1, 2]
 */
export function decodeWav(file: Uint8Array): DecodedWav {
  const reader = createWavReader({ maxChunkBytes: file.length })
  const samples = reader.push(file)
  reader.end()
  const { format, chunks } = reader
  if (format === undefined) throw new WavError('truncated', 'The bytes end before the audio starts')
  return { format, samples, chunks }
}
