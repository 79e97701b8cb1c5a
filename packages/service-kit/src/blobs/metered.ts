import { createHash } from 'node:crypto'
import { BlobError, type StoredBlob } from './blob-store.ts'

export interface Metered {
  chunks: AsyncIterable<Uint8Array>
  /** Returns size and digest. Call it after reading all chunks. */
  result(): StoredBlob
}

/** Counts and hashes the bytes that pass through, and refuses more than the limit. */
export function meter(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
  signal?: AbortSignal,
): Metered {
  const hash = createHash('sha256')
  let bytes = 0
  async function* pass() {
    for await (const chunk of source instanceof Uint8Array ? [source] : untilAborted(source, signal)) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new BlobError('too_large', `A blob may have at most ${maxBytes} bytes`)
      hash.update(chunk)
      yield chunk
    }
  }
  return { chunks: pass(), result: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Ends as soon as the signal aborts, even if the source is stalled and sends no further chunk. */
async function* untilAborted(source: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  if (!signal) return yield* source
  const iterator = source[Symbol.asyncIterator]()
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => undefined)
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise])
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // Not awaited, because a generator that waits for a chunk returns only after it gets one.
    iterator.return?.().catch(() => undefined)
  }
}
