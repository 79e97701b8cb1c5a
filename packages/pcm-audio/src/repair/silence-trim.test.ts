import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSilenceTrimmer, trimSilence } from './silence-trim.ts'

const rate = { sampleRateHz: 1000 }
const quiet = (length: number) => Array.from({ length }, (_, index) => (index % 50) + 1)
const sound = (length: number) => Array.from({ length }, (_, index) => (index % 2 === 0 ? 5000 : -5000))
const trim = (values: readonly number[], options = {}) => [
  ...trimSilence(Int16Array.from(values), { ...rate, ...options }),
]

test('keeps some silence before the first sound and after the last, and the pauses in between', () => {
  const whole = [...quiet(300), ...sound(20), ...quiet(200), ...sound(10), ...quiet(500)]
  expect(trim(whole)).toEqual(whole.slice(250, 580))
  expect(trim(whole, { keepMs: 0 })).toEqual(whole.slice(300, 530))
})

test('cuts long pauses in their middle', () => {
  const whole = [...sound(4), ...quiet(300), ...sound(4)]
  expect(trim(whole, { longestPauseMs: 100, keepMs: 20 })).toEqual([
    ...sound(4),
    ...whole.slice(4, 84),
    ...whole.slice(284, 304),
    ...sound(4),
  ])
  expect(trim(whole, { longestPauseMs: 0 })).toEqual([...sound(4), ...sound(4)])
})

test('returns nothing for silence and for an empty array', () => {
  expect(trim(quiet(5000))).toEqual([])
  expect(trim([])).toEqual([])
})

test('chunk boundaries do not affect the result, no sound is lost, and flush resets', () => {
  const runs = fc.array(fc.record({ isSound: fc.boolean(), length: fc.nat(120) }), { maxLength: 12 })
  fc.assert(
    fc.property(
      runs,
      fc.integer({ min: 1, max: 90 }),
      fc.nat(60),
      fc.nat(150),
      (parts, cut, keepMs, longestPauseMs) => {
        const values = parts.flatMap(({ isSound, length }) => (isSound ? sound(length) : quiet(length)))
        const options = { ...rate, keepMs, longestPauseMs }
        const expected = trim(values, options)
        const trimmer = createSilenceTrimmer(options)
        for (let turn = 0; turn < 2; turn++) {
          const given: number[] = []
          for (let start = 0; start < values.length; start += cut)
            given.push(...trimmer.push(Int16Array.from(values.slice(start, start + cut))))
          given.push(...trimmer.flush())
          expect(given).toEqual(expected)
        }
        const isLoud = (value: number) => Math.abs(value) === 5000
        expect(expected.filter(isLoud)).toEqual(values.filter(isLoud))
      },
    ),
  )
})

test('refuses invalid options', () => {
  for (const options of [
    { keepMs: -1 },
    { longestPauseMs: Number.POSITIVE_INFINITY },
    { sampleRateHz: 0 },
    { keepMs: Number.NaN },
  ])
    expect(() => createSilenceTrimmer({ ...rate, ...options })).toThrow(RangeError)
})
