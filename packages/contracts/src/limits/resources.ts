import { z } from 'zod'
import { livemodeSchema } from '../shared/checks.ts'
import {
  ACCOUNT_LIMITS,
  type AccountLimitName,
  CONCURRENCY_LIMITS,
  type ConcurrencyLimitName,
  RATE_LIMITS,
  type RateLimitName,
} from '../shared/limits.ts'
import { RATE_SUBJECTS, TIERS } from '../shared/rates.ts'
import { described } from '../shared/route.ts'

const limitSchema = z.int().min(1)
const countSchema = z.int().min(0)

/** Makes a list of names from the keys of a table, which the compiler knows only as strings. */
const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  z.enum(Object.keys(table) as Name[])

const rateUseSchema = z
  .object({
    name: namesOf<RateLimitName>(RATE_LIMITS),
    per: described(z.enum(RATE_SUBJECTS), 'What is counted by itself.'),
    limit: limitSchema,
    period_seconds: limitSchema,
    remaining: described(
      countSchema.nullable(),
      'Requests that would be admitted now; null if each verification is counted by itself.',
    ),
    reset_seconds: described(
      countSchema.nullable(),
      'Seconds until `remaining` grows, as in the header `RateLimit`; 0 if nothing is used.',
    ),
  })
  .meta({ id: 'RateUse', description: 'At most `limit` requests in any `period_seconds`.' })

const concurrencyUseSchema = z
  .object({
    name: namesOf<ConcurrencyLimitName>(CONCURRENCY_LIMITS),
    limit: limitSchema,
    used: described(
      countSchema,
      'Counted up to the limit. Batches of `POST /v1/batch` and of `POST /v1/batches` are counted apart; this is the larger number.',
    ),
  })
  .meta({ id: 'ConcurrencyUse', description: 'At most `limit` at a time.' })

const countUseSchema = z
  .object({
    name: namesOf<AccountLimitName>(ACCOUNT_LIMITS),
    limit: limitSchema,
    used: described(countSchema, 'Counted up to the limit. `members` counts both modes.'),
  })
  .meta({ id: 'CountUse', description: 'At most `limit` in an account and mode.' })

/** What an operator limits of an account's calls over phone lines, in a UTC day. */
export const LINE_CAPS = ['line_minutes', 'line_spend', 'attempts_per_number'] as const

const capUseSchema = z
  .object({
    name: z.enum(LINE_CAPS),
    currency: described(z.string().optional(), 'ISO 4217 code of what `line_spend` counts.'),
    limit: described(z.number(), 'Minutes, each counted when it begins; money; or calls.'),
    used: described(z.number().min(0).nullable(), 'Null if each number is counted by itself.'),
    reset_seconds: described(countSchema, 'Seconds until the next UTC day.'),
  })
  .meta({ id: 'CapUse', description: 'At most `limit` in a UTC day.' })

export const limitUseSchema = z
  .object({
    livemode: livemodeSchema,
    tier: z.enum(TIERS),
    shared: described(
      z.boolean(),
      'Whether `rates` and `concurrent_streams` are counted across all processes of the server. If not, because it runs without Redis or Redis is away, they are what the process that answers knows of.',
    ),
    rates: described(
      z.array(rateUseSchema),
      'Limits of operations that the tier does not include are left out.',
    ),
    concurrency: z.array(concurrencyUseSchema),
    counts: z.array(countUseSchema),
    caps: described(
      z.array(capUseSchema),
      'What the operator lets the account use of phone lines in a day, in both modes together. Simulators are not counted.',
    ),
  })
  .meta({ id: 'LimitUse', description: 'What a key and its account use of their limits.' })
export type LimitUse = z.output<typeof limitUseSchema>
