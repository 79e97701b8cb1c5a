import { z } from 'zod'
import {
  CONCURRENCY_LIMITS,
  type ConcurrencyLimitName,
  RATE_LIMITS,
  type RateLimitName,
} from '../shared/limits.ts'
import { DAY_SECONDS } from '../shared/rates.ts'

/** Bounds on an account's own rates, because the limiter's memory per account grows with its limit. */
export const RATE_OVERRIDE_BOUNDS = { limit: 100_000, periodSeconds: 31 * DAY_SECONDS } as const

/** Returns an optional property for each limit of a table. */
const optionalEach = <Name extends string, Schema extends z.ZodType>(
  limits: Readonly<Record<Name, unknown>>,
  schema: Schema,
) =>
  Object.fromEntries(Object.keys(limits).map((name) => [name, schema.optional()])) as Record<
    Name,
    z.ZodOptional<Schema>
  >

const overridesShape = <Rate extends z.ZodType, Count extends z.ZodType>(rate: Rate, count: Count) => ({
  ...optionalEach<RateLimitName, Rate>(RATE_LIMITS, rate),
  ...optionalEach<ConcurrencyLimitName, Count>(CONCURRENCY_LIMITS, count),
})

const setLimitSchema = z.int().min(1).max(RATE_OVERRIDE_BOUNDS.limit)
const setPeriodSchema = z.int().min(1).max(RATE_OVERRIDE_BOUNDS.periodSeconds)

/** An account's own limits (Enterprise); they override those of its tier. */
export const setRateOverridesSchema = z
  .strictObject(
    overridesShape(
      z.strictObject({ limit: setLimitSchema, period_seconds: setPeriodSchema }).meta({ id: 'SetOwnRate' }),
      z.strictObject({ limit: setLimitSchema }).meta({ id: 'SetOwnConcurrency' }),
    ),
  )
  .meta({
    id: 'SetRateOverrides',
    description:
      'The account’s own limits by name: at most `limit` requests in any `period_seconds`, or at most `limit` at a time.',
  })

const keptNumberSchema = z.int().min(1)

/** Limits as stored, whatever bounds applied when they were set. */
export const rateOverridesSchema = z
  .object(
    overridesShape(
      z.object({ limit: keptNumberSchema, period_seconds: keptNumberSchema }).meta({ id: 'OwnRate' }),
      z.object({ limit: keptNumberSchema }).meta({ id: 'OwnConcurrency' }),
    ),
  )
  .meta({ id: 'RateOverrides', description: 'The account’s own limits by name.' })
export type RateOverrides = z.output<typeof rateOverridesSchema>
