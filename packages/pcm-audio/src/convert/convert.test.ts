import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertPcm, decodeFloat32, decodeFloat64, decodeInt16, encodePcm } from './convert.ts'
import { createDither } from './dither.ts'
import { sampleFormats } from './formats.ts'
import { float32ToInt16, int16ToFloat32 } from './int16-float32.ts'
import { createFloatPcmDecoder, createPcmDecoder } from './pcm-decoder.ts'
import type { SampleFormatName } from './sample-format.ts'

const formats = Object.values(sampleFormats)
const everyInt16 = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768)
const keepsInt16 = formats.filter(({ name }) => !['u8', 'mulaw', 'alaw'].includes(name))
const { u8, s16le, s24le, s32le, f32le, f64le } = sampleFormats

/** Copies the bytes into a larger buffer, at an offset that is not aligned for any element. */
function elsewhere(bytes: Uint8Array): Uint8Array {
  const buffer = new Uint8Array(bytes.length + 7).fill(0xaa)
  buffer.set(bytes, 3)
  return buffer.subarray(3, 3 + bytes.length)
}

test.each(keepsInt16)('$name holds every 16-bit sample', (format) => {
  const bytes = encodePcm(everyInt16, format)
  expect(bytes).toHaveLength(65_536 * format.bytesPerSample)
  expect(decodeInt16(elsewhere(bytes), format)).toEqual(everyInt16)
  expect(decodeFloat32(bytes, format)).toEqual(int16ToFloat32(everyInt16))
  expect(encodePcm(int16ToFloat32(everyInt16), format)).toEqual(bytes)
})

test.each(formats)('$name: decoded samples encode to the same bytes', (format) => {
  const codes = Uint8Array.from({ length: 240 }, (_, index) => (index * 7) & 0x3f)
  const bytes = codes.subarray(0, codes.length - (codes.length % format.bytesPerSample))
  for (const decoded of [decodeFloat64(bytes, format), decodeFloat64(elsewhere(bytes), format)])
    expect(encodePcm(decoded, format)).toEqual(bytes)
})

test.each([
  ['s16le', [0x34, 0x12], 0x12_34 / 2 ** 15],
  ['s16be', [0x12, 0x34], 0x12_34 / 2 ** 15],
  ['s24le', [0x56, 0x34, 0x92], -0x6d_cb_aa / 2 ** 23],
  ['s24be', [0x92, 0x34, 0x56], -0x6d_cb_aa / 2 ** 23],
  ['s32le', [0x78, 0x56, 0x34, 0x12], 0x12_34_56_78 / 2 ** 31],
  ['s32be', [0x12, 0x34, 0x56, 0x78], 0x12_34_56_78 / 2 ** 31],
  ['f32le', [0, 0, 0x80, 0xbe], -0.25],
  ['f32be', [0xbe, 0x80, 0, 0], -0.25],
  ['f64le', [0, 0, 0, 0, 0, 0, 0xd0, 0x3f], 0.25],
  ['f64be', [0x3f, 0xd0, 0, 0, 0, 0, 0, 0], 0.25],
  ['u8', [0x40], -0.5],
] satisfies [SampleFormatName, number[], number][])('%s has the right byte order', (name, bytes, sample) => {
  expect(decodeFloat64(Uint8Array.from(bytes), sampleFormats[name])).toEqual(Float64Array.of(sample))
  expect([...encodePcm(Float64Array.of(sample), sampleFormats[name])]).toEqual(bytes)
})

describe('rounding', () => {
  test.each([
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [-0.5, 0],
    [-1.5, -2],
    [-2.5, -2],
    [32_767.4, 32_767],
    [32_768, 32_767],
    [1e30, 32_767],
    [Number.POSITIVE_INFINITY, 32_767],
    [-32_768, -32_768],
    [-1e30, -32_768],
    [Number.NEGATIVE_INFINITY, -32_768],
    [Number.NaN, 0],
  ])('%d steps of 16 bits become %d', (steps, code) => {
    const float = Float64Array.of(steps / 32_768)
    expect(decodeInt16(encodePcm(float, s16le), s16le)).toEqual(Int16Array.of(code))
    expect(decodeInt16(encodePcm(float, f64le), f64le)).toEqual(Int16Array.of(code))
    expect(float32ToInt16(Float32Array.from(float))).toEqual(Int16Array.of(code))
  })

  test.each([
    [0x80, 0],
    [0x01_80, 2],
    [0x7f_ff_ff, 32_767],
    [-0x80, 0],
    [-0x80_00_00, -32_768],
  ])('a 24-bit code of %d becomes %d in 16 bits', (code, expected) => {
    const bytes = Uint8Array.of(code, code >> 8, code >> 16)
    expect(decodeInt16(bytes, s24le)).toEqual(Int16Array.of(expected))
    expect(decodeInt16(convertPcm(bytes, { from: s24le, to: s32le }), s32le)).toEqual(Int16Array.of(expected))
  })

  test.each([
    [127, 128],
    [128, 128],
    [384, 130],
    [32_767, 255],
    [-32_768, 0],
  ])('a 16-bit sample of %d becomes %d in 8 bits', (sample, code) => {
    expect(encodePcm(Int16Array.of(sample), u8)).toEqual(Uint8Array.of(code))
    expect(encodePcm(Float64Array.of(sample / 32_768), u8)).toEqual(Uint8Array.of(code))
  })

  test('NaN becomes silence in integer formats, and float formats keep values beyond full scale', () => {
    for (const format of formats.filter(({ name }) => !name.startsWith('f')))
      expect(
        Math.abs(decodeInt16(encodePcm(Float32Array.of(Number.NaN), format), format)[0] ?? 1),
      ).toBeLessThan(9)
    expect(decodeFloat32(encodePcm(Float32Array.of(1.5, -3), f32le), f32le)).toEqual(Float32Array.of(1.5, -3))
  })
})

