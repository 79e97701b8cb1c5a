import { AbortedError, type ErrorContext, TimeoutError } from '../errors.ts'
import type { Clock } from './clock.ts'

/** What ends a try from outside: its time, or the caller's signal. Let go when the try is over. */
export interface Interruption {
  readonly controller: AbortController
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
  const abort = (): void => controller.abort(new AbortedError({ ...context, cause: signal?.reason }))
  const isLast = remainingMs < tryTimeoutMs
  const stopTimer = clock.after(Math.min(remainingMs, tryTimeoutMs), () =>
    controller.abort(
      new TimeoutError({
        ...context,
        limit: isLast ? 'total' : 'try',
        timeoutMs: isLast ? timeoutMs : tryTimeoutMs,
      }),
    ),
  )
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  return {
    controller,
    race: (work) =>
      new Promise((resolve, reject) => {
        const { signal } = controller
        const interrupt = (): void => reject(signal.reason)
        if (signal.aborted) interrupt()
        signal.addEventListener('abort', interrupt)
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', interrupt))
      }),
    stopTimer,
    release() {
      stopTimer()
      signal?.removeEventListener('abort', abort)
    },
  }
}
