import { type Breakers, createBreakers, type RestRules } from '@vaani/turns'
import type { ChatError, ChatErrorCode } from '../chat-error.ts'
import { isUnreachable } from '../upstream/is-unreachable.ts'

/** Enough failures that the timeouts of one long chat, tried again by its sender, are not likely to be all of them. */
const REST_RULES: RestRules = { failuresUntilRest: 5, firstRestMs: 2000, maxRestMs: 60_000 }
/** About 5 MB. */
const MAX_OWN_RESTS = 10_000

/** What a provider's error means before its first chunk. */
const MEANING: Readonly<Record<ChatErrorCode, 'failure' | 'busy' | 'final'>> = {
  provider_failed: 'failure',
  provider_timed_out: 'failure',
  provider_closed: 'failure',
  model_not_found: 'failure',
  provider_busy: 'busy',
  // Another provider would refuse it too, and the caller should learn of it from the preferred one.
  request_refused: 'final',
  aborted: 'final',
}
export const meaningOf = (error: ChatError): 'failure' | 'busy' | 'final' => MEANING[error.code]

/** A request to a model of a provider. */
export interface Asked {
  readonly provider: string
  readonly model: string
  /** Account of the request, if it is known. */
  readonly tenant: string | undefined
}

/** Why, and for how long, nothing is asked. */
export interface Rest {
  readonly untilMs: number
  /** Whether it asked to wait, instead of failing. */
  readonly isBusy: boolean
}

/**
 * Decides what rests for whom. A provider that cannot be reached rests for all requests. What may be due to a request rests the
 * model: for its account, and for all others once two accounts found the same.
 */
export interface Rests {
  /** Begins a request if nothing of it rests. `end` ends it. */
  begin(asked: Asked): boolean
  /** @param error undefined if it succeeded */
  end(asked: Asked, error?: ChatError): void
  restOf(asked: Asked): Rest
}

export function createRests(options: {
  rules: Partial<RestRules> | undefined
  nowMs: () => number
  onRest: (resting: { provider: string; model?: string; restMs: number }) => void
  onRecovery: (recovered: { provider: string; model?: string }) => void
}): Rests {
  const { nowMs, onRest, onRecovery } = options
  const rules = { ...REST_RULES, ...options.rules }
  const providers = createBreakers({
    rules,
    nowMs,
    onRest: (provider, restMs) => onRest({ provider, restMs }),
    onRecovery: (provider) => onRecovery({ provider }),
  })
  const models = createBreakers({
    rules,
    nowMs,
    onRest: (name, restMs) => onRest({ ...modelOf(name), restMs }),
    onRecovery: (name) => onRecovery(modelOf(name)),
  })
  const own = createBreakers({ rules, nowMs, maxTargets: MAX_OWN_RESTS })

  /** The breakers of a request, from the widest. */
  const breakersOf = ({ provider, model, tenant }: Asked): [Breakers, string][] => {
    const of = JSON.stringify([provider, model])
    return [
      [providers, provider],
      [models, of],
      ...(tenant === undefined ? [] : [[own, `${of}${tenant}`] satisfies [Breakers, string]]),
    ]
  }

  return {
    begin(asked) {
      const begun: [Breakers, string][] = []
      for (const [breakers, name] of breakersOf(asked)) {
        if (!breakers.begin(name)) {
          for (const [others, other] of begun) others.leave(other)
          return false
        }
        begun.push([breakers, name])
      }
      return true
    },
    end(asked, error) {
      const [[, provider] = [providers, ''], ...narrow] = breakersOf(asked)
      const meaning = error === undefined ? 'success' : meaningOf(error)
      if (error !== undefined && meaning === 'failure' && isUnreachable(error)) {
        providers.fail(provider)
        for (const [breakers, name] of narrow) breakers.leave(name)
        return
      }
      if (meaning === 'success') providers.succeed(provider)
      else providers.leave(provider)
      for (const [breakers, name] of narrow) {
        const account = breakers === own ? undefined : asked.tenant
        if (meaning === 'success') breakers.succeed(name)
        else if (meaning === 'failure') breakers.fail(name, account)
        else if (meaning === 'busy') breakers.pause(name, error?.retryAfterMs ?? 0, account)
        else breakers.leave(name)
      }
    },
    restOf(asked) {
      const states = breakersOf(asked).map(([breakers, name]) => breakers.stateOf(name))
      return {
        untilMs: Math.max(...states.map(({ untilMs }) => untilMs)),
        isBusy: states.every(({ failures }) => failures < rules.failuresUntilRest),
      }
    },
  }
}

function modelOf(name: string): { provider: string; model: string } {
  const [provider, model] = JSON.parse(name)
  return { provider, model }
}
