import type { Bucket, RateLimitResult } from './rate-limiter.ts'

const MICROS_PER_SECOND = 1_000_000

/** Whole microseconds: below 2^53 they add without rounding, so that memory and Redis agree to the last request. */
export interface GcraTimes {
  intervalMicros: number
  burstMicros: number
}

export interface GcraStep {
  allowed: boolean
  /** The theoretical arrival time to keep; unchanged where the request was refused. */
  tatMicros: number
  /** How far that is ahead of now. */
  aheadMicros: number
}

/** Rounded up, so that never more than the rate passes. */
export function gcraTimes({ limit, periodSeconds }: Bucket): GcraTimes {
  const intervalMicros = Math.ceil((periodSeconds * MICROS_PER_SECOND) / limit)
  return { intervalMicros, burstMicros: intervalMicros * limit }
}

/**
 * One step of the generic cell rate algorithm (ITU-T I.371): the bucket keeps the time at which it is empty again, and
 * a request is refused where that would be more than the whole limit ahead.
 */
export function takeGcra(times: GcraTimes, tatMicros: number | undefined, nowMicros: number): GcraStep {
  const current = Math.max(tatMicros ?? nowMicros, nowMicros)
  const next = current + times.intervalMicros
  const allowed = next - nowMicros <= times.burstMicros
  const kept = allowed ? next : current
  return { allowed, tatMicros: kept, aheadMicros: kept - nowMicros }
}

/** What a step of either store says to the caller. */
export function toGcraResult(
  { intervalMicros, burstMicros }: GcraTimes,
  { allowed, aheadMicros }: Pick<GcraStep, 'allowed' | 'aheadMicros'>,
): RateLimitResult {
  const freeMicros = burstMicros - aheadMicros
  return {
    allowed,
    remaining: Math.max(0, Math.floor(freeMicros / intervalMicros)),
    resetSeconds: Math.ceil(aheadMicros / MICROS_PER_SECOND),
    retryAfterSeconds: allowed
      ? 0
      : Math.max(1, Math.ceil((intervalMicros - freeMicros) / MICROS_PER_SECOND)),
  }
}
