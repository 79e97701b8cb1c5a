import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, sine, toInt16 } from '@vaani/signals'
import { createTruePeakMeter, measureTruePeak } from './true-peak.ts'

/** Fades the samples in and out, because a step would itself overshoot. */
function faded(samples: Float32Array): Float32Array {
  const fade = 1000
  return samples.map(
    (value, n) =>
      value * Math.sin((Math.PI / 2) * Math.min(1, n / fade, (samples.length - 1 - n) / fade)) ** 2,
  )
}

// EBU Tech 3341, table 1, cases 15 to 19.
test.each([
  [4, 0, 0.5, -6],
  [4, 45, 0.5, -6],
  [6, 60, 0.5, -6],
  [8, 67.5, 0.5, -6],
  [4, 45, 1.41, 3],
])(
  'a sine at 1/%d of the rate, from %d degrees, of amplitude %f reads %d dBTP',
  (part, phase, amplitude, level) => {
    for (const sampleRateHz of [8000, 48_000]) {
      const tone = sine({
        frequencyHz: sampleRateHz / part,
        amplitude,
        samples: 9600,
        sampleRateHz,
        phaseDegrees: phase,
      })
      const measured = measureTruePeak(faded(tone), { channels: 1 })
      expect(measured).toBeGreaterThan(level - 0.4)
      expect(measured).toBeLessThan(level + 0.2)
    }
  },
)

test('is never below the largest sample', () => {
  fc.assert(
    fc.property(fc.int16Array({ minLength: 1, maxLength: 200 }), (samples) => {
      const largest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      expect(measureTruePeak(samples, { channels: 1 })).toBeGreaterThanOrEqual(
        20 * Math.log10(largest / 32_768),
      )
    }),
  )
})

test('chunk boundaries do not affect the peak, which is that of the louder channel', () => {
  const meter = createTruePeakMeter({ channels: 2 })
  const pieces = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 5 })
  const left = fc.int16Array({ minLength: 300, maxLength: 300 })
  fc.assert(
    fc.property(left, left, pieces, (left, right, lengths) => {
      const both = Int16Array.from({ length: 600 }, (_, n) => (n % 2 === 0 ? left : right)[n >> 1]!)
      for (const piece of cut(both, lengths)) meter.push(piece)
      const measured = meter.flush()
      expect(measured).toBe(measureTruePeak(both, { channels: 2 }))
      expect(measured).toBe(
        Math.max(measureTruePeak(left, { channels: 1 }), measureTruePeak(right, { channels: 1 })),
      )
    }),
  )
})

test('skipping quiet blocks misses no peak', () => {
  const tone = sine({ frequencyHz: 5000, amplitude: 0.5, samples: 4000, sampleRateHz: 22_050 })
  const rising = toInt16(tone.map((value, n) => (value * n) / 4000))
  const reversed = rising.toReversed()
  // The interpolator is symmetric, so a signal and its mirror have the same peak.
  expect(measureTruePeak(reversed, { channels: 1 })).toBeCloseTo(measureTruePeak(rising, { channels: 1 }), 12)
})

test('silence reads -Infinity', () => {
  expect(measureTruePeak(new Int16Array(100), { channels: 1 })).toBe(Number.NEGATIVE_INFINITY)
})
