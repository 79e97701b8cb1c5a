import { AbortedError, ConsumedStreamError } from '../errors.ts'
import type { Received } from './attempt.ts'
import { watchIdle } from './idle.ts'
import { readStream } from './read-stream.ts'
import { readingFailure } from './reading-failure.ts'

/** Ends the connection of an unread body. */
export function cancel({ response, context, abort }: Received): void {
  abort(new AbortedError(context))
  // Not every `fetch` cancels the body on abort. If the body has a reader, this rejects and the reader cancels it.
  response.body?.cancel().catch(() => undefined)
}

/**
 * Reads a body piece by piece. Leaving the loop early ends the connection.
 *
 * @throws TruncatedStreamError, StalledStreamError, ConsumedStreamError, AbortedError
 */
export async function* readChunks(
  received: Received,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { response, context, signal, stopTimer, release } = received
  signal.throwIfAborted()
  // Not every runtime maintains both properties.
  if (response.bodyUsed || response.body?.locked) throw new ConsumedStreamError(context)
  stopTimer()
  const chunks = readStream(response.body ?? new Blob([]).stream(), signal)
  let missingBytes = expectedBytes(response.headers)
  try {
    for (;;) {
      const stopIdleTimer = watchIdle(received)
      const { done, value } = await chunks
        .next()
        .catch((cause: unknown) => {
          throw readingFailure(received, cause)
        })
        .finally(stopIdleTimer)
      signal.throwIfAborted()
      if (done) break
      missingBytes -= value.byteLength
      yield value
    }
    // Not every `fetch` checks the content length.
    if (missingBytes > 0) throw readingFailure(received)
  } finally {
    void chunks.return(undefined)
    release()
  }
}

/** Returns the content length; 0 if there is none, or if it counts compressed bytes while decompressed ones are read. */
const expectedBytes = (headers: Headers): number =>
  headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0)
