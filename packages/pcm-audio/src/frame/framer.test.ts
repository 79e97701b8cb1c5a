import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFramer, frameSamples } from './framer.ts'

test('chunk boundaries do not affect the frames, and nothing is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.int16Array({ maxLength: 50 })),
      fc.integer({ min: 1, max: 64 }),
      (chunks, samplesPerFrame) => {
        const framer = createFramer({ samplesPerFrame })
        const frames = [...chunks.flatMap((chunk) => framer.push(chunk)), ...framer.flush()]
        const samples = chunks.flatMap((chunk) => [...chunk])
        for (const frame of frames) expect(frame).toHaveLength(samplesPerFrame)
        const out = frames.flatMap((frame) => [...frame])
        expect(out.slice(0, samples.length)).toEqual(samples)
        expect(out.slice(samples.length).every((sample) => sample === 0)).toBe(true)
        expect(out.length - samples.length).toBeLessThan(samplesPerFrame)
      },
    ),
  )
})

test('computes the length from the rate and the duration', () => {
  expect(frameSamples({ sampleRateHz: 44_100, durationMs: 10 })).toBe(441)
  expect(frameSamples({ sampleRateHz: 8000, durationMs: 2.5 })).toBe(20)
  expect(createFramer({ sampleRateHz: 16_000, durationMs: 20 }).push(new Int16Array(640))).toHaveLength(2)
})

test('refuses a frame without samples or with a fractional number', () => {
  for (const samplesPerFrame of [0, -1, 1.5])
    expect(() => createFramer({ samplesPerFrame })).toThrow(RangeError)
  for (const options of [
    { sampleRateHz: 11_025, durationMs: 10 },
    { sampleRateHz: 8000, durationMs: 0 },
    { sampleRateHz: Number.NaN, durationMs: 20 },
  ])
    expect(() => createFramer(options)).toThrow(RangeError)
})
