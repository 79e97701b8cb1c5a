import { AbortedError, ConsumedStreamError, StalledStreamError } from '../errors.ts'
import { type Received, readingFailure } from './received.ts'

/** Ends the connection of a body that nobody reads. */
export function cancel({ response, context, interruption }: Received): void {
  interruption.abort(new AbortedError(context))
  // Not every fetch ends its body by the signal. One that is read is ended by its reader.
  response.body?.cancel().catch(() => undefined)
}

/**
 * A body piece by piece. Ends the connection where the loop is left early.
 *
 * @throws TruncatedStreamError, StalledStreamError, ConsumedStreamError, AbortedError
 */
export async function* readChunks(
  received: Received,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { response, context, interruption, idleTimeoutMs, clock } = received
  const { signal, abort, stopTimer, release } = interruption
  signal.throwIfAborted()
  // Not every runtime keeps both.
  if (response.bodyUsed || response.body?.locked) throw new ConsumedStreamError(context)
  stopTimer()
  const reader = (response.body ?? new Blob([]).stream()).getReader()
  // A fetch of the caller's may not end its stream by the signal.
  const cancelReader = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', cancelReader)
  const stalled = (): void => abort(new StalledStreamError({ ...context, idleTimeoutMs }))
  let missingBytes = expectedBytes(response.headers)
  try {
    for (;;) {
      signal.throwIfAborted()
      const stopIdleTimer = clock.after(idleTimeoutMs, stalled)
      const { done, value } = await reader
        .read()
        .catch((cause: unknown) => {
          throw readingFailure(received, cause)
        })
        .finally(stopIdleTimer)
      signal.throwIfAborted()
      if (done) break
      missingBytes -= value.byteLength
      yield value
    }
    // Not every fetch counts.
    if (missingBytes > 0) throw readingFailure(received)
  } finally {
    signal.removeEventListener('abort', cancelReader)
    cancelReader()
    release()
  }
}

/** As the headers tell it; nothing where they do not, or where what is read is not what was counted. */
const expectedBytes = (headers: Headers): number =>
  headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0)
