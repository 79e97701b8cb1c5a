import { amplitudeToDbfs, measureTruePeak } from '@vaani/pcm-audio'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLeveler } from './leveler.ts'

const SAMPLE_RATE_HZ = 22_050

function level(gainDb: number, pieces: readonly Int16Array[]): Int16Array {
  const leveler = createLeveler({ sampleRateHz: SAMPLE_RATE_HZ, gainDb })
  return Int16Array.from(
    [...pieces.map((piece) => leveler.push(piece)), leveler.flush()].flatMap((part) => [...part]),
  )
}

function tone(options: { hz: number; amplitude: number; offset?: number; samples?: number }): Int16Array {
  const { hz, amplitude, offset = 0, samples = 8000 } = options
  return Int16Array.from({ length: samples }, (_, index) =>
    Math.round(offset + amplitude * Math.sin((2 * Math.PI * hz * index) / SAMPLE_RATE_HZ)),
  )
}
const rms = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

test('takes direct current away and applies the gain to the rest', () => {
  // Whole periods, after the step at the start.
  const output = level(6, [tone({ hz: 210, amplitude: 3000, offset: 128 })]).subarray(2000, 2000 + 50 * 105)
  expect(Math.abs(output.reduce((sum, sample) => sum + sample, 0) / output.length)).toBeLessThan(3)
  expect(amplitudeToDbfs(rms(output) / (3000 / Math.SQRT2))).toBeCloseTo(6, 1)
})

test('keeps the true peak below -1 dBTP, in as many samples', () => {
  const speech = fc.record({
    hz: fc.integer({ min: 60, max: 2000 }),
    amplitude: fc.integer({ min: 0, max: 32_767 }),
    samples: fc.integer({ min: 0, max: 3000 }),
  })
  fc.assert(
    fc.property(
      fc.array(speech, { maxLength: 4 }),
      fc.double({ min: -10, max: 20, noNaN: true }),
      (parts, gainDb) => {
        const pieces = parts.map(tone)
        const output = level(gainDb, pieces)
        expect(output).toHaveLength(pieces.reduce((length, piece) => length + piece.length, 0))
        // A tone that begins or ends at once rings in the meter's filter.
        const steady = output.subarray(50, -50)
        for (const sample of steady) expect(Math.abs(sample)).toBeLessThanOrEqual(32_768 * 10 ** (-1.5 / 20))
      },
    ),
    { numRuns: 60 },
  )
  expect(measureTruePeak(level(12, [tone({ hz: 440, amplitude: 20_000 })]), { channels: 1 })).toBeLessThan(-1)
})

test('gives the same in whatever pieces', () => {
  const samples = Int16Array.from({ length: 6000 }, (_, index) =>
    Math.round((index > 2000 && index < 3000 ? 30_000 : 4000) * Math.sin(index / 9)),
  )
  const whole = level(5, [samples])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.toSorted((one, other) => one - other), samples.length]
      expect(
        level(
          5,
          at.slice(1).map((end, index) => samples.subarray(at[index], end)),
        ),
      ).toEqual(whole)
    }),
    { numRuns: 50 },
  )
})

test('leaves the sound before a peak alone', () => {
  const quiet = tone({ hz: 200, amplitude: 1000 })
  const loud = tone({ hz: 200, amplitude: 32_000 })
  const before = quiet.length - Math.round(0.005 * SAMPLE_RATE_HZ)
  expect(level(0, [quiet, loud]).subarray(0, before)).toEqual(level(0, [quiet]).subarray(0, before))
})
