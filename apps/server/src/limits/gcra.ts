import type { Bucket, RateLimitResult } from './rate-limiter.ts'

const MS_PER_SECOND = 1000

export interface GcraStep {
  result: RateLimitResult
  /** The theoretical arrival time to keep, in milliseconds; unchanged where the request was refused. */
  tatMs: number
}

/** The Lua script answers with the same three numbers, so that both stores give the same result. */
export function toGcraResult(bucket: Bucket, step: { allowed: boolean; aheadMs: number }): RateLimitResult {
  const { limit, periodSeconds } = bucket
  const intervalMs = (periodSeconds * MS_PER_SECOND) / limit
  const freeMs = limit * intervalMs - step.aheadMs
  return {
    allowed: step.allowed,
    remaining: Math.max(0, Math.floor(freeMs / intervalMs + 1e-9)),
    resetSeconds: Math.ceil(step.aheadMs / MS_PER_SECOND),
    retryAfterSeconds: step.allowed ? 0 : Math.max(1, Math.ceil((intervalMs - freeMs) / MS_PER_SECOND)),
  }
}

/**
 * One step of the generic cell rate algorithm (ITU-T I.371): the bucket keeps the time at which it is empty again, and
 * a request is refused where that would be more than the whole limit ahead.
 */
export function takeGcra(bucket: Bucket, tatMs: number | undefined, nowMs: number): GcraStep {
  const periodMs = bucket.periodSeconds * MS_PER_SECOND
  const current = Math.max(tatMs ?? nowMs, nowMs)
  const next = current + periodMs / bucket.limit
  const allowed = next - nowMs <= periodMs + 1e-6
  const kept = allowed ? next : current
  return { result: toGcraResult(bucket, { allowed, aheadMs: kept - nowMs }), tatMs: kept }
}
