import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBreakers } from './breakers.ts'

const RULES = { failuresUntilRest: 3, firstRestMs: 1000, maxRestMs: 8000 }

function start() {
  const told: unknown[] = []
  const clock = { nowMs: 0 }
  const breakers = createBreakers({
    rules: RULES,
    nowMs: () => clock.nowMs,
    onRest: (name, restMs) => told.push([name, restMs]),
    onRecovery: (name) => told.push(name),
  })
  /** Fails as soon as the target gets a request, `count` times, and returns when each request was sent. */
  function failTimes(count: number): number[] {
    const atMs: number[] = []
    while (atMs.length < count) {
      if (!breakers.begin('x')) clock.nowMs = breakers.stateOf('x').untilMs
      else {
        atMs.push(clock.nowMs)
        breakers.fail('x')
      }
    }
    return atMs
  }
  return { breakers, clock, told, failTimes }
}

test('a target rests after three failures in a row, twice as long after each further one, up to the limit', () => {
  const { told, failTimes } = start()
  expect(failTimes(9)).toEqual([0, 0, 0, 1000, 3000, 7000, 15_000, 23_000, 31_000])
  expect(told.slice(0, 3)).toEqual([
    ['x', 1000],
    ['x', 2000],
    ['x', 4000],
  ])
})

test('after a rest, one request at a time tries the target, and a success ends the rests', () => {
  const { breakers, clock, told, failTimes } = start()
  failTimes(3)
  clock.nowMs = 999
  expect([breakers.begin('x'), breakers.begin('y')]).toEqual([false, true])
  clock.nowMs = 1000
  expect([breakers.begin('x'), breakers.begin('x')]).toEqual([true, false])
  breakers.leave('x')
  expect(breakers.begin('x')).toBe(true)
  breakers.succeed('x')
  expect([breakers.begin('x'), breakers.begin('x')]).toEqual([true, true])
  expect(told).toEqual([['x', 1000], 'x'])
})

test('a target that asks to wait rests for as long, within the limit, and that is no failure', () => {
  const { breakers, clock } = start()
  clock.nowMs = 500
  breakers.pause('x', 2000)
  expect(breakers.stateOf('x')).toMatchObject({ failures: 0, untilMs: 2500, isTried: false })
  breakers.pause('x', 3_600_000)
  expect(breakers.stateOf('x').untilMs).toBe(8500)
})

test('a target never rests for longer than the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(100_000))), (outcomes) => {
      const { breakers, clock } = start()
      for (const [isBusy, ms] of outcomes) {
        if (isBusy) breakers.pause('x', ms)
        else breakers.fail('x')
        expect(breakers.stateOf('x').untilMs - clock.nowMs).toBeLessThanOrEqual(RULES.maxRestMs)
        clock.nowMs += ms
      }
    }),
  )
})

test('failures of one account never make a target rest for others, however many and in whatever order', () => {
  const outcome = fc.constantFrom('fail', 'pause', 'leave', 'succeed')
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, fc.nat(10_000))), (outcomes) => {
      const { breakers, clock, told } = start()
      for (const [kind, ms] of outcomes) {
        if (breakers.begin('x'))
          if (kind === 'fail') breakers.fail('x', 'noisy')
          else if (kind === 'pause') breakers.pause('x', ms, 'noisy')
          else breakers[kind]('x')
        // Others, several at a time.
        expect([breakers.begin('x'), breakers.begin('x')]).toEqual([true, true])
        breakers.leave('x')
        clock.nowMs += ms
      }
      expect(told).toEqual([])
    }),
  )
})

test('failures of several accounts make a target rest, and two of them again after each rest', () => {
  const { breakers, clock, told } = start()
  for (const account of ['a', 'a', 'a', 'a', 'b', 'b']) breakers.fail('x', account)
  expect(told).toEqual([])
  breakers.fail('x', 'b')
  expect(told).toEqual([['x', 1000]])
  clock.nowMs = 1000
  for (const account of ['a', 'a', 'a']) {
    expect(breakers.begin('x')).toBe(true)
    breakers.fail('x', account)
  }
  expect(told).toHaveLength(1)
  expect(breakers.begin('x')).toBe(true)
  breakers.fail('x', 'b')
  expect(told.slice(1)).toEqual([['x', 2000]])
})

test('failures of one account bring no target closer to its rest for others, wherever they fall', () => {
  const failures = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 })
  fc.assert(
    fc.property(failures, fc.array(fc.nat(8), { maxLength: 20 }), (failed, at) => {
      const mixed: string[] = [...failed]
      for (const index of at) mixed.splice(index, 0, 'noisy')
      const { breakers, told } = start()
      for (const account of mixed) breakers.fail('x', account)
      expect([told, breakers.begin('x')]).toEqual([[], true])
    }),
  )
})

test('a target that fails for everybody rests after one failure more than its limit', () => {
  const { breakers, told } = start()
  for (const account of ['a', 'b', 'c']) breakers.fail('x', account)
  expect(told).toEqual([])
  breakers.fail('x', 'd')
  expect(told).toEqual([['x', 1000]])
})

test('failures of one account and requests of another to wait are two causes', () => {
  const { breakers, told } = start()
  for (let count = 0; count < 9; count++) breakers.fail('x', 'a')
  breakers.pause('x', 5000, 'b')
  breakers.fail('x', 'b')
  expect([breakers.begin('x'), told]).toEqual([true, []])
  breakers.pause('x', 5000, 'c')
  expect([breakers.begin('x'), told]).toEqual([false, [['x', 5000]]])
})

test('no more targets are known than the limit', () => {
  const breakers = createBreakers({
    rules: { ...RULES, failuresUntilRest: 1 },
    nowMs: () => 0,
    maxTargets: 2,
  })
  for (const name of ['x', 'y', 'z']) breakers.fail(name)
  expect(['x', 'y', 'z'].map((name) => breakers.begin(name))).toEqual([true, false, false])
})
