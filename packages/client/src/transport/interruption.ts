import { AbortedError, type ErrorContext, TimeoutError, type VaaniError } from '../errors.ts'
import type { Clock } from './clock.ts'
import { whenAborted } from './when-aborted.ts'

/** What ends a try from outside: its time, or the caller's signal. */
export interface Interruption {
  readonly signal: AbortSignal
  /** Ends the try and lets go of it, with this reason unless it has ended. */
  abort(reason: unknown): void
  /** An answer came. @param refusal what it means if its body does not come in time; else that is a `TimeoutError` */
  answered(context: ErrorContext, status: number, refusal?: () => VaaniError): void
  /** The time of the try no longer counts; the caller's signal still does. */
  stopTimer(): void
  /** The try is over, and nothing ends it any more. */
  release(): void
}

/**
 * Does the work of a try. Rejects with what ends it at once, whatever the work makes of that, as not every `fetch` rejects at an
 * abort; where the work fails, what goes on beside it ends too.
 */
export function interruptible<Value>(
  options: {
    readonly context: ErrorContext
    readonly signal: AbortSignal | undefined
    readonly tryTimeoutMs: number
    /** Left of the total time. */
    readonly remainingMs: number
    readonly timeoutMs: number
    readonly clock: Clock
  },
  work: (interruption: Interruption) => Promise<Value>,
): Promise<Value> {
  const { signal, tryTimeoutMs, remainingMs, clock } = options
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const end = (reason: unknown): void => {
      // First, so that what the work makes of the signal comes too late.
      reject(reason)
      controller.abort(reason)
      release()
    }
    let { context } = options
    let answer: { status?: number; refusal?: (() => VaaniError) | undefined } = {}
    const abort = (): void => end(new AbortedError({ ...context, cause: signal?.reason }))
    const isLast = remainingMs < tryTimeoutMs
    const stopTimer = clock.after(Math.min(remainingMs, tryTimeoutMs), () =>
      end(
        answer.refusal?.() ??
          new TimeoutError({
            ...context,
            status: answer.status ?? null,
            limit: isLast ? 'total' : 'try',
            timeoutMs: isLast ? options.timeoutMs : tryTimeoutMs,
          }),
      ),
    )
    const release = (): void => {
      stopTimer()
      signal?.removeEventListener('abort', abort)
    }
    if (signal) whenAborted(signal, abort)
    work({
      signal: controller.signal,
      abort: end,
      answered(itsContext, status, refusal) {
        context = itsContext
        answer = { status, refusal }
      },
      stopTimer,
      release,
    }).then(resolve, end)
  })
}
