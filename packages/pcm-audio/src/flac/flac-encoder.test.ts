import { steadyVoice, toInt16, whiteNoise } from '@vaani/signals'
import { runTool } from '@vaani/test-services/run-tool'
import { thorough } from '@vaani/test-services/thorough'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { s16le } from '../convert/s16.ts'
import { decodeInt16 } from '../convert/convert.ts'
import { createFlacEncoder, type FlacOptions } from './flac-encoder.ts'

const RATE_HZ = 16_000

function encode(samples: Int16Array, options: Partial<FlacOptions> = {}, chunk = samples.length): Buffer {
  const encoder = createFlacEncoder({ sampleRateHz: RATE_HZ, ...options })
  const parts: Uint8Array[] = []
  for (let at = 0; at < samples.length; at += chunk)
    parts.push(encoder.push(samples.subarray(at, at + chunk)))
  return Buffer.concat([...parts, encoder.flush()])
}

/** Decodes with ffmpeg, which checks all checksums and fails the test if it finds a fault. */
const decode = (file: Buffer): Int16Array =>
  decodeInt16(
    runTool(
      'ffmpeg',
      ['-err_detect', 'crccheck+bitstream+buffer+explode', '-f', 'flac', '-i', '-', '-f', 's16le', '-'],
      file,
    ),
    s16le,
  )

const voice = steadyVoice(RATE_HZ, 120, 2 * RATE_HZ)
const noise = toInt16(whiteNoise(RATE_HZ, 1))
const extremes = Int16Array.from({ length: 9000 }, (_, index) => ((index * 7919) % 13 < 6 ? 32_767 : -32_768))
const SIGNALS: Readonly<Record<string, Int16Array>> = {
  voice,
  noise,
  silence: new Int16Array(10_000),
  'a constant level': new Int16Array(5000).fill(-123),
  extremes,
  'a ramp': Int16Array.from({ length: 20_000 }, (_, index) => index - 10_000),
  'a click in silence': Int16Array.from({ length: 9000 }, (_, index) => (index === 5000 ? 30_000 : 0)),
  'one sample': Int16Array.of(7),
  'three samples': Int16Array.of(7, -32_768, 32_767),
}
const bitExact = { tags: 'ffmpeg' } as const

describe('a FLAC file', () => {
  test.each(Object.keys(SIGNALS))('of %s decodes to the same samples', bitExact, (name) => {
    const samples = SIGNALS[name] ?? voice
    if (thorough({ usual: false, long: true })) expect(decode(encode(samples))).toEqual(samples)
    expect(decode(encode(samples, { blockSamples: 480, totalSamples: samples.length }))).toEqual(samples)
  })

  test.each(
    thorough({ usual: [44_100, 7, 65_535], long: [8000, 22_050, 24_000, 44_100, 48_000, 11_025, 7, 65_535] }),
  )('at %i Hz', bitExact, (sampleRateHz) => {
    const file = encode(voice, { sampleRateHz })
    expect(decode(file)).toEqual(voice)
    const shown = runTool(
      'ffprobe',
      ['-show_entries', 'stream=sample_rate', '-of', 'csv=p=0', '-f', 'flac', '-'],
      file,
    )
    expect(Number(shown)).toBe(sampleRateHz)
  })

  test.each([1, 2, 3, 8])('of %i channels', bitExact, (channels) => {
    const samples = voice.subarray(0, 8000 * channels)
    expect(decode(encode(samples, { channels, blockSamples: 1000 }))).toEqual(samples)
  })

  test('of many frames, whose numbers take up to three bytes', bitExact, () => {
    const samples = Int16Array.from({ length: 16 * 2100 }, (_, index) => (index * 37) % 1000)
    expect(decode(encode(samples, { blockSamples: 16 }))).toEqual(samples)
  })

  test('of any samples and blocks', bitExact, () => {
    const stretch = fc.record({
      values: fc.int16Array({ minLength: 1, maxLength: 100 }),
      most: fc.constantFrom(1, 2, 300, 32_768),
    })
    fc.assert(
      fc.property(
        fc.array(stretch, { minLength: 1, maxLength: 100 }),
        fc.integer({ min: 16, max: 300 }),
        (stretches, blockSamples) => {
          const samples = Int16Array.from(
            stretches.flatMap(({ values, most }) => [...values].map((value) => (value * most) / 32_768)),
          )
          expect(decode(encode(samples, { blockSamples }))).toEqual(samples)
        },
      ),
      { numRuns: thorough({ usual: 3, long: 8 }) },
    )
  })

  test('is the same however its samples arrive', () => {
    expect(encode(voice, {}, 77)).toEqual(encode(voice))
  })

  test('is smaller than PCM: half for a voice, a hundredth for silence, and never larger than its samples and headers', () => {
    expect(encode(voice).length).toBeLessThan(voice.byteLength / 2)
    expect(encode(new Int16Array(10_000)).length).toBeLessThan(20_000 / 100)
    expect(encode(noise).length).toBeLessThan(noise.byteLength + 42 + 14 * 16)
    expect(encode(extremes).length).toBeLessThan(extremes.byteLength + 42 + 14 * 16)
  })

  test('declares its length, if that is known', () => {
    const lengthOf = (file: Buffer) => Number(file.readBigUInt64BE(18) & 0xf_ff_ff_ff_ffn)
    expect(lengthOf(encode(voice, { totalSamples: voice.length }))).toBe(voice.length)
    expect(lengthOf(encode(voice))).toBe(0)
    expect(() => encode(voice, { totalSamples: voice.length + 1 })).toThrow('as its header says')
    const long = createFlacEncoder({ sampleRateHz: RATE_HZ, totalSamples: 2 ** 35 + 5 })
    expect(lengthOf(Buffer.from(long.push(new Int16Array(0))))).toBe(2 ** 35 + 5)
  })
})

test('gives each block as soon as it is whole', () => {
  const encoder = createFlacEncoder({ sampleRateHz: RATE_HZ, blockSamples: 320 })
  expect(encoder.push(voice.subarray(0, 319))).toHaveLength(42)
  expect(encoder.push(voice.subarray(319, 320)).length).toBeGreaterThan(20)
  expect(encoder.flush()).toHaveLength(0)
})

test.each<Partial<FlacOptions>>([
  { sampleRateHz: 0 },
  { sampleRateHz: 2 ** 20 },
  { sampleRateHz: 0.5 },
  { channels: 0 },
  { channels: 9 },
  { blockSamples: 15 },
  { blockSamples: 65_536 },
  { totalSamples: -1 },
  { totalSamples: 2 ** 36 },
])('refuses %j', (options) => {
  expect(() => createFlacEncoder({ sampleRateHz: RATE_HZ, ...options })).toThrow(RangeError)
})

test('refuses samples that are not whole frames', () => {
  expect(() => encode(Int16Array.of(1, 2, 3), { channels: 2 })).toThrow('whole frames')
})
