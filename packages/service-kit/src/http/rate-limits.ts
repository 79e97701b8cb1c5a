import {
  CONCURRENCY_LIMITS,
  type ConcurrencyLimitName,
  RATE_LIMITS,
  type RateLimitName,
  type RateLimitPolicy,
} from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConcurrencyLimiter, NamedConcurrency } from '../limits/concurrency-limiter.ts'
import type { Limiter } from '../limits/create-limiter.ts'
import { concurrencyItems, type LimitItems, rateItems } from '../limits/rate-limit-headers.ts'
import type { NamedRate, RateLimiter } from '../limits/rate-limiter.ts'
import { ApiError } from './api-error.ts'
import { describePeriod } from './describe-period.ts'
import type { Principal } from './principal.ts'
import { metadataOf } from './ts-rest.ts'

/** Applies the limits of a request's route that do not depend on its body. */
export async function limitRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: Limiter,
): Promise<void> {
  const metadata = metadataOf(request)
  const { principal } = request
  if (metadata === undefined || principal === null) return
  const { limit: name, concurrency } = metadata
  // Reads of a verification are counted later, once it is known to exist.
  if (typeof name === 'string' && RATE_LIMITS[name].per !== 'verification')
    await consume({ name, principal, reply, limiter })
  if (concurrency !== null && CONCURRENCY_LIMITS[concurrency].heldBy === 'request')
    await takePlace({ name: concurrency, principal, reply, limiter })
}

/**
 * Counts one request under a rate limit, and states the remaining quota in the response headers.
 *
 * @throws ApiError `rate_limit_exceeded`; `forbidden` if the operation is not part of the tier
 */
export async function consume(options: {
  name: RateLimitName
  principal: Principal
  reply: FastifyReply
  limiter: RateLimiter
  /** Subject to count, if it is neither the key nor the account. */
  subject?: string
}): Promise<void> {
  const { name, principal, reply, limiter } = options
  const policy: RateLimitPolicy = RATE_LIMITS[name]
  const rate = rateOf(name, principal)
  const subject = options.subject ?? (policy.per === 'key' ? principal.keyId : accountInMode(principal))
  const result = await limiter.check(rate, subject)
  addItems(reply, rateItems(rate, result))
  if (policy.remainingHeader !== undefined) reply.header(policy.remainingHeader, String(result.remaining))
  if (!result.allowed)
    throw new ApiError(
      'rate_limit_exceeded',
      `${name}: at most ${rate.limit} requests in any ${describePeriod(rate.periodSeconds)}`,
      { retryAfterSeconds: policy.retryAfterSeconds ?? result.resetSeconds },
    )
}

/** Holds one of the account's concurrency slots until the response has ended in any way. */
async function takePlace(options: {
  name: ConcurrencyLimitName
  principal: Principal
  reply: FastifyReply
  limiter: ConcurrencyLimiter
}): Promise<void> {
  const { name, principal, reply, limiter } = options
  const concurrency = concurrencyOf(name, principal)
  const { place, remaining } = await limiter.enter(concurrency, accountInMode(principal))
  addItems(reply, concurrencyItems(concurrency, remaining))
  if (place === null) throw tooManyAtOnce(name, concurrency.limit)
  // `close` follows an end, a hang-up and an error alike. It is not emitted again if the caller has already disconnected.
  if (reply.raw.closed) place.release()
  else reply.raw.once('close', () => place.release())
}

/** Returns the concurrency limit of an account. */
export function concurrencyOf(
  name: ConcurrencyLimitName,
  { rateOverrides, tier }: Pick<Principal, 'rateOverrides' | 'tier'>,
): NamedConcurrency {
  return { name, limit: rateOverrides[name]?.limit ?? CONCURRENCY_LIMITS[name].limits[tier] }
}

export function tooManyAtOnce(name: ConcurrencyLimitName, limit: number): ApiError {
  const { unit, retryAfterSeconds } = CONCURRENCY_LIMITS[name]
  return new ApiError(
    'rate_limit_exceeded',
    `${name}: an account may have at most ${limit} ${unit} at a time`,
    {
      retryAfterSeconds,
    },
  )
}

function rateOf(name: RateLimitName, { rateOverrides, tier }: Principal): NamedRate {
  const override = rateOverrides[name]
  if (override) return { name, limit: override.limit, periodSeconds: override.period_seconds }
  const policy: RateLimitPolicy = RATE_LIMITS[name]
  const rate = policy.rates[tier]
  if (rate === null) throw new ApiError('forbidden', `The ${tier} tier does not include this`)
  return { name, ...rate }
}

const accountInMode = ({ accountId, livemode }: Principal): string =>
  `${accountId}:${livemode ? 'live' : 'test'}`

/** Adds a limit to the rate limit headers of the response. */
export function addItems(reply: FastifyReply, { policy, state }: LimitItems): void {
  for (const [name, item] of [
    ['ratelimit-policy', policy],
    ['ratelimit', state],
  ] as const) {
    const others = reply.getHeader(name)
    reply.header(name, typeof others === 'string' ? `${others}, ${item}` : item)
  }
}
