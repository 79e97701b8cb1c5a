/** Calls `onTick` once per interval, on absolute deadlines. */
export interface Pacer {
  start(): void
  stop(): void
}

/** A Node timer may fire more than 1 ms late, so it is set this much early and the thread sleeps until the deadline. */
const TIMER_MARGIN_MS = 2
/** After a longer stall (a suspended machine) the missed ticks are skipped instead of played in a burst. */
const LONGEST_CATCH_UP_MS = 200

/**
 * Creates a pacer that does not drift. It blocks its thread for up to 2 ms before each tick, so run it in a worker. The
 * thread's event loop runs between ticks.
 */
export function createPacer(options: {
  readonly intervalMs: number
  readonly onTick: () => void
  readonly monotonicMs: () => number
}): Pacer {
  const { intervalMs, onTick, monotonicMs } = options
  const neverNotified = new Int32Array(new SharedArrayBuffer(4))
  let deadlineMs = 0
  let timer: NodeJS.Timeout | undefined
  const isRunning = () => timer !== undefined

  const arm = () => {
    timer = setTimeout(tick, Math.max(0, deadlineMs - monotonicMs() - TIMER_MARGIN_MS))
  }
  const tick = () => {
    const earlyMs = deadlineMs - monotonicMs()
    if (earlyMs > 0) Atomics.wait(neverNotified, 0, 0, earlyMs)
    else if (earlyMs < -LONGEST_CATCH_UP_MS) deadlineMs = monotonicMs()
    // A tick may take longer than an interval: the event loop must have its turn even so.
    const lastMs = deadlineMs + LONGEST_CATCH_UP_MS
    do {
      onTick()
      deadlineMs += intervalMs
    } while (isRunning() && deadlineMs <= Math.min(monotonicMs(), lastMs))
    if (isRunning()) arm()
  }

  return {
    start() {
      if (isRunning()) return
      deadlineMs = monotonicMs() + intervalMs
      arm()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
