import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFramer } from './frame.ts'

test('any cut of the input gives the same frames, and loses nothing', () => {
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

test('refuses a frame of no samples', () => {
  for (const samplesPerFrame of [0, -1, 1.5])
    expect(() => createFramer({ samplesPerFrame })).toThrow(RangeError)
})
