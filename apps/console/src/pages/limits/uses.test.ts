import type { LimitUse } from '@vaani/client'
import { expect, test } from 'vitest'
import { rereadMsOf, shareOf, usesOf } from './uses.ts'

const rate = (
  name: LimitUse['rates'][number]['name'],
  remaining: number | null,
  resetSeconds: number | null,
) => ({
  name,
  per: 'account' as const,
  limit: 10,
  period_seconds: 60,
  remaining,
  reset_seconds: resetSeconds,
})

const USE: LimitUse = {
  livemode: false,
  tier: 'pro',
  shared: true,
  rates: [rate('chat', 9, 50), rate('status_polls', null, null), rate('ocr', 0, 4)],
  concurrency: [{ name: 'concurrent_streams', limit: 4, used: 2 }],
  counts: [
    { name: 'agents', limit: 100, used: 99 },
    { name: 'voices', limit: 100, used: 0 },
  ],
  caps: [{ name: 'line_spend', currency: 'EUR', limit: 20, used: 19.5, reset_seconds: 60 }],
}

test('the limit that is nearest to its bound comes first, and those that are not used keep their order', () => {
  expect(usesOf(USE).map((use) => [use.name, use.used, shareOf(use)])).toEqual([
    ['ocr', 10, 1],
    ['agents', 99, 0.99],
    ['line_spend', 19.5, 0.975],
    ['concurrent_streams', 2, 0.5],
    ['chat', 1, 0.1],
    ['status_polls', null, 0],
    ['voices', 0, 0],
  ])
})

test('what is used up is read again when it admits more', () => {
  expect(rereadMsOf(USE, 10_000)).toBe(4000)
  expect(rereadMsOf({ ...USE, rates: [rate('ocr', 0, 0)] }, 10_000)).toBe(1000)
  expect(rereadMsOf({ ...USE, rates: [rate('ocr', 0, 400), rate('chat', 9, 2)] }, 10_000)).toBe(10_000)
})
