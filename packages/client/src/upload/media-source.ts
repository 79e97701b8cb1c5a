import type nodeFs from 'node:fs'
import { readStream } from '../transport/read-stream.ts'
import { piecesOf } from './pieces.ts'

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
  /** NaN where only its end will tell. */
  readonly bytes: number
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** What bytes are sent in, so that progress is told and what is made of them stays small. */
const PIECE_BYTES = 2 ** 16

/** What can be sent once only. */
export const isStream = (
  source: MediaSource,
): source is AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> =>
  Symbol.asyncIterator in Object(source) || 'getReader' in Object(source)

/**
 * @param name of its field
 * @param signal ends the reading of a stream
 * @throws TypeError where it is a path and there are no files, or it is nothing to be sent
 * @throws Error of the file system
 */
export async function openMedia(
  name: string | undefined,
  source: MediaSource,
  signal: AbortSignal,
): Promise<OpenMedia> {
  if (typeof source === 'string') return openFile(name, source)
  if (source instanceof Blob) return { bytes: source.size, chunks: readStream(source.stream(), signal) }
  if (isStream(source))
    return { bytes: NaN, chunks: 'getReader' in source ? readStream(source, signal) : source }
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source
  if (!ArrayBuffer.isView(bytes)) throw new TypeError(`${name} must be a blob, bytes, a stream or a path`)
  return { bytes: bytes.length, chunks: piecesOf(bytes, PIECE_BYTES) }
}

async function openFile(name: string | undefined, path: string): Promise<OpenMedia> {
  // Not imported: a bundle for browsers would fail on it.
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (!fs) throw new TypeError(`${name} by path needs a file system`)
  const { size } = await fs.promises.stat(path)
  return { bytes: size, chunks: readFile(fs, path) }
}

/** Opened when it is its turn: a file that fails before that would fail where nobody listens. */
async function* readFile(fs: typeof nodeFs, path: string): AsyncGenerator<Uint8Array> {
  yield* fs.createReadStream(path)
}
