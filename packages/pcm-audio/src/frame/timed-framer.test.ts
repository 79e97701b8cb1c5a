import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTimedFramer } from './timed-framer.ts'

test('frames have the right times, also after a flush', () => {
  fc.assert(
    fc.property(
      fc.array(fc.int16Array({ maxLength: 500 })),
      fc.integer({ min: -9, max: 9 }),
      (chunks, start) => {
        const framer = createTimedFramer({ sampleRateHz: 8000, durationMs: 5, startSample: start })
        const frames = [...chunks.flatMap((chunk) => framer.push(chunk)), ...framer.flush()]
        const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
        for (const [index, frame] of frames.entries()) {
          expect(frame.startSample).toBe(start + index * 40)
          expect(frame.timestampMs).toBeCloseTo(start / 8 + index * 5, 9)
          expect(frame.paddedSamples).toBe(index === frames.length - 1 ? frames.length * 40 - total : 0)
        }
        expect(framer.push(new Int16Array(40))).toEqual([
          {
            samples: new Int16Array(40),
            startSample: start + frames.length * 40,
            timestampMs: start / 8 + frames.length * 5,
            paddedSamples: 0,
          },
        ])
      },
    ),
  )
})

test('refuses a frame without samples or with a fractional number, and a fractional start', () => {
  for (const options of [
    { sampleRateHz: 11_025, durationMs: 10 },
    { sampleRateHz: 8000, durationMs: 0 },
    { sampleRateHz: Number.NaN, durationMs: 20 },
    { sampleRateHz: 8000, durationMs: 20, startSample: 0.5 },
  ])
    expect(() => createTimedFramer(options)).toThrow(RangeError)
})
