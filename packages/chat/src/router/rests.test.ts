import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterBusy, afterFailure, AWAKE, beforeRequest, type Rest } from './rests.ts'

const RULES = { failuresUntilRest: 3, firstRestMs: 1000, maxRestMs: 8000 }

/** Fails as soon as the provider accepts a request, `count` times, and returns when each request was accepted. */
function failTimes(count: number): { rest: Rest; atMs: number[] } {
  let rest = AWAKE
  let nowMs = 0
  const atMs: number[] = []
  while (atMs.length < count) {
    const trying = beforeRequest(rest, nowMs, RULES)
    if (trying === undefined) nowMs = rest.untilMs
    else {
      atMs.push(nowMs)
      rest = afterFailure(trying, nowMs, RULES)
    }
  }
  return { rest, atMs }
}

test('rests after three failures in a row, twice as long after each further one, up to the limit', () => {
  expect(failTimes(9).atMs).toEqual([0, 0, 0, 1000, 3000, 7000, 15_000, 23_000, 31_000])
})

test('after a rest, one request at a time tries the provider', () => {
  const { rest } = failTimes(3)
  expect(beforeRequest(rest, 999, RULES)).toBeUndefined()
  const tried = beforeRequest(rest, 1000, RULES)
  expect(tried?.isTried).toBe(true)
  expect(tried && beforeRequest(tried, 1000, RULES)).toBeUndefined()
})

test('a busy provider rests for as long as it asked, within the limit, and that is no failure', () => {
  expect(afterBusy(AWAKE, 500, 2000, RULES)).toEqual({ failures: 0, untilMs: 2500, isTried: false })
  expect(afterBusy(AWAKE, 500, 3_600_000, RULES).untilMs).toBe(8500)
})

test('a provider is never kept away for longer than the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(100_000))), (outcomes) => {
      let rest = AWAKE
      let nowMs = 0
      for (const [isBusy, ms] of outcomes) {
        rest = isBusy ? afterBusy(rest, nowMs, ms, RULES) : afterFailure(rest, nowMs, RULES)
        expect(rest.untilMs - nowMs).toBeLessThanOrEqual(RULES.maxRestMs)
        nowMs += ms
      }
    }),
  )
})
