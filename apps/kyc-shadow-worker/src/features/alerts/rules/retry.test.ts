import { expect, test } from 'vitest'
import { MAX_ATTEMPTS, retryDelayMs } from './retry.ts'

test('attempts go on for more than half a day, at intervals of an hour at most', () => {
  const delays = Array.from({ length: MAX_ATTEMPTS }, (_, index) => retryDelayMs(index + 1))
  expect(delays.slice(0, 3)).toEqual([5000, 10_000, 20_000])
  expect(delays.at(-2)).toBe(3_600_000)
  expect(delays.at(-1)).toBeNull()
  const hours = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0) / 3_600_000
  expect(hours).toBeGreaterThan(12)
})
