import { AbortedError, type ErrorContext, TimeoutError } from '../errors.ts'
import type { Clock } from './clock.ts'
import { whenAborted } from './when-aborted.ts'

/** What ends a try from outside: its time, or the caller's signal. Let go when the try is over. */
export interface Interruption {
  readonly signal: AbortSignal
  /** Ends the try and lets go of it, with this reason unless it has ended. */
  abort(reason: unknown): void
  /** Settles as the work does, or rejects with the reason of an abort at once, whatever the work makes of it. */
  race<Value>(work: Promise<Value>): Promise<Value>
  /** The time of the try no longer counts; the caller's signal still does. */
  stopTimer(): void
  release(): void
}

export function createInterruption(options: {
  readonly context: ErrorContext
  readonly signal: AbortSignal | undefined
  readonly tryTimeoutMs: number
  /** Left of the total time. */
  readonly remainingMs: number
  readonly timeoutMs: number
  readonly clock: Clock
}): Interruption {
  const { context, signal, tryTimeoutMs, remainingMs, timeoutMs, clock } = options
  const controller = new AbortController()
  // Not a listener of the signal for each wait, which would cost as much as the rest of a try.
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  interrupted.catch(() => undefined)
  const end = (reason: unknown): void => {
    // First, so that what the work makes of the signal comes too late.
    reject(reason)
    controller.abort(reason)
    release()
  }
  const abort = (): void => end(new AbortedError({ ...context, cause: signal?.reason }))
  const isLast = remainingMs < tryTimeoutMs
  const stopTimer = clock.after(Math.min(remainingMs, tryTimeoutMs), () =>
    end(
      new TimeoutError({
        ...context,
        limit: isLast ? 'total' : 'try',
        timeoutMs: isLast ? timeoutMs : tryTimeoutMs,
      }),
    ),
  )
  if (signal) whenAborted(signal, abort)
  return {
    signal: controller.signal,
    abort: end,
    race: (work) => Promise.race([interrupted, work]),
    stopTimer,
    release,
  }
  function release(): void {
    stopTimer()
    signal?.removeEventListener('abort', abort)
  }
}
