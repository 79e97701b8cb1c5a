/**
 * Circuit breaker of one engine, as plain data. After some failures in a row the engine rests, then one request at a time tries
 * it; each further failure doubles the rest, and the first success ends it.
 */
export interface Breaker {
  /** Failures since the last success. */
  readonly failures: number
  /** The engine gets no request before this time. */
  readonly untilMs: number
  /** Whether a request is trying the engine after a rest. */
  readonly isTried: boolean
}

const FAILURES_UNTIL_REST = 3
const FIRST_REST_MS = 10_000
const MAX_REST_MS = 60_000

export const CLOSED: Breaker = { failures: 0, untilMs: 0, isTried: false }

/** Returns the state while a request runs; undefined if the engine may get none now. */
export function beforeRequest(breaker: Breaker, nowMs: number): Breaker | undefined {
  if (nowMs < breaker.untilMs || breaker.isTried) return undefined
  return breaker.failures >= FAILURES_UNTIL_REST ? { ...breaker, isTried: true } : breaker
}

export function afterFailure(breaker: Breaker, nowMs: number): Breaker {
  const failures = breaker.failures + 1
  const doublings = failures - FAILURES_UNTIL_REST
  const restMs = doublings < 0 ? 0 : Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** doublings)
  return { failures, untilMs: Math.max(breaker.untilMs, nowMs + restMs), isTried: false }
}
