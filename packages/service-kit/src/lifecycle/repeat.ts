import { type BackgroundWorker, createPulse } from './background-worker.ts'

/** Shortest pause after a failure, so that an unreachable database is not asked all the time. */
const BACK_OFF_MS = 500

/** A function that runs again and again, one run at a time. */
export interface Repeater extends BackgroundWorker {
  /** Ends the pause between two runs. During a run, or after one that failed, the next pause is skipped instead. */
  wake(): void
  /** Starts no further run; resolves once the current one has ended. Never rejects. */
  stop(): Promise<void>
}

/**
 * Runs a function, and again each time a while after it has ended.
 *
 * @param options.firstMs pause before the first run; none by default
 * @param options.run returns the pause until the next run, in milliseconds, if that is not `everyMs`
 * @param options.onError called with the first of failures in a row
 */
export function repeat(options: {
  name: string
  everyMs: number
  firstMs?: number
  run: () => Promise<number | void>
  onError: (error: unknown) => void
}): Repeater {
  const { name, everyMs, firstMs = 0, run, onError } = options
  const pulse = createPulse()
  const stopping = new AbortController()
  let isWoken = false
  let endPause = (): void => undefined
  let hasFailed = false

  async function pause(pauseMs: number): Promise<void> {
    if (pauseMs === 0 || stopping.signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, pauseMs)
    endPause = resolve
    await promise
    clearTimeout(timer)
    endPause = () => undefined
  }

  async function runOnce(): Promise<void> {
    try {
      const pauseMs = (await run()) ?? everyMs
      pulse.beat()
      hasFailed = false
      if (!isWoken) await pause(pauseMs)
    } catch (error) {
      if (!hasFailed) onError(error)
      hasFailed = true
      await pause(Math.max(everyMs, BACK_OFF_MS))
    }
  }

  async function loop(): Promise<void> {
    await pause(firstMs)
    while (!stopping.signal.aborted) {
      isWoken = false
      await runOnce()
    }
  }
  // Not before the caller has what this returns, which the run may use.
  const ended = Promise.resolve().then(loop)

  return {
    name,
    isWorking: pulse.isBeating,
    wake() {
      isWoken = true
      if (!hasFailed) endPause()
    },
    async stop() {
      stopping.abort()
      endPause()
      await ended
    },
  }
}
