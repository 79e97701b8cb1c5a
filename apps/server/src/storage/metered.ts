import { createHash } from 'node:crypto'
import { BlobError, type StoredBlob } from './blob-store.ts'

export interface Metered {
  chunks: AsyncIterable<Uint8Array>
  /** What went through; call it once all has. */
  result(): StoredBlob
}

/** Counts and digests what passes, and refuses what is over the limit. */
export function meter(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
  signal?: AbortSignal,
): Metered {
  const hash = createHash('sha256')
  let bytes = 0
  async function* pass() {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      signal?.throwIfAborted()
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new BlobError('too_large', `A blob may have at most ${maxBytes} bytes`)
      hash.update(chunk)
      yield chunk
    }
  }
  return { chunks: pass(), result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
