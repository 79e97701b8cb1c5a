import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('measures the requests of the last fifth of a second', () => {
  let nowMs = 0
  const pace = createPace(() => nowMs)
  for (; nowMs < 200; nowMs += 10) pace.note()
  expect([pace.perSecond(), pace.sinceMs()]).toEqual([100, 10])
  nowMs += 199
  expect(pace.perSecond()).toBe(100)
  nowMs += 1
  expect(pace.perSecond()).toBe(0)
})
