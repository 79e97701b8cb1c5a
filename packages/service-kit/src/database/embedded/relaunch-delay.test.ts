import { expect, test } from 'vitest'
import { relaunchDelayMs } from './relaunch-delay.ts'

const delays = (awayMs: number) =>
  Array.from({ length: 13 }, (_, index) => relaunchDelayMs({ count: index + 1, awayMs }))

test('a server that was lost is started again at once, then ever later, at last never', () => {
  expect(delays(0)).toEqual([0, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, 5000, null])
})

test('one that has been away for too long is given up, however few starts were tried', () => {
  expect(relaunchDelayMs({ count: 1, awayMs: 150_000 })).toBe(0)
  expect(relaunchDelayMs({ count: 1, awayMs: 150_001 })).toBe(null)
})
