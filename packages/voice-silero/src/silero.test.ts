import { createResampler, type VoiceEvent } from '@vaani/pcm-audio'
import { NEUTRAL } from '@vaani/speech'
import { createEngine } from '@vaani/speech-flite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pinkNoise, rms, toInt16 } from '@vaani/signals'
import { loadSilero } from './load-silero.ts'
import type { SileroModel, SileroOptions } from './types.ts'

const RATE_HZ = 16_000
/** Silence before and after the sentence. */
const SILENCE_MS = 1500
/** A sentence of Flite in pink noise 15 dB below it, and when its sound starts and ends. */
let sentence: { samples: Int16Array; startMs: number; endMs: number }
let model: SileroModel

beforeAll(async () => {
  const [loaded, said] = await Promise.all([loadSilero(), say('The birch canoe slid on the smooth planks')])
  model = loaded
  const samples = new Float32Array(said.length + (2 * SILENCE_MS * RATE_HZ) / 1000)
  samples.set(
    Float32Array.from(said, (value) => value / 32_768),
    (SILENCE_MS * RATE_HZ) / 1000,
  )
  const isLoud = (value: number) => Math.abs(value) > 0.02
  const noise = pinkNoise(samples.length, 1)
  const gain = (rms(samples) * 10 ** (-15 / 20)) / rms(noise)
  sentence = {
    samples: toInt16(samples.map((value, n) => value + gain * noise[n]!)),
    startMs: (samples.findIndex(isLoud) * 1000) / RATE_HZ,
    endMs: (samples.findLastIndex(isLoud) * 1000) / RATE_HZ,
  }
})
afterAll(() => model.close())

async function say(text: string): Promise<Int16Array> {
  const engine = createEngine({ method: 'clustergen' })
  const chunks = engine.synthesize({ text, voice: 'nova', language: 'en-US', prosody: NEUTRAL })
  const samples = (await Array.fromAsync(chunks)).flatMap((chunk) => [...chunk])
  await engine.close()
  return Int16Array.from(samples)
}

function toRate(samples: Int16Array, toHz: number): Int16Array {
  const resampler = createResampler({ fromHz: RATE_HZ, toHz })
  return Int16Array.from([...resampler.push(samples), ...resampler.flush()])
}

async function listen(
  samples: Int16Array,
  options: SileroOptions = { sampleRateHz: RATE_HZ },
): Promise<VoiceEvent[]> {
  const detector = model.createDetector(options)
  return [...(await detector.push(samples)), ...(await detector.flush())]
}

describe.each([8000, 16_000] as const)('at %i Hz', (sampleRateHz) => {
  test('a sentence in noise is one voice, from its start to the hangover after its end', async () => {
    const [start, end, ...others] = await listen(toRate(sentence.samples, sampleRateHz), { sampleRateHz })
    expect([start?.kind, end?.kind, others]).toEqual(['start', 'end', []])
    expect(Math.abs(start!.atMs - sentence.startMs)).toBeLessThan(150)
    expect(Math.abs(end!.atMs - 200 - sentence.endMs)).toBeLessThan(150)
  })

  test('noise is not a voice', async () => {
    const noise = toInt16(pinkNoise(10 * sampleRateHz, 2).map((value) => 0.2 * value))
    expect(await listen(noise, { sampleRateHz })).toEqual([])
  })
})

test('a voice ends once the hangover has elapsed', async () => {
  const [short, long] = await Promise.all(
    [320, 960].map((hangoverMs) => listen(sentence.samples, { sampleRateHz: RATE_HZ, hangoverMs })),
  )
  expect(long!.at(-1)!.atMs - short!.at(-1)!.atMs).toBe(640)
})

test('a voice shorter than the attack does not start', async () => {
  expect(await listen(sentence.samples, { sampleRateHz: RATE_HZ, attackMs: 9000 })).toEqual([])
})

test('chunks, streams beside it and an earlier stream do not affect the events', async () => {
  const expected = await listen(sentence.samples)
  const [one, other] = [0, 1].map(() => model.createDetector({ sampleRateHz: RATE_HZ }))
  await one!.push(sentence.samples.subarray(0, 40_000))
  expect(one!.isSpeaking).toBe(true)
  expect((await one!.flush()).map(({ kind, atMs }) => [kind, atMs])).toEqual([['end', 2500]])
  expect(one!.isSpeaking).toBe(false)
  const heard: VoiceEvent[] = []
  const beside: VoiceEvent[] = []
  for (let at = 0; at < sentence.samples.length; at += 777) {
    const chunk = sentence.samples.slice(at, at + 777)
    const answers = [one!.push(chunk), other!.push(chunk)]
    chunk.fill(0)
    const [ofOne = [], ofOther = []] = await Promise.all(answers)
    heard.push(...ofOne)
    beside.push(...ofOther)
  }
  expect([...heard, ...(await one!.flush())]).toEqual(expected)
  expect([...beside, ...(await other!.flush())]).toEqual(expected)
})

test('pushes that are not awaited are answered in order', async () => {
  const detector = model.createDetector({ sampleRateHz: RATE_HZ })
  const half = sentence.samples.length / 2
  const answers = await Promise.all([
    detector.push(sentence.samples.subarray(0, half)),
    detector.push(sentence.samples.subarray(half)),
    detector.flush(),
  ])
  expect(answers.flat()).toEqual(await listen(sentence.samples))
})

test.each([
  { sampleRateHz: 44_100 },
  { attackMs: -1 },
  { attackMs: Number.NaN },
  { hangoverMs: 60_000 },
  { threshold: 0 },
  { threshold: 1 },
])('%j is out of range', (option) => {
  // @ts-expect-error 44,100 Hz is no rate of the model.
  expect(() => model.createDetector({ sampleRateHz: RATE_HZ, ...option })).toThrow(RangeError)
})

test('a closed model rejects', async () => {
  const closed = await loadSilero()
  const detector = closed.createDetector({ sampleRateHz: RATE_HZ })
  await closed.close()
  await expect(detector.push(sentence.samples)).rejects.toThrow()
})
