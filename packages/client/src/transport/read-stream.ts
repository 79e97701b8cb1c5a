import { whenAborted } from './when-aborted.ts'

/**
 * A stream piece by piece, as not every browser can iterate one. Its source hears of an abort, even before it is read, and of a
 * loop that is left early.
 */
export function readStream<Chunk extends Uint8Array>(
  stream: ReadableStream<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk, undefined, undefined> {
  const reader = stream.getReader()
  // Its failure is that of the reads.
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
