/** Smooths the times of pulls, because a timer that is off by some milliseconds says nothing about the delay. */
export interface PullClock {
  /** Smoothed time of the last pull; NaN before the first one. */
  readonly nowMs: number
  /** How much earlier than even pulls some recent ones came; at most a frame. */
  readonly earlyMs: number
  /** Takes the time of a pull. */
  take(nowMs: number): void
}

/** The clock follows the mean of this many pulls: 1 s of 20 ms frames. */
const MEAN_PULLS = 50
/** A pull this far off means that pulls have stalled or been skipped: the clock starts anew. */
const STALL_MS = 100
/** Decay per pull: after 20 s of 20 ms frames, a third of an early pull's effect is left. */
const FORGET = 0.999

/** Creates a clock for pulls of one frame each. */
export function createPullClock({ frameMs }: { frameMs: number }): PullClock {
  let clockMs = Number.NaN
  let pulls = 0
  let earlyMs = 0
  return {
    get nowMs() {
      return clockMs
    },
    get earlyMs() {
      return earlyMs
    },
    take(nowMs) {
      const errorMs = nowMs - clockMs - frameMs
      if (!(Math.abs(errorMs) < STALL_MS)) {
        clockMs = nowMs
        pulls = 1
        return
      }
      pulls = Math.min(MEAN_PULLS, pulls + 1)
      clockMs += frameMs + errorMs / pulls
      earlyMs = Math.min(frameMs, Math.max(earlyMs * FORGET, clockMs - nowMs))
    },
  }
}
