import type { Readable } from 'node:stream'

/** `unavailable`: the store cannot be reached, or has no room; later it may have. */
export type BlobErrorCode = 'not_found' | 'too_large' | 'invalid_key' | 'unavailable'

/** A blob could not be kept or read. The message never holds what a blob holds. */
export class BlobError extends Error {
  override readonly name = 'BlobError'
  readonly code: BlobErrorCode

  constructor(code: BlobErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export interface PutOptions {
  /** Past it the upload is refused, and leaves nothing. */
  maxBytes: number
  contentType?: string
  signal?: AbortSignal
}

export interface StoredBlob {
  bytes: number
  /** Lower-case hex. */
  sha256: string
}

export interface OpenBlob {
  stream: Readable
  bytes: number
}

/**
 * Where recordings and media are kept. A key is readable only once its whole blob is safe. No key may be the folder of
 * another (`a` and `a/b`), as files cannot hold both.
 */
export interface BlobStore {
  put(key: string, source: AsyncIterable<Uint8Array> | Uint8Array, options: PutOptions): Promise<StoredBlob>
  /**
   * Read the stream to its end or destroy it, as it holds a file or a connection.
   *
   * @throws BlobError `not_found`
   */
  open(key: string): Promise<OpenBlob>
  /** Idempotent. */
  delete(key: string): Promise<void>
  /** Removes what processes that have ended left unfinished. */
  sweep(): Promise<void>
  /** Lets go of what the store holds open. */
  close(): Promise<void>
}

const KEY_PATTERN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/

/** Keys are relative paths of safe names, so that none can leave its place. */
export function requireKey(key: string): string {
  if (key.length > 500 || !KEY_PATTERN.test(key))
    throw new BlobError('invalid_key', 'A blob’s key must be safe names joined by /')
  return key
}
