import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deinterleave, interleave } from '../convert/interleave.ts'
import { createResampler } from '../resample/resample.ts'
import { perChannel } from './per-channel.ts'

test('each channel is processed like mono audio, for any chunks', () => {
  const create = () => createResampler({ fromHz: 24_000, toHz: 16_000 })
  const whole = (samples: Int16Array) => {
    const resampler = create()
    return [...resampler.push(samples), ...resampler.flush()]
  }
  fc.assert(
    fc.property(
      fc.int16Array({ minLength: 10, maxLength: 900 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 200 }),
      (samples, channels, step) => {
        const mono = Array.from({ length: channels }, (_, channel) =>
          samples.map((value) => value >> channel),
        )
        const frames = interleave(mono)
        const part = perChannel(channels, create)
        const given: number[] = []
        for (let at = 0; at < frames.length; at += step * channels)
          given.push(...part.push(frames.subarray(at, at + step * channels)))
        given.push(...part.flush())
        expect(deinterleave(Int16Array.from(given), channels).map((channel) => [...channel])).toEqual(
          mono.map(whole),
        )
      },
    ),
    { numRuns: 40 },
  )
})

test('refuses half a frame, and no channels', () => {
  const create = () => createResampler({ fromHz: 24_000, toHz: 16_000 })
  expect(() => perChannel(2, create).push(new Int16Array(3))).toThrow(RangeError)
  expect(() => perChannel(0, create)).toThrow(RangeError)
})
