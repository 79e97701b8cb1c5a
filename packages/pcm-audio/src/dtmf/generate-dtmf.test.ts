import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureLevels } from '../measure/levels.ts'
import { generateDtmf } from './generate-dtmf.ts'

test('generates the two tones of each key, and pauses', () => {
  const sampleRateHz = 8000
  const samples = generateDtmf('9D', { sampleRateHz, toneMs: 50, pauseMs: 30, lowDbfs: -20, highDbfs: -14 })
  expect(samples).toHaveLength(1280)
  const expected = (n: number) =>
    0.1 * Math.sin((2 * Math.PI * 941 * n) / sampleRateHz) +
    10 ** (-14 / 20) * Math.sin((2 * Math.PI * 1633 * n) / sampleRateHz)
  for (let n = 0; n < 400; n++) expect(samples[640 + n]! / 32_767).toBeCloseTo(expected(n), 4)
  expect(measureLevels(samples.subarray(400, 640)).peakDbfs).toBe(Number.NEGATIVE_INFINITY)
})

test('has the length of all tones and pauses at any rate', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'0123456789*#ABCD'), maxLength: 12 }),
      fc.integer({ min: 8000, max: 48_000 }),
      (keys, sampleRateHz) => {
        const { length } = generateDtmf(keys, { sampleRateHz, toneMs: 45, pauseMs: 55 })
        expect(length).toBe(Math.round((keys.length * 100 * sampleRateHz) / 1000))
      },
    ),
  )
})

test('refuses unknown keys and invalid options', () => {
  for (const keys of ['E', '1 2', 'a', '１'])
    expect(() => generateDtmf(keys, { sampleRateHz: 8000 })).toThrow(RangeError)
  for (const options of [
    { sampleRateHz: 4000 },
    { sampleRateHz: Number.NaN },
    { sampleRateHz: 8000, toneMs: 0 },
    { sampleRateHz: 8000, pauseMs: -1 },
    { sampleRateHz: 8000, lowDbfs: -3, highDbfs: -3 },
  ])
    expect(() => generateDtmf('1', options)).toThrow(RangeError)
})
