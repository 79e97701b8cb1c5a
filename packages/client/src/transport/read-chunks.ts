import { AbortedError, ConsumedStreamError } from '../errors.ts'
import type { Received } from './attempt.ts'
import { watchIdle } from './idle.ts'
import { readStream } from './read-stream.ts'
import { readingFailure } from './reading-failure.ts'

/** Ends the connection of a body that nobody reads. */
export function cancel({ response, context, abort }: Received): void {
  abort(new AbortedError(context))
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
  const { response, context, signal, stopTimer, release } = received
  signal.throwIfAborted()
  // Not every runtime keeps both.
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
    // Not every fetch counts.
    if (missingBytes > 0) throw readingFailure(received)
  } finally {
    void chunks.return(undefined)
    release()
  }
}

/** As the headers tell it; nothing where they do not, or where what is read is not what was counted. */
const expectedBytes = (headers: Headers): number =>
  headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0)
