import { expect, test } from 'vitest'
import { CONCURRENCY_LIMITS, RATE_LIMITS } from '../shared/limits.ts'
import { RATE_OVERRIDE_BOUNDS, rateOverridesSchema, setRateOverridesSchema } from './rate-overrides.ts'

const accepts = (overrides: object) => setRateOverridesSchema.safeParse(overrides).success

test('every limit may be overridden, alone or with others', () => {
  const rates = Object.keys(RATE_LIMITS).map((name) => [name, { limit: 1, period_seconds: 1 }])
  const counts = Object.keys(CONCURRENCY_LIMITS).map((name) => [name, { limit: 1 }])
  for (const entry of [...rates, ...counts]) expect(accepts(Object.fromEntries([entry]))).toBe(true)
  expect(accepts(Object.fromEntries([...rates, ...counts]))).toBe(true)
  expect(accepts({})).toBe(true)
})

test('the bounds limit how much a server has to remember', () => {
  const { limit, periodSeconds } = RATE_OVERRIDE_BOUNDS
  expect(accepts({ chat: { limit, period_seconds: periodSeconds } })).toBe(true)
  expect(accepts({ chat: { limit: limit + 1, period_seconds: 1 } })).toBe(false)
  expect(accepts({ chat: { limit: 1, period_seconds: periodSeconds + 1 } })).toBe(false)
  expect(accepts({ concurrent_streams: { limit: limit + 1 } })).toBe(false)
})

test.each([
  { no_such_limit: { limit: 1, period_seconds: 1 } },
  { chat: { limit: 1 } },
  { chat: { limit: 0, period_seconds: 1 } },
  { chat: { limit: 1, period_seconds: 0.5 } },
  { concurrent_streams: { limit: 1, period_seconds: 1 } },
])('%j is not an override', (overrides) => {
  expect(accepts(overrides)).toBe(false)
})

test('overrides set under wider bounds are still shown', () => {
  const kept = { chat: { limit: 1_000_000, period_seconds: 86_400_000 } }
  expect(rateOverridesSchema.parse(kept)).toEqual(kept)
})
