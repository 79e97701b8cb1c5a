import { RATE_LIMITS, type RateLimitName, type RateLimitPolicy } from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../accounts/authenticator.ts'
import { rateLimitHeaders } from '../limits/rate-limit-headers.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import { ApiError } from './api-error.ts'
import { metadataOf } from './ts-rest.ts'

/** Counts the request where its route has a limit that needs nothing of the body. */
export async function limitRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: RateLimiter,
): Promise<void> {
  const limit = metadataOf(request)?.limit
  if (typeof limit !== 'string' || request.principal === null) return
  // Counted once it is known whether there is such a verification.
  if (RATE_LIMITS[limit].per === 'verification') return
  await consume({ name: limit, principal: request.principal, reply, limiter })
}

/**
 * Takes one from a limit, and says on the response what is left.
 *
 * @throws ApiError `rate_limit_exceeded`; `forbidden` where the operation is not part of the tier
 */
export async function consume(options: {
  name: RateLimitName
  principal: Principal
  reply: FastifyReply
  limiter: RateLimiter
  /** What is counted, where that is neither the key nor the account. */
  subject?: string
}): Promise<void> {
  const { name, principal, reply, limiter } = options
  const policy: RateLimitPolicy = RATE_LIMITS[name]
  const override = principal.rateOverrides[name]
  const rate = override
    ? { limit: override.limit, periodSeconds: override.period_seconds }
    : policy.rates[principal.tier]
  if (rate === null) throw new ApiError('forbidden', `The ${principal.tier} tier does not include this`)
  const subject = options.subject ?? (policy.per === 'key' ? principal.keyId : principal.accountId)
  const bucket = { name, algorithm: policy.algorithm, ...rate }
  const result = await limiter.check(bucket, subject)
  reply.headers(rateLimitHeaders(bucket, result))
  if (!result.allowed)
    throw new ApiError('rate_limit_exceeded', `At most ${rate.limit} requests in ${rate.periodSeconds} s`, {
      retryAfterSeconds: result.retryAfterSeconds,
    })
}
