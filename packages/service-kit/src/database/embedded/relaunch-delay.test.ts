import { expect, test } from 'vitest'
import { relaunchDelayMs } from './relaunch-delay.ts'

const delays = (awayMs: number) =>
  Array.from({ length: 13 }, (_, index) => relaunchDelayMs({ count: index + 1, awayMs }))

test('a lost server is restarted at once, then with growing delays, and finally given up', () => {
  expect(delays(0)).toEqual([0, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, 5000, null])
})

test('a server that has been down for too long is given up, however few restarts were tried', () => {
  expect(relaunchDelayMs({ count: 1, awayMs: 150_000 })).toBe(0)
  expect(relaunchDelayMs({ count: 1, awayMs: 150_001 })).toBe(null)
})
