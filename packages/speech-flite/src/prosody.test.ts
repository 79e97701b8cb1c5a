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
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, describe, expect, test } from 'vitest'
import { createEngine } from './create-engine.ts'
import { SAMPLE_RATE_HZ } from './messages.ts'
import { type Method, VOICES } from './voices.ts'

const TEXT =
  'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should ' +
  'act towards one another in a spirit of brotherhood.'

const ENGINES: Readonly<Record<Method, SpeechEngine>> = {
  diphone: createEngine({ workers: 1 }),
  clustergen: createEngine({ method: 'clustergen', workers: 1 }),
}
const METHODS = ['diphone', 'clustergen'] as const
const BOTH = METHODS.flatMap((method) => Object.keys(VOICES[method]).map((voice) => [method, voice] as const))
afterAll(() => Promise.all(METHODS.map((method) => ENGINES[method].close())))

const known = new Map<string, ReturnType<typeof measureOnce>>()
/** Measures each speech once: the same request gives the same samples. */
function measure(method: Method, voice: string, prosody: Partial<Prosody> = {}) {
  const { rate, pitchSemitones, range, energy } = { ...NEUTRAL, ...prosody }
  const key = [method, voice, rate, pitchSemitones, range, energy].join()
  const found = known.get(key) ?? measureOnce(ENGINES[method], voice, prosody)
  known.set(key, found)
  return found
}

async function measureOnce(engine: SpeechEngine, voice: string, prosody: Partial<Prosody>) {
  const request = { text: TEXT, voice, language: 'en-US', prosody: { ...NEUTRAL, ...prosody } }
  const chunks = await Array.fromAsync(engine.synthesize(request))
  const samples = Int16Array.from(chunks.flatMap((chunk) => [...chunk]))
  const { integratedLufs } = measureLoudness(samples, { sampleRateHz: SAMPLE_RATE_HZ, channels: 1 })
  const { pitchHz, rangeSemitones } = measureVoice(int16ToFloat32(samples))
  return { seconds: samples.length / SAMPLE_RATE_HZ, lufs: integratedLufs, pitchHz, rangeSemitones }
}

const semitones = (ratio: number): number => 12 * Math.log2(ratio)

/** Usually a voice of each method, and the one that follows a pitch only because we let it. */
const USUAL = [
  ['diphone', 'nova'],
  ['clustergen', 'nova'],
  ['clustergen', 'atlas'],
] as const
const TRIED = thorough<readonly (readonly [Method, string])[]>({ usual: USUAL, long: BOTH })

describe.each(TRIED)('the %s voice %s', (method, voice) => {
  const measured = (prosody?: Partial<Prosody>) => measure(method, voice, prosody)

  test('follows pitch, range and rate', async () => {
    const plain = await measured()
    for (const pitchSemitones of thorough({ usual: [-3, 6], long: [-3, 3, 6] })) {
      const shifted = await measured({ pitchSemitones })
      expect(Math.abs(semitones(shifted.pitchHz / plain.pitchHz) - pitchSemitones)).toBeLessThan(0.6)
      expect(shifted.seconds).toBeCloseTo(plain.seconds, 1)
    }
    for (const rate of thorough({ usual: [0.5, 2], long: [0.5, 0.75, 1.5, 2] })) {
      const paced = await measured({ rate })
      expect(plain.seconds / paced.seconds / rate).toBeGreaterThan(0.97)
      expect(plain.seconds / paced.seconds / rate).toBeLessThan(1.03)
    }
    // At a lower pitch, men are sometimes measured an octave too high.
    const [flat, usual, lively] = [
      await measured({ pitchSemitones: 6, range: 0.6 }),
      await measured({ pitchSemitones: 6 }),
      await measured({ pitchSemitones: 6, range: 1.8 }),
    ]
    expect(flat.rangeSemitones).toBeLessThan(usual.rangeSemitones)
    expect(lively.rangeSemitones).toBeGreaterThan(usual.rangeSemitones * 1.1)
  })

  test('is as loud as the others, and as the energy says', async () => {
    const plain = await measured()
    expect(Math.abs(plain.lufs + 20)).toBeLessThan(1)
    const quiet = await measured({ energy: NEUTRAL.energy / 2 })
    expect(quiet.lufs - plain.lufs).toBeCloseTo(-6, 0)
  })
})

test.each(thorough({ usual: METHODS.slice(0, 1), long: [...METHODS] }))(
  'emotions of a %s voice differ in pitch and duration as their presets do',
  async (method) => {
    const neutral = await measure(method, 'nova')
    for (const [emotion, preset] of Object.entries(EMOTIONS) as [Emotion, Prosody][]) {
      const measured = await measure(method, 'nova', preset)
      expect(
        Math.abs(semitones(measured.pitchHz / neutral.pitchHz) - preset.pitchSemitones),
        emotion,
      ).toBeLessThan(0.8)
      expect(neutral.seconds / measured.seconds / preset.rate, emotion).toBeCloseTo(1, 1)
    }
  },
)

test('reports the words of a text, whatever their writing', async () => {
  const text = 'My phone: call (now) "please" — okay, AT&T  <b> 😀 Привет naïve café ½ don’t e.g. U.S.'
  const said: string[] = []
  const onWord = ({ start, end }: SpokenWord) => void said.push(text.slice(start, end))
  const request = { text, language: 'en-GB', voice: 'atlas', prosody: NEUTRAL }
  for await (const _ of ENGINES.diphone.synthesize(request, { onWord })) continue
  expect(said.join(' ')).toBe(
    'My phone: call (now) "please" okay, AT&T <b> 😀 Привет naïve café ½ don’t e.g. U.S.',
  )
})

const LEAST_SECONDS = [
  ['diphone', 70],
  ['clustergen', 100],
] as const
test.each(
  thorough<readonly (typeof LEAST_SECONDS)[number][]>({
    usual: LEAST_SECONDS.slice(0, 1),
    long: LEAST_SECONDS,
  }),
)('a text of 5,000 characters is spoken to its end by %s, phrase by phrase', async (method, leastSeconds) => {
  let samples = 0
  const request = {
    text: 'word '.repeat(1000),
    language: 'en-US',
    voice: 'atlas',
    prosody: { ...NEUTRAL, rate: 2 },
  }
  for await (const chunk of ENGINES[method].synthesize(request)) samples += chunk.length
  expect(samples / SAMPLE_RATE_HZ).toBeGreaterThan(leastSeconds)
})
