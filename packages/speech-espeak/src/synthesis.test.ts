/** Files of the real engine, judged by what is in them. */
import { spawnSync } from 'node:child_process'
import { decodeWav, measureLevels, measureLoudness, measureTruePeak } from '@vaani/pcm-audio'
import { type Emotion, EMOTIONS, type SpeechEngine } from '@vaani/speech'
import { createRenderPool, synthesizeSpeech, type SynthesizeSpeechOptions } from '@vaani/speech/synthesis'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from './create-engine.ts'
import { LANGUAGES } from './languages.ts'
import { measurePitch, semitones } from './test/measure-pitch.ts'
import { SENTENCES } from './test/spoken.ts'

const SAMPLE_RATE_HZ = 22_050
const ENGLISH = SENTENCES['en'] ?? ''
const VOICES = ['default', 'alt1', 'alt2'] as const

let engine: SpeechEngine
const renderers = createRenderPool({ threads: 1 })
beforeAll(() => {
  engine = createEngine({ workers: 2 })
})
afterAll(() => Promise.all([engine.close(), renderers.close()]))

const PLAIN = {
  text: ENGLISH,
  model: 'synth-v1',
  voice: 'default',
  language: 'en-US',
  emotion: 'neutral',
  speakingRate: 1,
  pitchSemitones: 0,
  format: 'wav',
  sampleRateHz: SAMPLE_RATE_HZ,
} as const
type Wanted = Partial<SynthesizeSpeechOptions>

async function fileOf(wanted: Wanted): Promise<Buffer> {
  const speech = await synthesizeSpeech({ engine, renderers, ...PLAIN, ...wanted })
  return Buffer.concat(await Array.fromAsync(speech.chunks()))
}

type Measured = Awaited<ReturnType<typeof measureFile>>
const measured = new Map<string, Promise<Measured>>()
/** Measures each file once: the same request gives the same samples. */
function measure(wanted: Wanted): Promise<Measured> {
  const key = JSON.stringify(Object.entries({ ...PLAIN, ...wanted }).toSorted())
  const known = measured.get(key) ?? measureFile(wanted)
  measured.set(key, known)
  return known
}

async function measureFile(wanted: Wanted) {
  const { samples } = decodeWav(await fileOf(wanted))
  const { integratedLufs } = measureLoudness(samples, { sampleRateHz: SAMPLE_RATE_HZ, channels: 1 })
  return {
    seconds: samples.length / SAMPLE_RATE_HZ,
    ...measurePitch(samples, SAMPLE_RATE_HZ),
    lufs: integratedLufs,
    truePeakDbtp: measureTruePeak(samples, { channels: 1 }),
    fullScaleSamples: measureLevels(samples).fullScaleSamples,
  }
}

describe.each(VOICES)('the voice %s', (voice) => {
  /** Usually each voice speaks a few of the languages. */
  const share = VOICES.indexOf(voice)
  const languages = LANGUAGES.map(({ tag }) => tag)
  const few = languages.filter((_, index) => index % (8 * VOICES.length) === share)
  test.each(thorough({ usual: few, long: languages }))(
    'has the same loudness in %s, and does not clip',
    async (language) => {
      const text = SENTENCES[language.slice(0, 2)] ?? ENGLISH
      const { lufs, truePeakDbtp, fullScaleSamples } = await measure({ text, language, voice })
      expect(Math.abs(lufs + 20)).toBeLessThan(1)
      expect(truePeakDbtp).toBeLessThan(-1)
      expect(fullScaleSamples).toBe(0)
    },
  )

  const followed: [language: string, text: string | undefined][] = [
    ['en-US', ENGLISH],
    ['ne-NP', SENTENCES['ne']],
    ['zh-CN', SENTENCES['zh']],
  ]
  test.each(
    thorough({ usual: followed.filter((_, index) => index === share && voice === 'alt1'), long: followed }),
  )('follows pitch and rate in %s', async (language, text = '') => {
    const base = { text, language, voice }
    const plain = await measure(base)
    for (const pitchSemitones of thorough({ usual: [-6, 6], long: [-6, -3, 3, 6] })) {
      const shifted = await measure({ ...base, pitchSemitones })
      expect(Math.abs(semitones(shifted.meanHz / plain.meanHz) - pitchSemitones)).toBeLessThan(0.6)
      expect(shifted.seconds / plain.seconds).toBeCloseTo(1, 1)
      expect(Math.abs(shifted.lufs - plain.lufs)).toBeLessThan(0.5)
    }
    for (const speakingRate of thorough({ usual: [0.5, 2], long: [0.5, 0.75, 1.5, 2] })) {
      const paced = await measure({ ...base, speakingRate })
      expect(plain.seconds / paced.seconds / speakingRate).toBeGreaterThan(0.95)
      expect(plain.seconds / paced.seconds / speakingRate).toBeLessThan(1.05)
      expect(Math.abs(semitones(paced.meanHz / plain.meanHz))).toBeLessThan(1)
    }
  })
})

