/** Time after the grace period to write the results of aborted work and to close database connections. */
const FORCE_MS = 1000

/**
 * The deadline of a stop. Created once, when the server is asked to stop, and passed to everything that stops, so that waits
 * do not add up.
 */
export interface StopDeadline {
  /** Aborts when the grace period ends. Work that is still running is then aborted. */
  readonly graceOver: AbortSignal
  /** Aborts a second later. Nothing waits any longer then, and connections are cut. */
  readonly timeOver: AbortSignal
}

/** A deadline that is already over, for a start that is given up. */
export const STOP_NOW: StopDeadline = { graceOver: AbortSignal.abort(), timeOver: AbortSignal.abort() }

export interface RunningDeadline extends StopDeadline, Disposable {
  /** Ends the grace period now. */
  hurry(): void
}

/** Starts a deadline whose grace period ends after `graceMs`. */
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

/** Waits until work has settled, but only until the signal aborts. Never rejects. */
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
