import type { ServerResponse } from 'node:http'

/** Tells work that can wait whether callers are being served. */
export interface Traffic {
  /** Counts a request until its response ends, or until it is long enough to be a stream or a wait. */
  enter(response: ServerResponse): void
  /** Whether no caller is being served, or was served within this time. */
  isQuiet(pauseMs: number): boolean
}

/** A request of this age is a stream at the pace of its listener, or waits for another server. */
const LONG_MS = 1000

export function createTraffic(nowMs: () => number = () => performance.now()): Traffic {
  /**
   * Start of each request, oldest first. By number, because a Map leaves a chain of outgrown tables, through which V8 would keep
   * the requests themselves until the next collection of its whole heap.
   */
  const served = new Map<number, number>()
  let entered = 0
  let lastEndMs = Number.NEGATIVE_INFINITY
  return {
    enter(response) {
      const id = entered++
      served.set(id, nowMs())
      response.once('close', () => {
        if (served.delete(id)) lastEndMs = nowMs()
      })
    },
    isQuiet(pauseMs) {
      const now = nowMs()
      for (const [id, startMs] of served) {
        if (now - startMs < LONG_MS) return false
        served.delete(id)
      }
      return now - lastEndMs >= pauseMs
    },
  }
}
