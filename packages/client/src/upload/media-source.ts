import type nodeFs from 'node:fs'
import { whenAborted } from '../transport/when-aborted.ts'

/**
 * Where media comes from: a `Blob` or a `File`, bytes, a stream, or in Node, Bun and Deno the path of a file. A stream
 * can be sent once, so a request with one is never tried again.
 */
export type MediaSource =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>
  | string

/** Media that is about to be sent. */
export interface OpenMedia {
  /** Null where only its end will tell. */
  readonly bytes: number | null
  readonly contentType: string
  readonly chunks: AsyncIterable<Uint8Array>
}

const UNKNOWN_TYPE = 'application/octet-stream'

const isStream = (source: MediaSource): source is AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> =>
  typeof source === 'object' && (Symbol.asyncIterator in source || 'getReader' in source)

/** Whether a further try can send it again. */
export const isReplayable = (source: MediaSource): boolean => !isStream(source)

/**
 * @param signal ends the reading of a stream
 * @throws TypeError where it is a path and there are no files, or it is nothing to be sent
 * @throws Error of the file system
 */
export async function openMedia(source: MediaSource, signal: AbortSignal): Promise<OpenMedia> {
  if (typeof source === 'string') return openFile(source)
  if (isStream(source)) {
    const chunks = 'getReader' in source ? readStream(source, signal) : source
    return { bytes: null, contentType: UNKNOWN_TYPE, chunks }
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source
    return { bytes: bytes.byteLength, contentType: UNKNOWN_TYPE, chunks: piecesOf(bytes) }
  }
  if (!(source instanceof Blob)) throw new TypeError('media must be a Blob, bytes, a stream or a path')
  return {
    bytes: source.size,
    contentType: source.type || UNKNOWN_TYPE,
    chunks: readStream(source.stream(), signal),
  }
}

async function openFile(path: string): Promise<OpenMedia> {
  // Not imported: a bundle for browsers would fail on it.
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (fs === undefined) throw new TypeError('media by path needs a run time with files')
  const { size } = await fs.promises.stat(path)
  return { bytes: size, contentType: UNKNOWN_TYPE, chunks: readFile(fs, path) }
}

/** Opened when it is its turn: a file that fails before that would fail where nobody listens. */
async function* readFile(fs: typeof nodeFs, path: string): AsyncGenerator<Uint8Array> {
  yield* fs.createReadStream(path)
}

const PIECE_BYTES = 2 ** 16

/** In pieces, so that progress is told and what is made of them stays small. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** Not every browser can iterate a stream. Tells the source where it is not read to its end, also where none of it is. */
function readStream(stream: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  // Its failure is that of the reads.
  whenAborted(signal, () => void reader.cancel(signal.reason).catch(() => undefined))
  return chunksOf(reader)
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
