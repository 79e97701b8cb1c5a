import { setTimeout as delay } from 'node:timers/promises'
import { createPulse } from '@vaani/service-kit/lifecycle/background-worker'

/** After a fault of ours, such as a database that is away. */
const RETRY_MS = 500

/** A task that is done again and again. */
export interface Loop {
  /** Ends once it was asked to stop; never rejects. */
  readonly ended: Promise<void>
  /** Whether it has come round lately. */
  isBeating(): boolean
}

/** Does a task again and again, as soon as it has something to do. */
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
