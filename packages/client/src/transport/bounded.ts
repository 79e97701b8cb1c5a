import { AbortedError, type ErrorContext } from '../errors.ts'
import type { Clock } from './clock.ts'
import { whenAborted } from './when-aborted.ts'

/** What is known of something that takes time before it begins. */
interface Planned {
  readonly clock: Clock
  context: ErrorContext
}

/** What ends something that takes time. */
export interface Bounds {
  /** Aborted when it ends by its time, by the caller's signal or by a failure. */
  readonly signal: AbortSignal
  /** Ends it and lets go of it, with this reason unless it has ended. */
  abort(reason: unknown): void
  /** Its time no longer counts; the caller's signal still does. */
  stopTimer(): void
  /** It is over, and nothing ends it any more. */
  release(): void
}

/**
 * Does work within a time. Rejects with what ends it at once, whatever the work makes of that, as not every `fetch` rejects at an
 * abort; if the work fails, what goes on beside it ends too.
 *
 * @param planned what the work gets with its bounds
 * @param signal of the caller
 * @param onTime what happens after `delayMs`
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
      // First, so that what the work makes of the signal comes too late.
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
    // Acts at once if the signal is aborted already.
    stopWatching =
      signal &&
      whenAborted(signal, () => abort(new AbortedError({ ...running.context, cause: signal.reason })))
    work?.(running).then(resolve, abort)
  })
}

/** Waits, or rejects at once when the signal is aborted. @throws AbortedError */
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
