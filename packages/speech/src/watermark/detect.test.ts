import { createFloatResampler, decodeInt16, encodePcm, mulaw } from '@vaani/pcm-audio'
import { expect, test } from 'vitest'
import { seededRandom } from '../../test/seeded-random.ts'
import { synthesizeVoice } from '../../test/synthetic-voice.ts'
import { createWatermarkDetector, detectWatermark } from './detect.ts'
import { createFloatWatermarker } from './embed.ts'
import { WatermarkError } from './watermark-error.ts'

const RATE_HZ = 16_000
const PAYLOAD = 0xca_fe_ba_be
const key = Uint8Array.from({ length: 32 }, (_, index) => index)
const otherKey = key.map((byte) => byte ^ 1)
const voice = synthesizeVoice({ seconds: 12, sampleRateHz: RATE_HZ })

function join(...parts: Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...part]))
}
function mark(samples: Float32Array, sampleRateHz = RATE_HZ): Float32Array {
  const watermarker = createFloatWatermarker({ key, payload: PAYLOAD, sampleRateHz })
  return join(watermarker.push(samples), watermarker.flush())
}
function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  const resampler = createFloatResampler({ fromHz, toHz })
  return join(resampler.push(samples), resampler.flush())
}
const marked = mark(voice)

test('finds the mark in 5 s that start anywhere, and reads the payload in 10 s', () => {
  for (const from of [0, 1234, 31_111])
    expect(
      detectWatermark(marked.subarray(from, from + 5 * RATE_HZ), { key, sampleRateHz: RATE_HZ }),
    ).toMatchObject({
      isPresent: true,
      speed: 1,
    })
  expect(
    detectWatermark(marked.subarray(777, 777 + 10 * RATE_HZ), { key, sampleRateHz: RATE_HZ }).payload,
  ).toBe(PAYLOAD)
})

test('finds it at other rates than that at which it was made', () => {
  for (const sampleRateHz of [8000, 22_050, 44_100]) {
    const samples = resample(marked.subarray(0, 8 * RATE_HZ), RATE_HZ, sampleRateHz)
    expect(detectWatermark(samples, { key, sampleRateHz })).toMatchObject({ isPresent: true, speed: 1 })
  }
  const fast = synthesizeVoice({ seconds: 5, sampleRateHz: 48_000 })
  expect(detectWatermark(mark(fast, 48_000), { key, sampleRateHz: 48_000 }).isPresent).toBe(true)
})

test('finds it after companding, noise at 20 dB and gain', () => {
  const clip = marked.subarray(20_000, 20_000 + 6 * RATE_HZ)
  const random = seededRandom(5)
  const deviation = Math.sqrt(clip.reduce((sum, sample) => sum + sample * sample, 0) / clip.length) / 10
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const scaled = (gain: number) => Int16Array.from(clip, (sample) => Math.round(sample * gain * 32_768))
  const companded = decodeInt16(encodePcm(scaled(1), mulaw), mulaw)
  for (const samples of [companded, clip.map((sample) => sample + deviation * gaussian()), scaled(0.1)])
    expect(detectWatermark(samples, { key, sampleRateHz: RATE_HZ })).toMatchObject({
      isPresent: true,
      speed: 1,
    })
})

test('finds it at other speeds, and says which', () => {
  for (const factor of [0.95, 1.02, 1.05]) {
    const samples = resample(marked, Math.round(RATE_HZ * factor), RATE_HZ).subarray(0, 6 * RATE_HZ)
    const found = detectWatermark(samples, { key, sampleRateHz: RATE_HZ })
    expect(found).toMatchObject({ isPresent: true, isPitchKept: false })
    expect(Math.abs(found.speed - factor)).toBeLessThan(0.006)
  }
})

test('finds one utterance in a recording of others', () => {
  const other = synthesizeVoice({ seconds: 9, sampleRateHz: RATE_HZ, seed: 2 })
  const recording = join(other, marked.subarray(0, 10 * RATE_HZ), other)
  expect(detectWatermark(recording, { key, sampleRateHz: RATE_HZ })).toMatchObject({
    isPresent: true,
    payload: PAYLOAD,
  })
})

test('reports no mark in unmarked speech, under another key, in silence and in nothing', () => {
  for (const [samples, secret] of [
    [voice, key],
    [marked, otherKey],
    [new Float32Array(40_000), key],
    [new Float32Array(0), key],
    [marked.subarray(0, 100), key],
  ] as const) {
    const found = detectWatermark(samples, { key: secret, sampleRateHz: RATE_HZ })
    expect(found).toMatchObject({ isPresent: false, payload: null })
    expect(found.falseAlarmProbability).toBeGreaterThan(1e-4)
  }
})

test('the stream gives the same result however it is cut, and can be used again', () => {
  const whole = detectWatermark(marked, { key, sampleRateHz: RATE_HZ })
  const detector = createWatermarkDetector({ keys: [key], sampleRateHz: RATE_HZ })
  for (const chunk of [160, 4321]) {
    for (let at = 0; at < marked.length; at += chunk) detector.push(marked.subarray(at, at + chunk))
    expect(detector.finish()).toEqual([whole])
  }
})

test('gives the result of each key', () => {
  const detector = createWatermarkDetector({ keys: [otherKey, key], sampleRateHz: RATE_HZ })
  detector.push(marked.subarray(0, 6 * RATE_HZ))
  expect(detector.finish().map(({ isPresent }) => isPresent)).toEqual([false, true])
})

test('refuses a wrong key and a wrong rate', () => {
  expect(() => createWatermarkDetector({ keys: [key, new Uint8Array(16)], sampleRateHz: RATE_HZ })).toThrow(
    WatermarkError,
  )
  expect(() => createWatermarkDetector({ keys: [key], sampleRateHz: 0 })).toThrow(
    expect.objectContaining({ field: 'sampleRateHz' }),
  )
})
