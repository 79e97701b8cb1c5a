import { createResampler } from '@vaani/pcm-audio'
import { expect, test } from 'vitest'
import { join, toneFrames } from '../../test/support/tones.ts'
import { createFrameResampler } from './frame-resampler.ts'

test.each([
  [16_000, 8000],
  [8000, 16_000],
  [24_000, 16_000],
  [22_050, 8000],
  [16_000, 48_000],
])(
  'frames at %i Hz become frames at %i Hz: silence for the latency, then all of the sound',
  (fromHz, toHz) => {
    const frames = toneFrames(40, fromHz)
    const resampler = createFrameResampler({ fromHz, toHz })
    const converted = frames.map((frame) => resampler.convert(frame).slice())
    expect(new Set(converted.map(({ length }) => length))).toEqual(new Set([toHz / 50]))
    const whole = createResampler({ fromHz, toHz }).push(join(frames))
    const all = join(converted)
    const latency = all.length - whole.length
    expect(latency).toBeLessThan(toHz / 50)
    expect(all.subarray(0, latency).every((sample) => sample === 0)).toBe(true)
    expect(all.subarray(latency)).toEqual(whole)
  },
)

test('a frame at the same rate is itself', () => {
  const frame = new Int16Array(320)
  expect(createFrameResampler({ fromHz: 16_000, toHz: 16_000 }).convert(frame)).toBe(frame)
})
