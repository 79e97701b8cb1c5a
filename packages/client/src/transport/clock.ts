import { AbortedError, type ErrorContext } from '../errors.ts'
import { whenAborted } from './when-aborted.ts'

/** Time as the client sees it; tests give their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Runs the action once after a time; returns what stops it. */
  after(delayMs: number, action: () => void): () => void
}

/** Longer delays would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
}

/** Waits, or rejects at once when the signal is aborted. @throws AbortedError */
export function sleep(options: {
  delayMs: number
  clock: Clock
  signal: AbortSignal | undefined
  context: ErrorContext
}): Promise<void> {
  const { delayMs, clock, signal, context } = options
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stop()
      reject(new AbortedError({ ...context, cause: signal?.reason }))
    }
    const stop = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    if (signal) whenAborted(signal, abort)
  })
}
