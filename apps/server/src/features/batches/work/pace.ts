/** How often the pace is measured. */
const WINDOW_MS = 200

/** How fast requests are started. */
export interface Pace {
  /** Notes that a request was started. */
  note(): void
  /** Time since a request was last started. */
  sinceMs(): number
  /** Requests a second, as last measured. */
  perSecond(): number
}

/** @param nowMs a clock that never goes back */
export function createPace(nowMs: () => number): Pace {
  let startedAtMs = Number.NEGATIVE_INFINITY
  let measured = { sinceMs: nowMs(), started: 0, perSecond: 0 }
  return {
    note() {
      startedAtMs = nowMs()
      measured.started++
    },
    sinceMs: () => nowMs() - startedAtMs,
    perSecond() {
      const now = nowMs()
      const passedMs = now - measured.sinceMs
      if (passedMs >= WINDOW_MS)
        measured = { sinceMs: now, started: 0, perSecond: (1000 * measured.started) / passedMs }
      return measured.perSecond
    },
  }
}
