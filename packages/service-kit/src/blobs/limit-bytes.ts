import { BlobError } from './blob-store.ts'

/** Passes the chunks of a source on, and refuses more bytes than the limit. */
export async function* limitBytes(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of source instanceof Uint8Array ? [source] : untilAborted(source, signal)) {
    signal?.throwIfAborted()
    bytes += chunk.byteLength
    requireRoom(bytes, maxBytes)
    yield chunk
  }
}

/** @throws BlobError `too_large` */
export function requireRoom(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new BlobError('too_large', `A blob may have at most ${maxBytes} bytes`)
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
