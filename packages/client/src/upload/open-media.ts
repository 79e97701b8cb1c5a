import type nodeFs from 'node:fs'
import type { MediaSource } from '../media-source.ts'
import { readStream } from '../transport/read-stream.ts'
import { piecesOf } from './pieces.ts'

/** Media that is ready to be sent. */
export interface OpenMedia {
  /** NaN if the length is not known in advance. */
  readonly bytes: number
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Size of the pieces that bytes are sent in: keeps progress fine-grained and the encoded copies small. */
const PIECE_BYTES = 2 ** 16

export const isStream = (
  source: MediaSource,
): source is AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> =>
  Symbol.asyncIterator in Object(source) || 'getReader' in Object(source)

/**
 * Opens a source for reading.
 *
 * @param name name of the field, for error messages
 * @param signal stops reading a stream
 * @throws TypeError if the source is a path and the runtime has no file system, or is not a media source
 * @throws Error of the file system, if the file cannot be found
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
  // Not an import, which would break bundles for browsers.
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (!fs) throw new TypeError(`${name} by path needs a file system`)
  const { size } = await fs.promises.stat(path)
  return { bytes: size, chunks: readFile(fs, path) }
}

/** Opens the file only when it is read, because an earlier failure would be an unhandled `error` event. */
async function* readFile(fs: typeof nodeFs, path: string): AsyncGenerator<Uint8Array> {
  yield* fs.createReadStream(path)
}
