/** What a circuit breaker knows of a target of requests. */
export interface Breaker {
  /** Failures since the last success. */
  readonly failures: number
  /** The target gets no request before this time. */
  readonly untilMs: number
  /** Whether a request is trying the target after a rest. */
  readonly isTried: boolean
}

export interface RestRules {
  /** Failures in a row after which a target rests. */
  failuresUntilRest: number
  /** The first rest. Each further failure doubles it. */
  firstRestMs: number
  maxRestMs: number
}

/**
 * Circuit breakers of targets of requests, by name. After some failures in a row a target rests, then one request at a time tries
 * it; each further failure doubles the rest, and the first success ends it.
 */
export interface Breakers {
  /** Begins a request, if the target may get one now. One of the four below ends it. */
  begin(name: string): boolean
  succeed(name: string): void
  fail(name: string): void
  /** Ends a request by which the target asked everyone to wait. That is no failure. */
  pause(name: string, retryAfterMs: number): void
  /** Ends a request that showed nothing about the target. */
  leave(name: string): void
  stateOf(name: string): Breaker
}

export interface BreakersOptions {
  rules: RestRules
  nowMs: () => number
  /** Told when a target gets no requests for this time. */
  onRest?: (name: string, restMs: number) => void
  /** Told when a request that tried a target after its rest succeeded. */
  onRecovery?: (name: string) => void
}

const CLOSED: Breaker = { failures: 0, untilMs: 0, isTried: false }

/**
 * Creates breakers that let every target have requests.
 *
 * @example
 * const rules = { failuresUntilRest: 5, firstRestMs: 2000, maxRestMs: 60_000 }
 * const breakers = createBreakers({ rules, nowMs: () => performance.now() })
 * if (breakers.begin('vendor')) breakers.fail('vendor')
 */
export function createBreakers(options: BreakersOptions): Breakers {
  const { rules, nowMs, onRest = () => undefined, onRecovery = () => undefined } = options
  const states = new Map<string, Breaker>()
  const stateOf = (name: string): Breaker => states.get(name) ?? CLOSED

  function rest(name: string, restMs: number, failures: number): void {
    const before = stateOf(name)
    const now = nowMs()
    const untilMs = Math.max(before.untilMs, now + Math.min(rules.maxRestMs, restMs))
    states.set(name, { failures, untilMs, isTried: false })
    if (untilMs > before.untilMs && untilMs > now) onRest(name, untilMs - now)
  }

  return {
    begin(name) {
      const state = stateOf(name)
      if (nowMs() < state.untilMs || state.isTried) return false
      if (state.failures >= rules.failuresUntilRest) states.set(name, { ...state, isTried: true })
      return true
    },
    succeed(name) {
      if (stateOf(name).isTried) onRecovery(name)
      states.delete(name)
    },
    fail(name) {
      const failures = stateOf(name).failures + 1
      const doublings = failures - rules.failuresUntilRest
      rest(name, doublings < 0 ? 0 : rules.firstRestMs * 2 ** doublings, failures)
    },
    pause: (name, retryAfterMs) => rest(name, retryAfterMs, stateOf(name).failures),
    leave: (name) => void states.set(name, { ...stateOf(name), isTried: false }),
    stateOf,
  }
}
