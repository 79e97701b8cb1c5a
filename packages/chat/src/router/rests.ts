/**
 * Circuit breaker of one provider, as plain data. After some failures in a row the provider rests, then one request at a time
 * tries it; each further failure doubles the rest, and the first success ends it.
 */
export interface Rest {
  /** Failures since the last success. */
  readonly failures: number
  /** The provider gets no request before this time. */
  readonly untilMs: number
  /** Whether a request is trying the provider after a rest. */
  readonly isTried: boolean
}

export interface RestRules {
  /** Failures in a row after which a provider rests. */
  failuresUntilRest: number
  firstRestMs: number
  maxRestMs: number
}

/** Enough failures that the timeouts of one long chat, tried again by its sender, are not likely to be all of them. */
export const REST_RULES: RestRules = { failuresUntilRest: 5, firstRestMs: 2000, maxRestMs: 60_000 }
export const AWAKE: Rest = { failures: 0, untilMs: 0, isTried: false }

const hasRested = (rest: Rest, rules: RestRules): boolean => rest.failures >= rules.failuresUntilRest

/** Returns the state while a request runs; undefined if the provider may get none now. */
export function beforeRequest(rest: Rest, nowMs: number, rules: RestRules): Rest | undefined {
  if (nowMs < rest.untilMs || rest.isTried) return undefined
  return hasRested(rest, rules) ? { ...rest, isTried: true } : rest
}

export function afterFailure(rest: Rest, nowMs: number, rules: RestRules): Rest {
  const failures = rest.failures + 1
  const doublings = failures - rules.failuresUntilRest
  const restMs = doublings < 0 ? 0 : Math.min(rules.maxRestMs, rules.firstRestMs * 2 ** doublings)
  return { failures, untilMs: Math.max(rest.untilMs, nowMs + restMs), isTried: false }
}

/** The provider asked everyone to wait. That is no failure. */
export const afterBusy = (rest: Rest, nowMs: number, retryAfterMs: number, rules: RestRules): Rest => ({
  ...rest,
  untilMs: Math.max(rest.untilMs, nowMs + Math.min(rules.maxRestMs, retryAfterMs)),
  isTried: false,
})
