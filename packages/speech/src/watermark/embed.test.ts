import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { synthesizeVoice } from '../../test/synthetic-voice.ts'
import { createFloatWatermarker, createWatermarker } from './embed.ts'
import { WatermarkError } from './watermark-error.ts'

const key = new Uint8Array(32).fill(7)
const RATES_HZ = [8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000]
const toInt16 = (samples: Float32Array) => Int16Array.from(samples, (sample) => Math.round(sample * 32_768))

function mark(samples: Int16Array, sampleRateHz: number, chunk = samples.length): Int16Array {
  const watermarker = createWatermarker({ key, payload: 0xca_fe_ba_be, sampleRateHz })
  const parts: number[] = []
  for (let at = 0; at < samples.length; at += chunk)
    parts.push(...watermarker.push(samples.subarray(at, at + chunk)))
  parts.push(...watermarker.flush())
  return Int16Array.from(parts)
}

test('returns as many samples as it took, the same ones however they are cut into chunks', () => {
  const voice = toInt16(synthesizeVoice({ seconds: 0.3, sampleRateHz: 22_050 }))
  fc.assert(
    fc.property(
      fc.constantFrom(...RATES_HZ),
      fc.integer({ min: 0, max: voice.length }),
      fc.integer({ min: 1, max: 3000 }),
      (sampleRateHz, length, chunk) => {
        const samples = voice.subarray(0, length)
        const whole = mark(samples, sampleRateHz)
        expect(whole).toHaveLength(length)
        expect(mark(samples, sampleRateHz, chunk)).toEqual(whole)
      },
    ),
    { numRuns: 40 },
  )
})

test('lags at most by the latency that it reports, which is at most 33 ms', () => {
  for (const sampleRateHz of RATES_HZ) {
    const watermarker = createWatermarker({ key, payload: 1, sampleRateHz })
    expect(watermarker.latencySamples / sampleRateHz).toBeLessThan(0.033)
    let taken = 0
    let given = 0
    for (let push = 0; push < 300; push++) {
      taken += 37
      given += watermarker.push(new Int16Array(37)).length
      expect(taken - given).toBeLessThanOrEqual(watermarker.latencySamples)
    }
  }
})

test('flush resets the stage', () => {
  const samples = toInt16(synthesizeVoice({ seconds: 0.5, sampleRateHz: 16_000 }))
  const watermarker = createWatermarker({ key, payload: 1, sampleRateHz: 16_000 })
  const speak = () => [...watermarker.push(samples), ...watermarker.flush()]
  expect(speak()).toEqual(speak())
})

test('changes neither silence nor what lies below its bands', () => {
  expect(mark(new Int16Array(5000), 16_000)).toEqual(new Int16Array(5000))
  const hum = Int16Array.from(
    { length: 16_000 },
    (_, index) => 8000 * Math.sin((2 * Math.PI * 60 * index) / 16_000),
  )
  const changes = mark(hum, 16_000).map((sample, index) => Math.abs(sample - (hum[index] ?? 0)))
  // A window of 32 ms spreads a tone by some bins.
  expect(Math.max(...changes.subarray(512, 15_488))).toBeLessThan(80)
})

test('changes the voice by 12 dB less than the voice', () => {
  const voice = synthesizeVoice({ seconds: 2, sampleRateHz: 16_000 })
  const watermarker = createFloatWatermarker({ key, payload: 1, sampleRateHz: 16_000 })
  const marked = [...watermarker.push(voice), ...watermarker.flush()]
  const power = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0)
  const change = voice.map((sample, index) => (marked[index] ?? 0) - sample)
  expect(10 * Math.log10(power(voice) / power(change))).toBeGreaterThan(12)
})

test('marks floats as it marks integers, and clamps only integers', () => {
  const loud = toInt16(
    synthesizeVoice({ seconds: 0.5, sampleRateHz: 16_000 }).map((sample) =>
      Math.max(-1, Math.min(0.999, sample * 20)),
    ),
  )
  const watermarker = createFloatWatermarker({ key, payload: 0xca_fe_ba_be, sampleRateHz: 16_000 })
  const floats = [...watermarker.push(Float32Array.from(loud)), ...watermarker.flush()]
  expect(Math.max(...floats)).toBeGreaterThan(32_767)
  const clamped = floats.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample))))
  const differences = mark(loud, 16_000).map((sample, index) => Math.abs(sample - (clamped[index] ?? 0)))
  expect(Math.max(...differences)).toBeLessThanOrEqual(1)
})

describe('refuses', () => {
  const valid = { key, payload: 1, sampleRateHz: 16_000 }
  test.for([
    ['key', { key: new Uint8Array(31) }],
    ['payload', { payload: -1 }],
    ['payload', { payload: 2 ** 32 }],
    ['payload', { payload: 1.5 }],
    ['payload', { payload: Number.NaN }],
    ['sampleRateHz', { sampleRateHz: 7999 }],
    ['sampleRateHz', { sampleRateHz: 200_000 }],
    ['sampleRateHz', { sampleRateHz: 22_050.5 }],
  ] as const)('a wrong %s', ([field, wrong]) => {
    const create = () => createWatermarker({ ...valid, ...wrong })
    expect(create).toThrow(WatermarkError)
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_option', field }))
  })
})
