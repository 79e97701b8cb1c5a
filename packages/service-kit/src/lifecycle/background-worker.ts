import type { StopDeadline } from './stop-deadline.ts'

/** Works in the background of a process: claims work from the database and does it. */
export interface BackgroundWorker {
  /** Name of the check in `/readyz`. */
  readonly name: string
  /** Whether its loop completed recently. False if every iteration fails. */
  isWorking(): boolean
  /**
   * Stops the worker. From this call on, before the first await, it claims nothing new. Work in flight continues until
   * `graceOver` and is then aborted; its results are written by `timeOver`. Leases are released or expire. Never rejects.
   */
  stop(deadline: StopDeadline): Promise<void>
}

/** Longer than an iteration takes that waits for a hanging database and retries. */
const SILENCE_MS = 45_000

/** Tracks whether a loop makes progress. */
export interface Pulse {
  beat(): void
  isBeating(): boolean
}

export function createPulse(): Pulse {
  let lastMs = performance.now()
  return {
    beat: () => (lastMs = performance.now()),
    isBeating: () => performance.now() - lastMs < SILENCE_MS,
  }
}
