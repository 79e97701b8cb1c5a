import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRetryAfterMs, retryDelayMs, toRefusal } from './refusal.ts'

const NOW_MS = Date.parse('2026-01-01T00:00:00Z')

test.each<[string, Record<string, string>, number | undefined]>([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9000],
  ['a date in the past', { 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' }, 0],
  ['milliseconds, which are more exact', { 'retry-after': '7', 'retry-after-ms': '6500' }, 6500],
  ['nonsense', { 'retry-after': 'soon', 'retry-after-ms': '-1' }, undefined],
  ['nothing', {}, undefined],
])('reads %s', (_, headers, expected) => {
  expect(readRetryAfterMs(new Headers(headers), NOW_MS)).toBe(expected)
})

test('no request waits longer than the limit, or is repeated more often', () => {
  const options = { maxRetries: 3, maxRetryDelayMs: 500 }
  fc.assert(
    fc.property(
      fc.integer({ min: 201, max: 599 }),
      fc.option(fc.nat(5000), { nil: undefined }),
      fc.nat(5),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (status, retryAfterMs, attempt, random) => {
        const delayMs = retryDelayMs(toRefusal(status, retryAfterMs), {
          ...options,
          attempt,
          random: () => random,
        })
        if (delayMs === undefined) return
        expect(attempt).toBeLessThan(3)
        expect(delayMs).toBeLessThanOrEqual(500)
      },
    ),
  )
})
