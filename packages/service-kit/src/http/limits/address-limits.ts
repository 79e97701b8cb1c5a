import { ADDRESS_LIMITS, type AddressLimitName } from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { rateItems } from '../../limits/rate-limit-headers.ts'
import type { RateLimiter } from '../../limits/rate-limiter.ts'
import { ApiError } from '../errors/api-error.ts'
import { clientNetwork } from '../connection/client-network.ts'
import { describePeriod } from '../describe-period.ts'
import { addItems } from './rate-limits.ts'

/** Limits, by the caller's address, on requests that need no valid key. */
export interface AddressLimits {
  /**
   * Counts a request, and states the remaining quota in the response headers.
   *
   * @throws ApiError `rate_limit_exceeded`
   */
  consume(name: AddressLimitName, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Returns the error for an address that this process knows to be over the limit, otherwise null. Counts nothing. */
  refusalOf(name: AddressLimitName, request: FastifyRequest): ApiError | null
}

const MS_PER_SECOND = 1000
/** Addresses remembered as over a limit. A forgotten address only costs another check. */
const MAX_REMEMBERED = 10_000

export function createAddressLimits(options: { limiter: RateLimiter; clock: Clock }): AddressLimits {
  const { limiter, clock } = options
  /** When an address is no longer over a limit, in milliseconds since the epoch. */
  const overUntilMs = new LRUCache<string, number>({ max: MAX_REMEMBERED })

  function refusalOf(name: AddressLimitName, request: FastifyRequest): ApiError | null {
    if (overUntilMs.size === 0) return null
    const id = `${name}:${subjectOf(request)}`
    const leftMs = (overUntilMs.get(id) ?? 0) - clock.nowMs()
    if (leftMs > 0) return tooMany(name, Math.ceil(leftMs / MS_PER_SECOND))
    overUntilMs.delete(id)
    return null
  }

  return {
    refusalOf,
    async consume(name, request, reply) {
      const refusal = refusalOf(name, request)
      if (refusal !== null) throw refusal
      const rate = { name, ...ADDRESS_LIMITS[name] }
      const subject = subjectOf(request)
      const result = await limiter.check(rate, subject)
      addItems(reply, rateItems(rate, result))
      if (result.allowed) return
      overUntilMs.set(`${name}:${subject}`, clock.nowMs() + result.resetSeconds * MS_PER_SECOND)
      throw tooMany(name, result.resetSeconds)
    },
  }
}

/** Falls back to the proxy if it forwards no address. A closed connection has no address, despite its type. */
const subjectOf = ({ ip, raw }: FastifyRequest): string =>
  clientNetwork(ip ?? '') ?? clientNetwork(raw.socket.remoteAddress ?? '') ?? 'unknown'

function tooMany(name: AddressLimitName, retryAfterSeconds: number): ApiError {
  const { limit, periodSeconds } = ADDRESS_LIMITS[name]
  return new ApiError(
    'rate_limit_exceeded',
    `${name}: at most ${limit} requests from one address in any ${describePeriod(periodSeconds)}`,
    {
      retryAfterSeconds,
    },
  )
}
