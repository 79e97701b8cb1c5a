import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '@vaani/signals'
import { createTimeStretch } from './time-stretch.ts'

const rates = fc.constantFrom(8000, 16_000, 44_100, 48_000)
const frames = fc.constantFrom(10, 20, 60)

test('a tone of 100 to 3000 Hz goes on without a step after a frame that is shorter or longer', () => {
  fc.assert(
    fc.property(rates, frames, fc.integer({ min: 100, max: 3000 }), (sampleRateHz, frameMs, hz) => {
      const samplesPerFrame = (sampleRateHz * frameMs) / 1000
      const stretch = createTimeStretch({ sampleRateHz, samplesPerFrame, quiet: 100, isSoundStretched: true })
      const radians = (2 * Math.PI * hz) / sampleRateHz
      const tone = Int16Array.from({ length: 4 * samplesPerFrame }, (_, n) => 10_000 * Math.sin(radians * n))
      const held = tone.subarray(samplesPerFrame, 3 * samplesPerFrame)
      for (const change of ['shorten', 'lengthen'] as const) {
        const frame = new Int16Array(samplesPerFrame)
        const moved = stretch[change](held, frame, false)
        // A frame of 10 ms does not hold a period of every tone.
        if (moved === 0) continue
        const used = samplesPerFrame + (change === 'shorten' ? moved : -moved)
        const played = [
          ...tone.subarray(0, samplesPerFrame),
          ...frame,
          ...tone.subarray(samplesPerFrame + used, 3 * samplesPerFrame),
        ]
        const steps = played.slice(1).map((sample, n) => Math.abs(sample - (played[n] ?? 0)))
        // The steepest step of the tone, and some more where one period fades into another.
        expect(Math.max(...steps)).toBeLessThan(1.25 * 20_000 * Math.sin(radians / 2) + 2)
      }
    }),
    { numRuns: 200 },
  )
})

test('noise is stretched only if it is urgent, and nothing if only quiet may be', () => {
  const random = seededRandom(4)
  const noise = Int16Array.from({ length: 320 }, () => 20_000 * (random() - 0.5))
  const options = { sampleRateHz: 8000, samplesPerFrame: 160, quiet: 100 }
  const stretch = createTimeStretch({ ...options, isSoundStretched: true })
  const frame = new Int16Array(160)
  for (const change of ['shorten', 'lengthen'] as const) {
    expect(stretch[change](noise, frame, false)).toBe(0)
    expect(stretch[change](noise, frame, true)).toBeGreaterThanOrEqual(20)
    const quietOnly = createTimeStretch({ ...options, isSoundStretched: false })
    expect(quietOnly[change](noise, frame, true)).toBe(0)
    expect(quietOnly[change](new Int16Array(320), frame, false)).toBe(160)
  }
})
