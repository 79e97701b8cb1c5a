/** What was ended by force still writes that it was, and connections to databases end in order. */
const FORCE_MS = 1000

/**
 * Until when what stops may go on: taken once, when the server is asked to stop, and handed to everything that stops, so
 * that no wait is added to another.
 */
export interface StopDeadline {
  /** Aborts when the grace is over: what still runs is ended by force. */
  readonly graceOver: AbortSignal
  /** Aborts a second later: nothing waits any longer, and connections are cut. */
  readonly timeOver: AbortSignal
}

/** For what is given up while it starts. */
export const STOP_NOW: StopDeadline = { graceOver: AbortSignal.abort(), timeOver: AbortSignal.abort() }

export interface RunningDeadline extends StopDeadline, Disposable {
  /** Ends the grace now. */
  hurry(): void
}

/** Starts a deadline that ends its grace after so many milliseconds. */
export function startStopDeadline(graceMs: number): RunningDeadline {
  const grace = new AbortController()
  const time = new AbortController()
  let forceTimer: NodeJS.Timeout | undefined
  const hurry = () => {
    if (grace.signal.aborted) return
    forceTimer = setTimeout(() => time.abort(), FORCE_MS)
    grace.abort()
  }
  const graceTimer = setTimeout(hurry, graceMs)
  return {
    graceOver: grace.signal,
    timeOver: time.signal,
    hurry,
    [Symbol.dispose]() {
      clearTimeout(graceTimer)
      clearTimeout(forceTimer)
    },
  }
}

/** Waits until work has ended, in any way, but not beyond the signal. */
export async function endOf(work: PromiseLike<unknown> | undefined, signal: AbortSignal): Promise<void> {
  if (work === undefined || signal.aborted) return
  const ended = work.then(
    () => undefined,
    () => undefined,
  )
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort)
  await Promise.race([ended, aborted])
  signal.removeEventListener('abort', onAbort)
}
