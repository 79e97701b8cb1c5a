import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { deinterleave, interleave, mixToMono } from './interleave.ts'

test('deinterleave inverts interleave', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(40), fc.integer(), (channelCount, length, seed) => {
      const channels = Array.from({ length: channelCount }, (_, channel) =>
        Int16Array.from({ length }, (_, index) => (seed + channel * 1009 + index * 31) & 0x7fff),
      )
      const frames = interleave(channels)
      expect(frames[channelCount - 1]).toBe(channels.at(-1)?.[0])
      expect(deinterleave(frames, channelCount)).toEqual(channels)
      const into = channels.map((channel) => new Int16Array(channel.length))
      expect(deinterleave(frames, channelCount, into)).toBe(into)
      expect(into).toEqual(channels)
    }),
  )
})

test('keeps the type of the samples', () => {
  expect(interleave([Float32Array.of(0.5), Float32Array.of(-0.5)])).toEqual(Float32Array.of(0.5, -0.5))
  expect(interleave([Float64Array.of(0.1)], new Float64Array(3))).toEqual(Float64Array.of(0.1, 0, 0))
  expect(mixToMono(Float32Array.of(0.5, 0.25), 2)).toEqual(Float32Array.of(0.375))
  expect(mixToMono(Int16Array.of(32_767, 32_767, -3, -4), 2)).toEqual(Int16Array.of(32_767, -3))
})

test('refuses lengths that do not match', () => {
  expect(() => interleave([])).toThrow(RangeError)
  expect(() => interleave([new Int16Array(1), new Int16Array(2)])).toThrow(RangeError)
  expect(() => interleave([new Int16Array(2)], new Int16Array(1))).toThrow(RangeError)
  expect(() => deinterleave(new Int16Array(3), 2)).toThrow(RangeError)
  expect(() => deinterleave(new Int16Array(4), 2, [new Int16Array(2)])).toThrow(RangeError)
  expect(() => mixToMono(new Int16Array(4), 0)).toThrow(RangeError)
})
