import {
  CONCURRENCY_LIMITS,
  type ConcurrencyLimitName,
  RATE_LIMITS,
  type RateLimitName,
  type RateLimitPolicy,
  TIERS,
} from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConcurrencyLimiter, NamedConcurrency } from '../../limits/concurrency-limiter.ts'
import type { Limiter } from '../../limits/create-limiter.ts'
import { concurrencyItems, type LimitItems, rateItems } from '../../limits/rate-limit-headers.ts'
import type { NamedRate, RateLimiter } from '../../limits/rate-limiter.ts'
import { ApiError } from '../errors/api-error.ts'
import { REPLAYED_HEADER } from '../idempotency/idempotency.ts'
import { describePeriod } from '../describe-period.ts'
import { innerCallerOf } from '../inner/inner-requests.ts'
import type { Principal } from '../principal.ts'
import type { Tenant } from '../../tenant.ts'
import { metadataOf } from '../ts-rest.ts'

/** Applies the limits of a request's route that do not depend on its body. */
export async function limitRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: Limiter,
): Promise<void> {
  const metadata = metadataOf(request)
  const { principal } = request
  if (metadata === undefined || principal === null || innerCallerOf(request.raw)) return
  const { limit: name, concurrency } = metadata
  // Reads of a verification are counted later, once it is known to exist.
  if (typeof name === 'string' && RATE_LIMITS[name].per !== 'verification') {
    const counted: Counted = { name, principal, limiter }
    await consume({ ...counted, reply })
    const policy: RateLimitPolicy = RATE_LIMITS[name]
    if (policy.counted === 'accepted') returnable.set(request, counted)
  }
  if (concurrency !== null && CONCURRENCY_LIMITS[concurrency].heldBy === 'request')
    await takePlace({ name: concurrency, principal, reply, limiter })
}

/** What is given back if the request is refused after all. */
const returnable = new WeakMap<FastifyRequest, Counted>()
/** How many refusals of a period are free for each request that it allows, because looking at a request costs something, too. */
const FREE_REFUSALS = 10

/**
 * Gives back what a refused or repeated request had used up of a limit that counts what was carried out, and says so in its headers. Null if
 * nothing is given back.
 */
export function giveBackRefused(request: FastifyRequest, reply: FastifyReply): Promise<void> | null {
  const counted = returnable.get(request)
  if (counted === undefined) return null
  returnable.delete(request)
  const isCarriedOut = reply.statusCode < 400 && !reply.hasHeader(REPLAYED_HEADER)
  // By then the admission has expired, and the newest one is somebody else's.
  const isOver = reply.elapsedTime >= rateOf(counted.name, counted.principal).periodSeconds * 1000
  if (isCarriedOut || isOver) return null
  return giveBack(counted, reply)
}

async function giveBack(counted: Counted, reply: FastifyReply): Promise<void> {
  const { name, principal, limiter } = counted
  const rate = rateOf(name, principal)
  const subject = subjectOf(counted)
  const refusals = { ...rate, name: `${name}:refused`, limit: rate.limit * FREE_REFUSALS }
  if (!(await limiter.check(refusals, subject)).allowed) return
  await limiter.giveBack(rate, subject)
  const state = reply.getHeader('ratelimit')
  if (typeof state === 'string')
    reply.header(
      'ratelimit',
      state.replace(new RegExp(`(?<="${name}";r=)\\d+`), (remaining) => String(Number(remaining) + 1)),
    )
}

/**
 * Applies the rate limit of the model that a request names, if its route has one for each. A request without one of these
 * models is not counted; the contract refuses it.
 */
export async function limitByModel(options: {
  request: FastifyRequest
  reply: FastifyReply
  /** Body or query. */
  named: unknown
  limits: Readonly<Record<string, RateLimitName>>
  limiter: RateLimiter
}): Promise<void> {
  const { request, reply, named, limits, limiter } = options
  const { principal } = request
  if (principal === null || innerCallerOf(request.raw)) return
  if (typeof named !== 'object' || named === null || !('model' in named)) return
  const { model } = named
  const name = typeof model === 'string' && Object.hasOwn(limits, model) ? limits[model] : undefined
  if (name !== undefined) await consume({ name, principal, reply, limiter })
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
  const { name, reply } = options
  const policy: RateLimitPolicy = RATE_LIMITS[name]
  const { rate, result } = await count(options)
  addItems(reply, rateItems(rate, result))
  if (policy.remainingHeader !== undefined) reply.header(policy.remainingHeader, String(result.remaining))
  if (!result.allowed) throw tooMany(rate, policy.retryAfterSeconds ?? result.resetSeconds)
}

/**
 * Counts work beyond the first request of a response or a session, which has sent its headers.
 *
 * @throws ApiError as `consume` does
 */
export async function consumeMore(options: Counted): Promise<void> {
  const { rate, result } = await count(options)
  if (!result.allowed) throw tooMany(rate, result.resetSeconds)
}

interface Counted {
  name: RateLimitName
  principal: Principal
  limiter: RateLimiter
  subject?: string
}

async function count(counted: Counted) {
  const rate = rateOf(counted.name, counted.principal)
  return { rate, result: await counted.limiter.check(rate, subjectOf(counted)) }
}

const subjectOf = ({ name, principal, subject }: Counted): string =>
  subject ?? subjectOfCaller(name, principal)

/** Returns what a rate is counted by, unless that is an object. */
export const subjectOfCaller = (name: RateLimitName, principal: Principal): string =>
  RATE_LIMITS[name].per === 'key' ? principal.keyId : accountInMode(principal)

const tooMany = ({ name, limit, periodSeconds }: NamedRate, retryAfterSeconds: number): ApiError =>
  new ApiError(
    'rate_limit_exceeded',
    `${name}: at most ${limit} requests in any ${describePeriod(periodSeconds)}`,
    { retryAfterSeconds },
  )

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

/** Returns the rate of a caller; null if the tier does not include the operation. */
export function findRate(
  name: RateLimitName,
  { rateOverrides, tier }: Pick<Principal, 'rateOverrides' | 'tier'>,
): NamedRate | null {
  const override = rateOverrides[name]
  if (override) return { name, limit: override.limit, periodSeconds: override.period_seconds }
  const policy: RateLimitPolicy = RATE_LIMITS[name]
  const rate = policy.rates[tier]
  return rate && { name, ...rate }
}

function rateOf(name: RateLimitName, principal: Principal): NamedRate {
  const rate = findRate(name, principal)
  if (rate !== null) return rate
  const policy: RateLimitPolicy = RATE_LIMITS[name]
  const others = TIERS.filter((one) => policy.rates[one] !== null).join(' or ')
  throw new ApiError(
    'forbidden',
    `${name}: the ${principal.tier} tier does not include this, but ${others} does`,
  )
}

export const accountInMode = ({ accountId, livemode }: Tenant): string =>
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
