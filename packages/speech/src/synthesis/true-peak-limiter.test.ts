import { measureTruePeak } from '@vaani/pcm-audio'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SampleStage } from './sample-stage.ts'
import { createTruePeakLimiter } from './true-peak-limiter.ts'

const SAMPLE_RATE_HZ = 16_000

function run(stage: SampleStage, samples: Float32Array, chunk = samples.length): Float32Array {
  const output: number[] = []
  for (let at = 0; at < samples.length; at += chunk)
    output.push(...stage.push(samples.subarray(at, at + chunk)))
  output.push(...stage.flush())
  return Float32Array.from(output)
}

const limiter = (gainDb: number, ceilingDbtp = -1.4) =>
  createTruePeakLimiter({ sampleRateHz: SAMPLE_RATE_HZ, gainDb, ceilingDbtp })

/** Sums of sines whose peaks lie between samples, with a step of the level. */
const signal = fc
  .record({
    tones: fc.array(
      fc.record({
        hz: fc.integer({ min: 60, max: 6000 }),
        phase: fc.double({ min: 0, max: 6, noNaN: true }),
      }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    amplitude: fc.double({ min: 0.01, max: 2, noNaN: true }),
    stepAt: fc.integer({ min: 0, max: 3000 }),
  })
  .map(({ tones, amplitude, stepAt }) =>
    Float32Array.from({ length: 3000 }, (_, index) => {
      const sum = tones.reduce(
        (all, { hz, phase }) => all + Math.sin((2 * Math.PI * hz * index) / SAMPLE_RATE_HZ + phase),
        0,
      )
      return (sum * amplitude * (index < stepAt ? 0.1 : 1)) / tones.length
    }),
  )

test('keeps the true peak of any signal below the ceiling, in as many samples', () => {
  fc.assert(
    fc.property(signal, fc.double({ min: -20, max: 20, noNaN: true }), (samples, gainDb) => {
      const output = run(limiter(gainDb), samples)
      expect(output).toHaveLength(samples.length)
      expect(measureTruePeak(output, { channels: 1 })).toBeLessThan(-1)
    }),
    { numRuns: 60 },
  )
})

test('changes only the level of what is below the ceiling', () => {
  const samples = Float32Array.from({ length: 4000 }, (_, index) => 0.2 * Math.sin(index / 7))
  const gain = 10 ** (6 / 20)
  expect(run(limiter(6), samples)).toEqual(samples.map((sample) => sample * gain))
})

test('gives the same samples for any chunks', () => {
  fc.assert(
    fc.property(signal, fc.integer({ min: 1, max: 700 }), (samples, chunk) => {
      expect(run(limiter(12), samples, chunk)).toEqual(run(limiter(12), samples))
    }),
    { numRuns: 20 },
  )
})

test('turns the gain down and up without a step', () => {
  // A constant shows the gain.
  const samples = new Float32Array(12_000).fill(0.1)
  samples.fill(0.9, 3000, 3020)
  const output = run(limiter(6), samples).map((value, index) => value / (samples[index] ?? 1))
  const steps = output.slice(1).map((value, index) => Math.abs(value - (output[index] ?? 0)))
  expect(Math.min(...output)).toBeLessThan(1)
  expect(Math.max(...steps)).toBeLessThan(0.02)
  // It has risen again after seven time constants.
  expect(output.at(-1)).toBeCloseTo(10 ** (6 / 20), 2)
})

test('takes no samples at all', () => {
  expect(run(limiter(0), new Float32Array(0))).toHaveLength(0)
})
