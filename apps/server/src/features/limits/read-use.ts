import {
  ACCOUNT_LIMITS,
  type AccountLimitName,
  CONCURRENCY_LIMITS,
  type ConcurrencyLimitName,
  type LimitUse,
  RATE_LIMITS,
  type RateLimitName,
} from '@vaani/contracts'
import type { Counters } from '@vaani/service-kit/http/limits/counters'
import {
  accountInMode,
  concurrencyOf,
  findRate,
  subjectOfCaller,
} from '@vaani/service-kit/http/limits/rate-limits'
import type { Principal } from '@vaani/service-kit/http/principal'
import type { Limiter } from '@vaani/service-kit/limits/create-limiter'
import type { NamedRate } from '@vaani/service-kit/limits/rate-limiter'
import type { LimitsContext } from './context.ts'

type RateUse = LimitUse['rates'][number]
type ConcurrencyUse = LimitUse['concurrency'][number]
type CountUse = LimitUse['counts'][number]
type Shared<Use> = Use & { isShared: boolean }

const RATES = Object.keys(RATE_LIMITS) as RateLimitName[]
const CONCURRENCY = Object.keys(CONCURRENCY_LIMITS) as ConcurrencyLimitName[]
const COUNTS = Object.keys(ACCOUNT_LIMITS) as AccountLimitName[]

/** Reads what a caller uses of every limit that the contract declares. */
export async function readUse(options: {
  principal: Principal
  limiter: Limiter
  counters: readonly Counters[]
  calls: LimitsContext['calls']
}): Promise<LimitUse> {
  const { principal, counters, calls } = options
  const rates = await Promise.all(
    RATES.flatMap((name) => {
      const rate = findRate(name, principal)
      return rate === null ? [] : [readRate({ ...options, name, rate })]
    }),
  )
  const concurrency: Shared<ConcurrencyUse>[] = []
  // One after another, so that a reader takes one connection to the database at a time.
  for (const name of CONCURRENCY) concurrency.push(await readConcurrency({ ...options, name }))
  const counts: CountUse[] = []
  for (const name of COUNTS) {
    const limit = ACCOUNT_LIMITS[name]
    counts.push({ name, limit, used: Math.min(limit, await countBy(counters, { name, principal })) })
  }
  return {
    livemode: principal.livemode,
    tier: principal.tier,
    shared: [...rates, ...concurrency].every(({ isShared }) => isShared),
    rates: rates.map(({ isShared: _, ...use }) => use),
    concurrency: concurrency.map(({ isShared: _, ...use }) => use),
    counts,
    caps: await calls.readCaps(principal.accountId),
  }
}

async function readRate(options: {
  name: RateLimitName
  rate: NamedRate
  principal: Principal
  limiter: Limiter
}): Promise<Shared<RateUse>> {
  const { name, rate, principal, limiter } = options
  const { per } = RATE_LIMITS[name]
  const use = { name, per, limit: rate.limit, period_seconds: rate.periodSeconds }
  if (per === 'verification') return { ...use, remaining: null, reset_seconds: null, isShared: true }
  const { remaining, resetSeconds, isShared } = await limiter.peek(rate, subjectOfCaller(name, principal))
  return { ...use, remaining, reset_seconds: resetSeconds, isShared }
}

async function readConcurrency(options: {
  name: ConcurrencyLimitName
  principal: Principal
  limiter: Limiter
  counters: readonly Counters[]
}): Promise<Shared<ConcurrencyUse>> {
  const { name, principal, limiter, counters } = options
  const { heldBy } = CONCURRENCY_LIMITS[name]
  const { limit } = concurrencyOf(name, principal)
  const { used, isShared } =
    heldBy === 'request'
      ? await limiter.countTaken(name, accountInMode(principal))
      : { used: await countBy(counters, { name, principal }), isShared: true }
  return { name, limit, used: Math.min(limit, used), isShared }
}

/** Returns the largest count, because those that count apart have the limit each. */
async function countBy(
  counters: readonly Counters[],
  { name, principal }: { name: AccountLimitName | ConcurrencyLimitName; principal: Principal },
): Promise<number> {
  const own = counters.flatMap((counter) => counter[name] ?? [])
  if (own.length === 0) throw new Error(`No feature counts ${name}`)
  let most = 0
  for (const count of own) most = Math.max(most, await count(principal))
  return most
}
