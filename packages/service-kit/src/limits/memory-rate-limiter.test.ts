import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryRateLimiter, type LocalRateLimiter } from './memory-rate-limiter.ts'
import type { NamedRate } from './rate-limiter.ts'
import { answerByHand, gapsOf, mostInAnyWindow, stateMet } from './testing/count-by-hand.ts'
import type { WindowBounds } from './window-table.ts'

const tenPerSecond: NamedRate = { name: 'place_call', limit: 10, periodSeconds: 1 }
const once: NamedRate = { name: 'once', limit: 1, periodSeconds: 60 }

/** A present-day time, because rounding errors depend on its magnitude. */
function limiterAt(bounds?: WindowBounds) {
  const clock = { ms: 1_795_000_000_123, nowMs: () => clock.ms }
  const forgotten: string[] = []
  const limiter = createMemoryRateLimiter({
    clock,
    onForgotten: (name) => forgotten.push(name),
    ...(bounds && { bounds }),
  })
  return { clock, limiter, forgotten }
}

test('agrees with a naive count: never more in any window, and no refusal while there is room', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 90 }),
      gapsOf({ ofPeriod: 1 / 3 }),
      (limit, periodSeconds, gaps) => {
        const { clock, limiter } = limiterAt()
        const rate: NamedRate = { name: 'any', limit, periodSeconds }
        const admitted: number[] = []
        for (const gap of gaps) {
          clock.ms += Math.round(gap * periodSeconds * 1000)
          const expected = answerByHand({ rate, admitted, nowMs: clock.ms })
          expect(limiter.take(rate, 'a')).toEqual(expected)
          if (expected.allowed) admitted.push(clock.ms)
        }
        expect(mostInAnyWindow(admitted, periodSeconds * 1000)).toBeLessThanOrEqual(limit)
      },
    ),
    { numRuns: 300 },
  )
})

test('what is given back is admitted again, and nothing beyond it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.boolean(), { maxLength: 30 }),
      async (limit, steps) => {
        const { limiter } = limiterAt()
        const rate: NamedRate = { name: 'any', limit, periodSeconds: 60 }
        let used = 0
        for (const isTaken of steps) {
          if (isTaken) {
            expect(limiter.take(rate, 'a').allowed).toBe(used < limit)
            used = Math.min(limit, used + 1)
          } else if (used > 0) {
            await limiter.giveBack(rate, 'a')
            used--
          }
        }
      },
    ),
  )
})

test('a peek says what the next request meets, and changes nothing', async () => {
  const step = fc.record({
    gap: fc.integer({ min: 0, max: 30_000 }),
    back: fc.nat({ max: 100_000 }),
    limit: fc.integer({ min: 1, max: 6 }),
    act: fc.constantFrom('take', 'take', 'take', 'give back', 'look'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { clock, limiter } = limiterAt()
      const { clock: otherClock, limiter: unpeeked } = limiterAt()
      for (const { gap, back, limit, act } of steps) {
        clock.ms += gap - (back > 90_000 ? back : 0)
        otherClock.ms = clock.ms
        const rate: NamedRate = { name: 'any', limit, periodSeconds: 60 }
        const { isShared, ...state } = await limiter.peek(rate, 'a')
        expect(isShared).toBe(false)
        if (act === 'give back') await Promise.all([limiter, unpeeked].map((one) => one.giveBack(rate, 'a')))
        if (act !== 'take') continue
        const met = limiter.take(rate, 'a')
        expect(state).toEqual(stateMet(rate, met))
        expect(unpeeked.take(rate, 'a')).toEqual(met)
      }
    }),
    { numRuns: 300 },
  )
})

test('ten calls per second holds for any second, wherever it begins', () => {
  const { clock, limiter } = limiterAt()
  const takeAll = (count: number) =>
    Array.from({ length: count }, () => limiter.take(tenPerSecond, 'key').allowed).filter(Boolean).length
  expect(takeAll(1)).toBe(1)
  clock.ms += 900
  expect(takeAll(20)).toBe(9)
  clock.ms += 99
  expect(takeAll(20)).toBe(0)
  clock.ms += 1
  expect(takeAll(20)).toBe(1)
  clock.ms += 899
  expect(takeAll(20)).toBe(0)
  clock.ms += 1
  expect(takeAll(20)).toBe(9)
})

test('the next request is admitted after the seconds that a refusal states, and never a whole second earlier', () => {
  const waits = fc.integer({ min: 0, max: 20_000 })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(waits, { minLength: 1, maxLength: 40 }),
      (limit, gaps) => {
        const { clock, limiter } = limiterAt()
        const rate: NamedRate = { name: 'slow', limit, periodSeconds: 60 }
        for (const gap of gaps) {
          clock.ms += gap
          const result = limiter.take(rate, 'a')
          if (result.allowed) continue
          clock.ms += (result.resetSeconds - 1) * 1000
          expect(limiter.take(rate, 'a').allowed).toBe(false)
          clock.ms += 1000
          expect(limiter.take(rate, 'a').allowed).toBe(true)
        }
      },
    ),
  )
})

