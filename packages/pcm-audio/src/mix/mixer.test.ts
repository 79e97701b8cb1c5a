import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMixer } from './mixer.ts'

const rate = { sampleRateHz: 8000 }
const constant = (value: number, length = 800) => new Int16Array(length).fill(value)

test('a single track passes bit for bit, for any chunk boundaries', () => {
  const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 200 })
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 60 }), (values, cut) => {
      const mixer = createMixer(rate, { voice: {}, music: {} })
      const given: number[] = []
      for (let start = 0; start < values.length; start += cut) {
        const voice = Int16Array.from(values.slice(start, start + cut))
        given.push(...mixer.mix({ voice }, new Int16Array(voice.length)))
      }
      expect(given).toEqual(values)
    }),
  )
})

test('adds tracks with their gains, and pads short ones with silence', () => {
  const mixer = createMixer(rate, { voice: { gainDb: -6.0206 }, music: {} })
  const mixed = mixer.mix({ voice: constant(1000, 4), music: constant(300, 2) }, new Int16Array(4))
  expect([...mixed]).toEqual([800, 800, 500, 500])
})

test('a second track that starts softly changes a loud one by no more than itself', () => {
  const mixer = createMixer(rate, { voice: {}, music: {} })
  const music = Int16Array.from({ length: 800 }, (_, index) => index * 8)
  const mixed = mixer.mix({ voice: constant(31_000), music }, new Int16Array(800))
  expect(mixed[0]).toBe(31_000)
  const steps = mixed.map((sample, index) => sample - (mixed[index - 1] ?? 31_000))
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...steps)).toBeLessThanOrEqual(8)
})

test('a gain changes linearly over the duration of the ramp', () => {
  const mixer = createMixer({ ...rate, rampMs: 10 }, { voice: {} })
  mixer.setGain('voice', Number.NEGATIVE_INFINITY)
  const mixed = mixer.mix({ voice: constant(8000, 100) }, new Int16Array(100))
  expect([mixed[0], mixed[39], mixed[79], mixed[99]]).toEqual([7900, 4000, 0, 0])
  const steps = mixed.map((sample, index) => Math.abs(sample - (mixed[index - 1] ?? 8000)))
  expect(Math.max(...steps)).toBe(100)
})

test('the loudest sum is limited and never overflows', () => {
  const mixer = createMixer(rate, { a: { gainDb: 40 }, b: {} })
  const up = mixer.mix({ a: constant(32_767), b: constant(32_767) }, new Int16Array(800))
  expect(new Set(up)).toEqual(new Set([32_767]))
  expect(mixer.mix({ a: constant(-32_768) }, new Int16Array(800))[799]).toBe(-32_768)
})

test('a voice ducks the music but not itself, and then releases it', () => {
  const mixer = createMixer(
    { ...rate, duckAttackMs: 50, duckReleaseMs: 100 },
    { voice: { duckOthersByDb: 20 }, music: {} },
  )
  const music = constant(10_000)
  const ducked = mixer.mix({ voice: constant(2000), music }, new Int16Array(800))
  expect(ducked[399]).toBe(3000)
  expect(ducked[799]).toBe(3000)
  const back = mixer.mix({ music }, new Int16Array(800))
  expect(back[399]).toBeGreaterThan(5000)
  expect(back[799]).toBe(10_000)
})

test('two tracks can duck each other', () => {
  const mixer = createMixer(rate, { a: { duckOthersByDb: 20 }, b: { duckOthersByDb: 40 } })
  const mixed = mixer.mix({ a: constant(10_000), b: constant(10_000) }, new Int16Array(800))
  expect(mixed[799]).toBe(1100)
})

test('refuses invalid options and lengths', () => {
  expect(() => createMixer({ sampleRateHz: Number.NaN }, { a: {} })).toThrow(RangeError)
  expect(() => createMixer({ ...rate, rampMs: -1 }, { a: {} })).toThrow(RangeError)
  expect(() => createMixer(rate, { a: { gainDb: Number.NaN } })).toThrow(RangeError)
  const mixer = createMixer(rate, { a: {} })
  expect(() => mixer.setGain('a', 90)).toThrow(RangeError)
  expect(() => mixer.mix({ a: constant(1, 9) }, new Int16Array(8))).toThrow(RangeError)
})
