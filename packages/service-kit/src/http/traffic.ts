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
  /** Start of each request, oldest first. */
  const served = new Map<ServerResponse, number>()
  let lastEndMs = Number.NEGATIVE_INFINITY
  return {
    enter(response) {
      served.set(response, nowMs())
      response.once('close', () => {
        if (served.delete(response)) lastEndMs = nowMs()
      })
    },
    isQuiet(pauseMs) {
      const now = nowMs()
      for (const [response, startMs] of served) {
        if (now - startMs < LONG_MS) return false
        served.delete(response)
      }
      return now - lastEndMs >= pauseMs
    },
  }
}
