import {
  AbortedError,
  ApiError,
  type ErrorContext,
  StalledStreamError,
  TruncatedStreamError,
} from '../errors.ts'
import type { Clock } from './clock.ts'
import type { Interruption } from './interruption.ts'

/** The body of an answer, read in one of two ways. */
export interface ReceivedBody {
  readonly response: Response
  readonly context: ErrorContext
  nowMs(): number
  /** Ends the connection of a body that nobody reads. */
  cancel(): void
  /** Whole and parsed, within the time of the try. */
  json(): Promise<unknown>
  /**
   * Piece by piece. Ends the connection where the loop is left early.
   *
   * @throws TruncatedStreamError, StalledStreamError, AbortedError
   */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>
}

export function createReceivedBody(options: {
  readonly response: Response
  readonly context: ErrorContext
  readonly interruption: Interruption
  readonly idleTimeoutMs: number
  readonly clock: Clock
}): ReceivedBody {
  const { response, context, interruption, idleTimeoutMs, clock } = options
  const { signal, abort, stopTimer, release } = interruption
  const failure = (cause?: unknown): unknown =>
    signal.aborted ? signal.reason : new TruncatedStreamError({ ...context, cause })

  async function text(): Promise<string> {
    try {
      return await response.text()
    } catch (cause) {
      throw failure(cause)
    } finally {
      release()
    }
  }

  return {
    response,
    context,
    nowMs: clock.nowMs,

    cancel() {
      abort(new AbortedError(context))
      // Not every fetch ends its body by the signal. One that is read is ended by its reader.
      response.body?.cancel().catch(() => undefined)
    },

    async json() {
      const body = await text()
      try {
        return body === '' ? undefined : JSON.parse(body)
      } catch {
        // Not the parser's error, as its message quotes the body.
        throw new ApiError({ ...context, status: response.status, code: 'unrecognized', retryable: false })
      }
    },

    async *chunks() {
      stopTimer()
      const reader = (response.body ?? new Blob([]).stream()).getReader()
      // A fetch of the caller's may not end its stream by the signal.
      const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined)
      signal.addEventListener('abort', cancel)
      const stalled = (): void => abort(new StalledStreamError({ ...context, idleTimeoutMs }))
      let missingBytes = expectedBytes(response.headers)
      try {
        for (;;) {
          signal.throwIfAborted()
          const stopIdleTimer = clock.after(idleTimeoutMs, stalled)
          const { done, value } = await reader
            .read()
            .catch((cause: unknown) => {
              throw failure(cause)
            })
            .finally(stopIdleTimer)
          signal.throwIfAborted()
          if (done) break
          missingBytes -= value.byteLength
          yield value
        }
        // Not every fetch counts.
        if (missingBytes > 0) throw failure()
      } finally {
        signal.removeEventListener('abort', cancel)
        cancel()
        release()
      }
    },
  }
}

/** As the headers tell it; nothing where they do not, or where what is read is not what was counted. */
const expectedBytes = (headers: Headers): number =>
  headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0)