test('32 bits survive conversion through doubles', () => {
  const bytes = Uint8Array.of(0x01, 0x02, 0x03, 0x7f, 0xff, 0xfe, 0xfd, 0x80)
  expect(convertPcm(convertPcm(bytes, { from: s32le, to: f64le }), { from: f64le, to: s32le })).toEqual(bytes)
})

test('conversion in blocks between any two formats equals conversion through doubles', () => {
  const samples = Float64Array.from({ length: 2500 }, (_, index) => 1.1 * Math.sin(index / 3))
  for (const from of formats)
    for (const to of formats) {
      const bytes = encodePcm(samples, from)
      const expected = from === to ? bytes : encodePcm(decodeFloat64(bytes, from), to)
      expect(convertPcm(elsewhere(bytes), { from, to }, new Uint8Array(expected.length + 5))).toEqual(
        expected,
      )
    }
})

test('refuses wrong lengths', () => {
  expect(() => decodeInt16(new Uint8Array(5), s16le)).toThrow(
    's16le has 2 bytes per sample; bytes left over at the end: 1',
  )
  expect(() => decodeFloat32(new Uint8Array(4), s16le, new Float32Array(1))).toThrow(RangeError)
  expect(() => encodePcm(new Int16Array(2), s24le, new Uint8Array(5))).toThrow('room for 6')
  expect(() => int16ToFloat32(new Int16Array(2), new Float32Array(1))).toThrow(RangeError)
  expect(() => float32ToInt16(new Float32Array(2), new Int16Array(1))).toThrow(RangeError)
  expect(decodeInt16(new Uint8Array(4), s16le, new Int16Array(9))).toHaveLength(2)
})

test('floats of 32 bits, with any payload of NaN, round to 16 bits like doubles', () => {
  const word = fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.constantFrom(0x7f_c0_12_34, -1))
  const step = fc.integer({ min: -66_000, max: 66_000 }).map((half) => half / 65_536)
  fc.assert(
    fc.property(fc.array(word, { maxLength: 9 }), fc.array(step, { maxLength: 9 }), (words, steps) => {
      const floats = new Float32Array(words.length + steps.length)
      new Int32Array(floats.buffer).set(words)
      floats.set(steps, words.length)
      expect(float32ToInt16(floats)).toEqual(decodeInt16(encodePcm(Float64Array.from(floats), s16le), s16le))
    }),
  )
})

test('chunks may end anywhere, and returned arrays do not change later', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...formats),
      fc.uint8Array({ maxLength: 64 }),
      fc.array(fc.nat(9)),
      (format, bytes, cuts) => {
        const decoder = createPcmDecoder(format)
        const floats = createFloatPcmDecoder(format)
        const chunks = []
        for (let start = 0, turn = 0; start < bytes.length; turn++) {
          const end = start + Math.max(1, cuts[turn] ?? 64)
          chunks.push(bytes.subarray(start, end))
          start = end
        }
        const parts = chunks.map((chunk) => decoder.push(chunk))
        const floatParts = chunks.map((chunk) => floats.push(chunk))
        const whole = bytes.subarray(0, bytes.length - (bytes.length % format.bytesPerSample))
        expect(parts.flatMap((part) => [...part])).toEqual([...decodeInt16(whole, format)])
        expect(floatParts.flatMap((part) => [...part])).toEqual([...decodeFloat32(whole, format)])
        expect(decoder.carriedBytes).toBe(bytes.length % format.bytesPerSample)
      },
    ),
  )
})

test('dither preserves signals below one step, and is the same for the same seed', () => {
  const faint = new Float32Array(100_000).fill(0.3 / 32_768)
  const samples = createDither({ seed: 7 }).toInt16(faint)
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  // Triangular noise of two steps plus the rounding: a deviation of half a step, so 0.0016 for the mean.
  expect(Math.abs(mean - 0.3)).toBeLessThan(0.01)
  const variance = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / samples.length
  expect(Math.abs(variance - 0.25)).toBeLessThan(0.01)
  expect(createDither({ seed: 7 }).toInt16(faint)).toEqual(samples)
  expect(createDither({ seed: 8 }).toInt16(faint)).not.toEqual(samples)
  expect(createDither({ seed: 0 }).toInt16(Float32Array.of(2, -2))).toEqual(Int16Array.of(32_767, -32_768))
  expect(() => createDither({ seed: 1 }).toInt16(faint, new Int16Array(1))).toThrow(RangeError)
})
