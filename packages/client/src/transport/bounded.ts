import { AbortedError, type ErrorContext } from '../errors.ts'
import type { Clock } from './clock.ts'
import { whenAborted } from './when-aborted.ts'

/** Work before it starts. */
interface Planned {
  readonly clock: Clock
  context: ErrorContext
}

/** Limits of work in progress. */
export interface Bounds {
  /** Aborted by the time limit, by the caller's signal or by a failure. */
  readonly signal: AbortSignal
  /** Ends the work with this reason, unless it has already ended, and releases its timer and listener. */
  abort(reason: unknown): void
  /** Removes the time limit; the caller's signal stays in effect. */
  stopTimer(): void
  /** Removes the time limit and the caller's signal, once the work is over. */
  release(): void
}

/**
 * Runs work with a time limit. Rejects with the abort reason at once, even if the work ignores the signal, because not every
 * `fetch` rejects on abort. If the work fails, aborts everything that runs beside it.
 *
 * @param planned passed to the work together with its bounds
 * @param signal the caller's signal
 * @param onTime called after `delayMs`
 */
export function bounded<Plan extends Planned, Value>(
  planned: Plan,
  signal: AbortSignal | undefined,
  delayMs: number,
  onTime: (running: Plan & Bounds, resolve: (value: Value) => void) => void,
  work?: (running: Plan & Bounds) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  return new Promise((resolve, reject) => {
    const abort = (reason: unknown): void => {
      // Reject before aborting, so that a rejection caused by the signal comes too late.
      reject(reason)
      controller.abort(reason)
      release()
    }
    const stopTimer = planned.clock.after(delayMs, () => onTime(running, resolve))
    let stopWatching: (() => void) | undefined
    const release = (): void => {
      stopTimer()
      stopWatching?.()
    }
    const running = { ...planned, signal: controller.signal, abort, stopTimer, release }
    // `whenAborted` calls back at once if the signal is already aborted, so `running` must exist by now.
    stopWatching =
      signal &&
      whenAborted(signal, () => abort(new AbortedError({ ...running.context, cause: signal.reason })))
    work?.(running).then(resolve, abort)
  })
}

/** Waits for the delay; rejects as soon as the signal is aborted. @throws AbortedError */
export const sleep = (
  clock: Clock,
  context: ErrorContext,
  signal: AbortSignal | undefined,
  delayMs: number,
): Promise<void> =>
  bounded({ clock, context }, signal, delayMs, (wait, resolve: () => void) => {
    wait.release()
    resolve()
  })
