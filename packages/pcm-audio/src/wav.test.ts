import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pcm16Bytes } from './pcm16.ts'
import { encodeWav, wavHeader } from './wav.ts'

test('a file says what it holds', () => {
  fc.assert(
    fc.property(
      fc.int16Array({ maxLength: 100 }),
      fc.constantFrom(8000, 16_000, 44_100),
      (samples, sampleRateHz) => {
        const file = encodeWav(samples, { sampleRateHz })
        const view = new DataView(file.buffer)
        expect(new TextDecoder('latin1').decode(file.subarray(0, 4))).toBe('RIFF')
        expect(view.getUint32(4, true)).toBe(file.length - 8)
        expect(view.getUint32(24, true)).toBe(sampleRateHz)
        expect(view.getUint32(40, true)).toBe(samples.byteLength)
        expect([...samples].every((sample, index) => view.getInt16(44 + index * 2, true) === sample)).toBe(
          true,
        )
      },
    ),
  )
})

test('a stream has no length yet', () => {
  const view = new DataView(wavHeader({ sampleRateHz: 16_000 }).buffer)
  expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([0xff_ff_ff_ff, 0xff_ff_ff_ff])
})

test('what does not fit into the format is refused', () => {
  expect(() => wavHeader({ sampleRateHz: 16_000, dataBytes: 2 ** 32 })).toThrow(RangeError)
})

test('bytes respect the offset of a view', () => {
  const all = Int16Array.of(1, 2, 3, 4)
  expect([...pcm16Bytes(all.subarray(1, 3))]).toEqual([2, 0, 3, 0])
})