test('voices differ in pitch by more than any emotion of theirs', async () => {
  const [low, middle, high] = await Promise.all(
    (['alt1', 'default', 'alt2'] as const).map((voice) => measure({ voice })),
  )
  expect(semitones((middle?.meanHz ?? 0) / (low?.meanHz ?? 0))).toBeGreaterThan(6)
  expect(high?.meanHz).toBeGreaterThan(middle?.meanHz ?? 0)
})

describe.each(thorough({ usual: VOICES.slice(0, 1), long: [...VOICES] }))('emotions of %s', (voice) => {
  test('have the pitch, duration, range and energy of their presets', async () => {
    const of = async (emotion: Emotion) => measure({ voice, emotion })
    const neutral = await of('neutral')
    const ranges = new Map<Emotion, number>()
    for (const [emotion, preset] of Object.entries(EMOTIONS) as [Emotion, (typeof EMOTIONS)[Emotion]][]) {
      const spoken = await of(emotion)
      ranges.set(emotion, spoken.rangeSemitones)
      const shift = semitones(spoken.meanHz / neutral.meanHz)
      expect(Math.abs(shift - preset.pitchSemitones), emotion).toBeLessThan(0.8)
      expect(neutral.seconds / spoken.seconds / preset.rate, emotion).toBeCloseTo(1, 1)
      const energyDb = 20 * Math.log10(preset.energy / EMOTIONS.neutral.energy)
      expect(Math.abs(spoken.lufs - neutral.lufs - energyDb), emotion).toBeLessThan(0.3)
    }
    const order = ['calm', 'neutral', 'excited'] as const
    const found = order.map((emotion) => ranges.get(emotion) ?? 0)
    expect(found).toEqual(found.toSorted((one, other) => one - other))
    expect((found[2] ?? 0) / (found[0] ?? 1)).toBeGreaterThan(1.5)
  })
})

test('segments join without a click', async () => {
  // Cut between words, because the sentence is longer than a segment. A click is a step that speech itself does not have.
  const text =
    'The committee that was elected at the annual general meeting of the association has unanimously decided to postpone its decision about the renovation of the old railway station until the beginning of the next year; nobody objected.'
  for (const voice of thorough({ usual: VOICES.slice(0, 1), long: [...VOICES] })) {
    const { samples } = decodeWav(await fileOf({ text, voice, emotion: 'excited' }))
    let clicks = 0
    for (let index = 200; index < samples.length - 200; index++) {
      const step = Math.abs((samples[index] ?? 0) - (samples[index - 1] ?? 0))
      if (step < 300) continue
      let around = 0
      for (let near = -200; near < 200; near++)
        if (Math.abs(near) > 1)
          around = Math.max(around, Math.abs((samples[index + near] ?? 0) - (samples[index + near - 1] ?? 0)))
      if (step > 4 * around) clicks++
    }
    expect(clicks).toBe(0)
  }
})

test.each([
  ['wav', 'pcm_s16le', 16_000],
  ['mp3', 'mp3', 22_050],
  ['ogg', 'vorbis', 44_100],
] as const)(
  'ffprobe and ebur128 of ffmpeg agree on %s',
  { tags: 'ffmpeg' },
  async (format, codec, sampleRateHz) => {
    const input = await fileOf({ format, sampleRateHz })
    const { seconds } = await measure({})
    const probed = spawnSync(
      'ffprobe',
      ['-v', 'error', '-show_entries', 'stream=codec_name,sample_rate,channels', '-of', 'csv=p=0', '-'],
      { input },
    )
    expect(probed.stdout.toString().trim()).toBe(`${codec},${sampleRateHz},1`)
    const read = spawnSync(
      'ffmpeg',
      ['-hide_banner', '-nostats', '-i', '-', '-af', 'ebur128=peak=true', '-f', 'null', '-'],
      { input },
    ).stderr.toString()
    expect(
      Math.abs(Number(/I: +(-[\d.]+) LUFS/.exec(read.slice(read.lastIndexOf('Integrated')))?.[1]) + 20),
    ).toBeLessThan(1)
    expect(Number(/Peak: +(-[\d.]+) dBFS/.exec(read)?.[1])).toBeLessThan(-1)
    const time = /time=00:00:(\d\d\.\d\d)/.exec(read.slice(read.lastIndexOf('time=')))?.[1]
    expect(Math.abs(Number(time) - seconds)).toBeLessThan(0.1)
  },
)
