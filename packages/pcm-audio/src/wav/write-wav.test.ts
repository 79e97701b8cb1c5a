import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pcm16Bytes } from '../convert/pcm16-bytes.ts'
import { s16be } from '../convert/s16.ts'
import { encodeWav, WAV_HEADER_BYTES, wavHeader } from './write-wav.ts'

test('the header of a file describes its content', () => {
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

test('the header of a stream has no length', () => {
  const view = new DataView(wavHeader({ sampleRateHz: 16_000 }).buffer)
  expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([0xff_ff_ff_ff, 0xff_ff_ff_ff])
})

test('refuses formats that WAV files cannot hold', () => {
  for (const options of [
    { sampleRateHz: 0 },
    { sampleRateHz: 8000.5 },
    { sampleRateHz: 8000, channels: 0 },
    { sampleRateHz: 8000, channels: 40_000 },
    { sampleRateHz: 8000, format: s16be },
    { sampleRateHz: 8000, dataBytes: -1 },
    { sampleRateHz: 8000, dataBytes: 0.5 },
  ])
    expect(() => wavHeader(options)).toThrow(RangeError)
  expect(() => encodeWav(new Int16Array(3), { sampleRateHz: 8000, channels: 2 })).toThrow(RangeError)
})

test('a file over 4 GiB is an RF64', () => {
  const header = wavHeader({ sampleRateHz: 48_000, dataBytes: 5_000_000_000 })
  const view = new DataView(header.buffer)
  expect(new TextDecoder('latin1').decode(header.subarray(0, 16))).toBe(
    'RF64\u00FF\u00FF\u00FF\u00FFWAVEds64',
  )
  expect(Number(view.getBigUint64(20, true))).toBe(5_000_000_000 + header.length - 8)
  expect(Number(view.getBigUint64(28, true))).toBe(5_000_000_000)
  expect(wavHeader({ sampleRateHz: 48_000, dataBytes: 0xff_ff_ff_ff - 36 })).toHaveLength(
    WAV_HEADER_BYTES + 36,
  )
  expect(wavHeader({ sampleRateHz: 48_000, dataBytes: 0xff_ff_ff_fe - 36 })).toHaveLength(WAV_HEADER_BYTES)
})

test('pcm16Bytes respects the offset of a view', () => {
  const all = Int16Array.of(1, 2, 3, 4)
  expect([...pcm16Bytes(all.subarray(1, 3))]).toEqual([2, 0, 3, 0])
})
