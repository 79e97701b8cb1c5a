/** What a circuit breaker knows of a target of requests. */
export interface Breaker {
  /** Failures since the last success that are not due to one account. */
  readonly failures: number
  /** The target gets no request before this time. */
  readonly untilMs: number
  /** Whether a request is trying the target after a rest. */
  readonly isTried: boolean
  /** Failures of each account since the last success and the last rest, each up to the limit. */
  readonly failedBy: ReadonlyMap<string, number>
  /** Account that was asked to wait since the last success and the last rest, if it is one alone. */
  readonly busyFor: string | undefined
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
 *
 * A failure that may be due to the request names its account. The failures of the account that has the most of them don't count,
 * so that one account can neither make a target rest, nor bring it closer to the limit. Only a target that has rested already
 * needs no more than one failure of a second account. Requests to wait count apart from failures.
 */
export interface Breakers {
  /** Begins a request, if the target may get one now. One of the four below ends it. */
  begin(name: string): boolean
  succeed(name: string): void
  fail(name: string, account?: string): void
  /** Ends a request by which the target asked everyone to wait. That is no failure. */
  pause(name: string, retryAfterMs: number, account?: string): void
  /** Ends a request that showed nothing about the target. */
  leave(name: string): void
  stateOf(name: string): Breaker
}

export interface BreakersOptions {
  rules: RestRules
  nowMs: () => number
  /** Told when a target gets no requests for this time. */
  onRest?: (name: string, restMs: number) => void
  /** Most targets to know of; the one that first failed longest ago is forgotten. No limit by default. */
  maxTargets?: number
  /** Told when a request that tried a target after its rest succeeded. */
  onRecovery?: (name: string) => void
}

const CLOSED: Breaker = { failures: 0, untilMs: 0, isTried: false, failedBy: new Map(), busyFor: undefined }

/**
 * Creates breakers that let every target have requests.
 *
 * @example
 * const rules = { failuresUntilRest: 5, firstRestMs: 2000, maxRestMs: 60_000 }
 * const breakers = createBreakers({ rules, nowMs: () => performance.now() })
 * if (breakers.begin('vendor')) breakers.fail('vendor')
 */
export function createBreakers(options: BreakersOptions): Breakers {
  const {
    rules,
    nowMs,
    maxTargets = Infinity,
    onRest = () => undefined,
    onRecovery = () => undefined,
  } = options
  const states = new Map<string, Breaker>()
  const stateOf = (name: string): Breaker => states.get(name) ?? CLOSED

  function write(name: string, state: Breaker): void {
    states.set(name, state)
    for (const oldest of states.keys()) {
      if (states.size <= maxTargets) return
      states.delete(oldest)
    }
  }

  function leave(name: string): void {
    const state = states.get(name)
    if (state?.isTried === true) write(name, { ...state, isTried: false })
  }

  /** Notes who failed. @returns whether that may still be due to one account alone */
  function noteFailure(name: string, account: string): boolean {
    const state = stateOf(name)
    const count = Math.min((state.failedBy.get(account) ?? 0) + 1, rules.failuresUntilRest)
    const failedBy = new Map(state.failedBy).set(account, count)
    write(name, { ...state, failedBy })
    const wanted = Math.max(1, rules.failuresUntilRest - state.failures)
    return failuresOfOthers(failedBy) < wanted
  }

  /** Notes who was asked to wait. @returns whether that is one account alone */
  function noteWait(name: string, account: string): boolean {
    const state = stateOf(name)
    if (state.busyFor !== undefined && state.busyFor !== account) return false
    write(name, { ...state, busyFor: account })
    return true
  }

  function rest(name: string, restMs: number, failures: number): void {
    const before = stateOf(name)
    const now = nowMs()
    const untilMs = Math.max(before.untilMs, now + Math.min(rules.maxRestMs, restMs))
    const isNew = untilMs > before.untilMs && untilMs > now
    const { failedBy, busyFor } = isNew ? CLOSED : before
    write(name, { failures, untilMs, isTried: false, failedBy, busyFor })
    if (isNew) onRest(name, untilMs - now)
  }

  return {
    begin(name) {
      const state = stateOf(name)
      if (nowMs() < state.untilMs || state.isTried) return false
      if (state.failures >= rules.failuresUntilRest) write(name, { ...state, isTried: true })
      return true
    },
    succeed(name) {
      if (stateOf(name).isTried) onRecovery(name)
      states.delete(name)
    },
    fail(name, account) {
      if (account !== undefined && noteFailure(name, account)) return leave(name)
      const before = stateOf(name).failures
      const failures = account === undefined ? before + 1 : Math.max(before + 1, rules.failuresUntilRest)
      const doublings = failures - rules.failuresUntilRest
      rest(name, doublings < 0 ? 0 : rules.firstRestMs * 2 ** doublings, failures)
    },
    pause(name, retryAfterMs, account) {
      if (account !== undefined && noteWait(name, account)) leave(name)
      else rest(name, retryAfterMs, stateOf(name).failures)
    },
    leave,
    stateOf,
  }
}

/** Failures without those of the account that has the most. */
function failuresOfOthers(failedBy: ReadonlyMap<string, number>): number {
  let sum = 0
  let most = 0
  for (const count of failedBy.values()) {
    sum += count
    most = Math.max(most, count)
  }
  return sum - most
}
