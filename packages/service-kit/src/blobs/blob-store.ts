import type { Readable } from 'node:stream'

/** `unavailable` is temporary: the store cannot be reached or has no room. */
export type BlobErrorCode = 'not_found' | 'too_large' | 'invalid_key' | 'unavailable'

/** A blob could not be stored or read. The message never contains a blob's content. */
export class BlobError extends Error {
  override readonly name = 'BlobError'
  readonly code: BlobErrorCode

  constructor(code: BlobErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export interface PutOptions {
  /** A larger upload is refused and leaves nothing behind. */
  maxBytes: number
  contentType?: string
  signal?: AbortSignal
}

export interface ListedBlob {
  key: string
  bytes: number
}

export interface OpenBlob {
  stream: Readable
  bytes: number
}

/**
 * Stores recordings and media. A key becomes readable only after its whole blob is durable. No key may be the folder of
 * another (`a` and `a/b`), because a file system cannot hold both.
 */
export interface BlobStore {
  put(key: string, source: AsyncIterable<Uint8Array> | Uint8Array, options: PutOptions): Promise<void>
  /**
   * Opens a blob. Read the stream to its end or destroy it, because it holds a file or a connection.
   *
   * @throws BlobError `not_found`
   */
  open(key: string): Promise<OpenBlob>
  /** Idempotent. */
  delete(key: string): Promise<void>
  /** Lists the blobs directly in a folder, e.g. `shadow/spool`, in no order. One that is deleted meanwhile may be missing. */
  list(folder: string): AsyncIterable<ListedBlob>
  /** Removes unfinished uploads of processes that have ended. */
  sweep(): Promise<void>
  /** Releases open files and connections. */
  close(): Promise<void>
}

const KEY_PATTERN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/

/** Checks that a key is a relative path of safe names, so that it cannot escape the store. */
export function requireKey(key: string): string {
  if (key.length > 500 || !KEY_PATTERN.test(key))
    throw new BlobError('invalid_key', 'A blob key must consist of safe names joined by /')
  return key
}
