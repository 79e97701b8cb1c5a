import { setTimeout as delay } from 'node:timers/promises'
import { createPulse } from '@vaani/service-kit/lifecycle/background-worker'

/** Pause after an internal error, e.g. an unreachable database. */
const RETRY_MS = 500

/** A task that runs repeatedly. */
export interface Loop {
  /** Resolves after `stopping` is aborted; never rejects. */
  readonly ended: Promise<void>
  /** Whether the task completed recently. */
  isBeating(): boolean
}

/** Runs a task repeatedly, and `sleep` after each success. */
export function repeat(
  task: () => Promise<void>,
  options: { sleep: () => Promise<void>; stopping: AbortSignal; onError: (error: unknown) => void },
): Loop {
  const { sleep, stopping, onError } = options
  const pulse = createPulse()
  async function run(): Promise<void> {
    while (!stopping.aborted)
      try {
        await task()
        pulse.beat()
        await sleep()
      } catch (error) {
        onError(error)
        await delay(RETRY_MS)
      }
  }
  return { ended: run(), isBeating: pulse.isBeating }
}