test('a clock that goes backwards admits no more, and refuses for at most a period', () => {
  const step = fc.record({ gap: fc.integer({ min: 0, max: 500 }), back: fc.nat({ max: 5000 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, limiter } = limiterAt()
      const rate: NamedRate = { name: 'any', limit: 3, periodSeconds: 1 }
      let trueMs = 0
      const admitted: number[] = []
      for (const { gap, back } of steps) {
        trueMs += gap
        clock.ms += gap - (back > 4000 ? back : 0)
        if (limiter.take(rate, 'a').allowed) admitted.push(trueMs)
      }
      expect(mostInAnyWindow(admitted, 1000)).toBeLessThanOrEqual(3)
      clock.ms += 1000
      expect(limiter.take(rate, 'a').allowed).toBe(true)
    }),
  )
})

test('subjects, limits and periods are counted separately', () => {
  const { limiter } = limiterAt()
  expect(limiter.take(once, 'one').allowed).toBe(true)
  expect(limiter.take(once, 'one').allowed).toBe(false)
  expect(limiter.take(once, 'other').allowed).toBe(true)
  expect(limiter.take({ ...once, name: 'chat' }, 'one').allowed).toBe(true)
  expect(limiter.take({ ...once, periodSeconds: 61 }, 'one').allowed).toBe(true)
})

test('a limit lowered within its window refuses until there is room under the new limit', () => {
  const { clock, limiter } = limiterAt()
  const rate = { ...once, limit: 3 }
  for (let index = 0; index < 3; index++) {
    limiter.take(rate, 'a')
    clock.ms += 1000
  }
  // The latest of the three, admitted 1 s ago, has to leave.
  expect(limiter.take(once, 'a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 59 })
})

describe('memory is bounded', () => {
  const takeEach = (limiter: LocalRateLimiter, subjects: readonly string[], rate = once) =>
    subjects.map((subject) => limiter.take(rate, subject).allowed)

  test('a peek makes no room for itself', async () => {
    const { limiter, forgotten } = limiterAt({ windows: 3, times: 100 })
    takeEach(limiter, ['a', 'b', 'c'])
    for (const subject of ['d', 'e', 'f'])
      expect(await limiter.peek(once, subject)).toEqual({ remaining: 1, resetSeconds: 0, isShared: false })
    expect(takeEach(limiter, ['a', 'b', 'c'])).toEqual([false, false, false])
    expect(forgotten).toEqual([])
  })

  test('subjects whose window is over are dropped first, without a report', () => {
    const { clock, limiter, forgotten } = limiterAt({ windows: 3, times: 100 })
    takeEach(limiter, ['a', 'b', 'c'])
    clock.ms += 60_000
    takeEach(limiter, ['d', 'e', 'f'])
    expect(takeEach(limiter, ['d', 'e', 'f'])).toEqual([false, false, false])
    expect(forgotten).toEqual([])
  })

  test('then the subject whose window ends next is forgotten and reported', () => {
    const { clock, limiter, forgotten } = limiterAt({ windows: 3, times: 100 })
    const another = { ...once, name: 'another limit' }
    takeEach(limiter, ['a'], another)
    takeEach(limiter, ['a', 'b', 'c', 'd'])
    // A refusal forgets no subject.
    expect(takeEach(limiter, ['b', 'c', 'd'])).toEqual([false, false, false])
    expect(takeEach(limiter, ['a'], another)).toEqual([false])
    expect(takeEach(limiter, ['a'])).toEqual([true])
    expect(forgotten).toEqual(['once'])
    clock.ms += 59_999
    takeEach(limiter, ['e', 'f'])
    expect(forgotten).toEqual(['once'])
  })

  test('often admitted subjects are kept, because the order is that of the latest admission', () => {
    const { clock, limiter } = limiterAt({ windows: 3, times: 100 })
    const twice = { ...once, limit: 2 }
    takeEach(limiter, ['a', 'b', 'c'], twice)
    clock.ms += 1
    takeEach(limiter, ['a', 'd'], twice)
    expect(takeEach(limiter, ['a', 'b'], twice)).toEqual([false, true])
    expect(takeEach(limiter, ['b'], twice)).toEqual([true])
  })

  test('times are bounded as well as subjects, and the last subject is never forgotten', () => {
    const { limiter, forgotten } = limiterAt({ windows: 3, times: 10 })
    const many: NamedRate = { name: 'many', limit: 20, periodSeconds: 60 }
    for (let index = 0; index < 20; index++) takeEach(limiter, ['a'], many)
    expect(takeEach(limiter, ['a'], many)).toEqual([false])
    takeEach(limiter, ['b'], many)
    expect(limiter.take(many, 'a')).toMatchObject({ allowed: true, remaining: 19 })
    expect(forgotten).toEqual(['many'])
  })

  test('expired windows take no memory: any number of subjects, one after another', () => {
    const { clock, limiter, forgotten } = limiterAt({ windows: 61, times: 1000 })
    for (let index = 0; index < 2000; index++) {
      clock.ms += 1000
      takeEach(limiter, [String(index)])
    }
    expect(forgotten).toEqual([])
  })
})
