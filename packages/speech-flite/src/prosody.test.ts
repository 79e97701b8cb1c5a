import {
  type Emotion,
  EMOTIONS,
  NEUTRAL,
  type Prosody,
  type SpeechEngine,
  type SpokenWord,
} from '@vaani/speech'
import { int16ToFloat32, measureLoudness } from '@vaani/pcm-audio'
import { measureVoice } from '@vaani/speech/cloning'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from './create-engine.ts'
import { SAMPLE_RATE_HZ } from './messages.ts'
import { VOICES } from './voices.ts'

const TEXT = 'Bananas, tomatoes, radio and piano. We were away a year ago on a long, round arch.'

let engine: SpeechEngine
beforeAll(() => {
  engine = createEngine({ workers: 1 })
})
afterAll(() => engine.close())

async function measure(voice: string, prosody: Partial<Prosody> = {}) {
  const request = { text: TEXT, voice, language: 'en-US', prosody: { ...NEUTRAL, ...prosody } }
  const chunks = await Array.fromAsync(engine.synthesize(request))
  const samples = Int16Array.from(chunks.flatMap((chunk) => [...chunk]))
  const { integratedLufs } = measureLoudness(samples, { sampleRateHz: SAMPLE_RATE_HZ, channels: 1 })
  const { pitchHz, rangeSemitones } = measureVoice(int16ToFloat32(samples))
  return { seconds: samples.length / SAMPLE_RATE_HZ, lufs: integratedLufs, pitchHz, rangeSemitones }
}

const semitones = (ratio: number): number => 12 * Math.log2(ratio)

describe.each(Object.keys(VOICES))('the voice %s', (voice) => {
  test('follows pitch, range and rate', async () => {
    const plain = await measure(voice)
    for (const pitchSemitones of [-3, 3, 6]) {
      const shifted = await measure(voice, { pitchSemitones })
      expect(Math.abs(semitones(shifted.pitchHz / plain.pitchHz) - pitchSemitones)).toBeLessThan(0.6)
      expect(shifted.seconds).toBeCloseTo(plain.seconds, 1)
    }
    for (const rate of [0.5, 0.75, 1.5, 2]) {
      const paced = await measure(voice, { rate })
      expect(plain.seconds / paced.seconds / rate).toBeGreaterThan(0.92)
      expect(plain.seconds / paced.seconds / rate).toBeLessThan(1.08)
    }
    const [flat, lively] = [await measure(voice, { range: 0.6 }), await measure(voice, { range: 1.8 })]
    expect(flat.rangeSemitones).toBeLessThan(plain.rangeSemitones)
    expect(lively.rangeSemitones).toBeGreaterThan(plain.rangeSemitones * 1.1)
  })

  test('is as loud as the others, and as the energy says', async () => {
    const plain = await measure(voice)
    expect(Math.abs(plain.lufs + 21)).toBeLessThan(1)
    const quiet = await measure(voice, { energy: NEUTRAL.energy / 2 })
    expect(quiet.lufs - plain.lufs).toBeCloseTo(-6, 0)
  })
})

test('emotions differ in pitch and duration as their presets do', async () => {
  const neutral = await measure('nova')
  for (const [emotion, preset] of Object.entries(EMOTIONS) as [Emotion, Prosody][]) {
    const measured = await measure('nova', preset)
    expect(
      Math.abs(semitones(measured.pitchHz / neutral.pitchHz) - preset.pitchSemitones),
      emotion,
    ).toBeLessThan(0.8)
    expect(neutral.seconds / measured.seconds / preset.rate, emotion).toBeCloseTo(1, 1)
  }
})

test('reports the words of a text, whatever their writing', async () => {
  const text = 'My phone: call (now) "please" — okay, AT&T  <b> 😀 Привет naïve café ½ don’t e.g. U.S.'
  const said: string[] = []
  const onWord = ({ start, end }: SpokenWord) => void said.push(text.slice(start, end))
  const request = { text, language: 'en-GB', voice: 'atlas', prosody: NEUTRAL }
  for await (const _ of engine.synthesize(request, { onWord })) continue
  expect(said.join(' ')).toBe(
    'My phone: call (now) "please" okay, AT&T <b> 😀 Привет naïve café ½ don’t e.g. U.S.',
  )
})

test('a text of 5,000 characters is spoken to its end, phrase by phrase', async () => {
  let samples = 0
  const request = {
    text: 'word '.repeat(1000),
    language: 'en-US',
    voice: 'atlas',
    prosody: { ...NEUTRAL, rate: 2 },
  }
  for await (const chunk of engine.synthesize(request)) samples += chunk.length
  expect(samples / SAMPLE_RATE_HZ).toBeGreaterThan(100)
})
