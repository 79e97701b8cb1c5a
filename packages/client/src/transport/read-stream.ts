import { whenAborted } from './when-aborted.ts'

/**
 * Reads a stream piece by piece, because not every browser can iterate one. Cancels the source on abort, even before the first read,
 * and when the loop is left early.
 */
export function readStream<Chunk extends Uint8Array>(
  stream: ReadableStream<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk, undefined, undefined> {
  const reader = stream.getReader()
  // The reads report the same failure.
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  const stopWatching = whenAborted(signal, cancel)
  return readChunks()

  async function* readChunks(): AsyncGenerator<Chunk, undefined, undefined> {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        yield value
      }
    } finally {
      stopWatching()
      cancel()
    }
  }
}
