import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, sine, toInt16 } from '@vaani/signals'
import { dbfsToAmplitude } from './dbfs.ts'
import { createLevelMeter, measureLevels } from './levels.ts'

const tone = (amplitude: number) =>
  sine({ frequencyHz: 997, amplitude, samples: 48_000, sampleRateHz: 48_000 })

test('a full-scale sine reads 0 dBFS, peak and RMS', () => {
  for (const samples of [tone(1), toInt16(tone(1))]) {
    const levels = measureLevels(samples)
    expect(levels.peakDbfs).toBeCloseTo(0, 2)
    expect(levels.rmsDbfs).toBeCloseTo(0, 2)
    expect(levels.offset).toBeCloseTo(0, 4)
  }
})

test('a full-scale square wave reads 3 dB more than the sine', () => {
  const square = Int16Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 32_767 : -32_768))
  expect(measureLevels(square).rmsDbfs).toBeCloseTo(3.01, 2)
  expect(measureLevels(square).fullScaleSamples).toBe(100)
})

test('a sine reads its nominal level', () => {
  expect(measureLevels(tone(dbfsToAmplitude(-20))).rmsDbfs).toBeCloseTo(-20, 3)
})

test('silence and an empty array read -Infinity', () => {
  for (const samples of [new Int16Array(10), new Int16Array(0)]) {
    const { peakDbfs, rmsDbfs, offset } = measureLevels(samples)
    expect([peakDbfs, rmsDbfs, offset]).toEqual([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0])
  }
})

test('finds a constant offset', () => {
  expect(measureLevels(Float32Array.of(0.25, 0.75, 0.25, 0.75)).offset).toBe(0.5)
})

test('chunk boundaries do not affect the levels, and flush resets', () => {
  const meter = createLevelMeter()
  const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.int16Array({ maxLength: 200 }), pieces, (samples, lengths) => {
      for (const piece of cut(samples, lengths)) meter.push(piece)
      expect(meter.flush()).toEqual(measureLevels(samples))
    }),
  )
})
