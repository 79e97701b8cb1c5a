import type { Clock } from '@vaani/client'

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Waits for the delay; rejects with the signal's reason as soon as it is aborted. */
export function sleep(options: {
  readonly delayMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
}): Promise<void> {
  const { delayMs, clock, signal } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const abort = (): void => {
      stop()
      reject(signal.reason)
    }
    const stop = clock.after(delayMs, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    signal.addEventListener('abort', abort, { once: true })
  })
}
