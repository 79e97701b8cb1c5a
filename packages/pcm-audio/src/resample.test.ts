import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createResampler } from './resample.ts'

const rates = fc.constantFrom(8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000)

function resample(samples: Int16Array, fromHz: number, toHz: number, chunk = samples.length): Int16Array {
  const resampler = createResampler({ fromHz, toHz })
  const parts: Int16Array[] = []
  for (let offset = 0; offset < samples.length; offset += chunk)
    parts.push(resampler.push(samples.subarray(offset, offset + chunk)))
  parts.push(resampler.flush())
  return Int16Array.from(parts.flatMap((part) => [...part]))
}

const tone = (hz: number, rateHz: number, length: number, level = 20_000) =>
  Int16Array.from({ length }, (_, index) => Math.round(level * Math.sin((2 * Math.PI * hz * index) / rateHz)))

const rms = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

test('gives as many samples as the rates say', () => {
  fc.assert(
    fc.property(rates, rates, fc.integer({ min: 0, max: 5000 }), (fromHz, toHz, length) => {
      expect(resample(new Int16Array(length), fromHz, toHz)).toHaveLength(
        Math.round((length * toHz) / fromHz),
      )
    }),
  )
})

test('does not depend on how the input is cut', () => {
  fc.assert(
    fc.property(
      rates,
      rates,
      fc.int16Array({ minLength: 1, maxLength: 2000 }),
      fc.integer({ min: 1, max: 700 }),
      (fromHz, toHz, samples, chunk) => {
        expect(resample(samples, fromHz, toHz, chunk)).toEqual(resample(samples, fromHz, toHz))
      },
    ),
    { numRuns: 60 },
  )
})

test('is as new after a flush', () => {
  const samples = tone(440, 22_050, 3000)
  const resampler = createResampler({ fromHz: 22_050, toHz: 16_000 })
  const run = () => [...resampler.push(samples), ...resampler.flush()]
  expect(run()).toEqual(run())
})

test.each([
  [22_050, 16_000],
  [24_000, 16_000],
  [48_000, 16_000],
  [8000, 16_000],
  [16_000, 44_100],
])('a 997 Hz tone from %i to %i Hz stays where and as loud as it was', (fromHz, toHz) => {
  const out = resample(tone(997, fromHz, fromHz), fromHz, toHz)
  const expected = tone(997, toHz, toHz)
  const middle = (samples: Int16Array) => samples.subarray(toHz / 4, (3 * toHz) / 4)
  const difference = middle(out).map((sample, index) => sample - (middle(expected)[index] ?? 0))
  // Rounding to 16 bit twice leaves about half a step.
  expect(rms(difference)).toBeLessThan(0.7)
})

test.each([
  [24_000, 16_000, 9200],
  [48_000, 16_000, 12_000],
  [22_050, 16_000, 9500],
])('from %i to %i Hz, a tone of %i Hz that does not fit is gone', (fromHz, toHz, hz) => {
  const out = resample(tone(hz, fromHz, fromHz), fromHz, toHz)
  expect(rms(out.subarray(toHz / 4, (3 * toHz) / 4))).toBeLessThan(1)
})

test('clamps what would overflow', () => {
  const square = Int16Array.from({ length: 4000 }, (_, index) => (index % 100 < 50 ? 32_767 : -32_768))
  const out = resample(square, 16_000, 44_100)
  expect(Math.max(...out)).toBe(32_767)
  expect(Math.min(...out)).toBe(-32_768)
})

test('refuses rates that are none', () => {
  for (const fromHz of [0, -1, 16_000.5, Number.NaN, 1e9])
    expect(() => createResampler({ fromHz, toHz: 16_000 })).toThrow(RangeError)
})
