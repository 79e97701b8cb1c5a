import type { StopDeadline } from './stop-deadline.ts'

/** What works in the background of a process: takes up work from the database, and does it. */
export interface BackgroundWorker {
  /** As `/readyz` shows it. */
  readonly name: string
  /** Whether its loop has come round lately: not if it fails each time. */
  isWorking(): boolean
  /**
   * Stops. From the moment of this call, before anything is awaited, it takes up nothing new. What is under way goes on until
   * `graceOver` and is then ended by force, and what has to be written of it is written by `timeOver`. Its leases are
   * given back, or run out. Never rejects.
   */
  stop(deadline: StopDeadline): Promise<void>
}

/** Longer than a loop waits for a database that hangs, and tries again. */
const SILENCE_MS = 45_000

/** Remembers whether a loop comes round. */
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
