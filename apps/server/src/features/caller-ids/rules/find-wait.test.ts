import { LIMITS } from '@vaani/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findWait } from './find-wait.ts'

const DAY_MS = 86_400_000
const ended = (createdAtMs: number) => ({ createdAtMs, isUnderWay: false })

test('a number that was not called may be called', () => {
  expect(findWait([], 0)).toBeNull()
  expect(findWait([ended(0), ended(0)], 0)).toBeNull()
})

test('a number that is being called is not called a second time', () => {
  expect(findWait([{ createdAtMs: 0, isUnderWay: true }], 1000)).toBe(60)
})

test('after three calls, the next one is a day after the first of them', () => {
  const calls = [ended(2000), ended(1000), ended(0)]
  expect(findWait(calls, 3000)).toBe((DAY_MS - 3000) / 1000)
  expect(findWait(calls, DAY_MS - 1)).toBe(1)
  expect(findWait(calls, DAY_MS)).toBeNull()
})

test('no 24 hours have more than three calls, whenever they are asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: DAY_MS }), { maxLength: 50 }), (pauses) => {
      const placed: number[] = []
      let nowMs = 0
      for (const pauseMs of pauses) {
        nowMs += pauseMs
        const earlier = placed.slice(-LIMITS.callerIdCallsPerDay).toReversed().map(ended)
        if (findWait(earlier, nowMs) === null) placed.push(nowMs)
        const within = placed.filter((atMs) => atMs > nowMs - DAY_MS)
        expect(within.length).toBeLessThanOrEqual(LIMITS.callerIdCallsPerDay)
      }
    }),
  )
})
