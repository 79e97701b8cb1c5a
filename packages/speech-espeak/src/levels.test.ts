/** Streams of the real engine, judged by texts that its tables were not measured on. */
import { measureLoudness, measureTruePeak } from '@vaani/pcm-audio'
import { NEUTRAL, streamSpeech } from '@vaani/speech'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from './create-engine.ts'
import { LANGUAGES, VOICES } from './languages.ts'
import { articlesOf } from './test/declaration.ts'
import { concat } from './test/voices.ts'

const SAMPLE_RATE_HZ = 16_000

let engine: ReturnType<typeof createEngine>
beforeAll(() => {
  engine = createEngine({ workers: 2 })
})
afterAll(() => engine.close())

interface Wanted {
  text: string
  language: string
  voice: string
  speed?: number
}

async function stream({ speed = 1, ...wanted }: Wanted): Promise<Int16Array> {
  const frames = await Array.fromAsync(streamSpeech({ engine, ...wanted, emotion: 'neutral', speed }))
  return concat(new Int16Array(), ...frames)
}

const voices = Object.keys(VOICES)
/** Usually a woman and a man speak a language with rules each. `synthesis.test.ts` hears more voices and languages. */
const rows = thorough({
  usual: [
    { language: 'ne-NP', voice: 'nova' },
    { language: 'es-MX', voice: 'atlas' },
  ],
  long: LANGUAGES.flatMap(({ tag }) => voices.map((voice) => ({ language: tag, voice }))),
})

test.each(rows)(
  '$voice in $language is as loud as files, without direct current',
  async ({ language, voice }) => {
    const text = articlesOf(language)
      .even.slice(0, thorough({ usual: 1, long: 2 }))
      .join('\n')
    const samples = await stream({ text, language, voice })
    const { integratedLufs } = measureLoudness(samples, { sampleRateHz: SAMPLE_RATE_HZ, channels: 1 })
    expect(Math.abs(integratedLufs + 20)).toBeLessThan(1)
    expect(measureTruePeak(samples, { channels: 1 })).toBeLessThan(-1)
    expect(Math.abs(samples.reduce((sum, sample) => sum + sample, 0) / samples.length)).toBeLessThan(2)
  },
)

const SPEEDS = thorough({ usual: [0.5, 2], long: [0.5, 0.75, 1.5, 2] })

test.each(rows.slice(0, thorough({ usual: 1, long: rows.length })))(
  '$voice in $language speaks at the speed that is asked for, within 3 %',
  async ({ language, voice }) => {
    const text = articlesOf(language).even[0] ?? ''
    const plain = await stream({ text, language, voice })
    for (const speed of SPEEDS) {
      const { length } = await stream({ text, language, voice, speed })
      expect(Math.abs(plain.length / length / speed - 1), `${speed}`).toBeLessThan(0.03)
    }
  },
)

// The engine alone has neither half nor twice the speed of Russian, and steps of 6 % at twice that of German.
test.each(thorough({ usual: ['ru-RU'], long: ['ru-RU', 'de-DE', 'cs-CZ', 'it-IT', 'ar-SA', 'vi-VN'] }))(
  'sentences in %s have the speed that is asked for, within 3 %',
  async (language) => {
    const sentences = articlesOf(language).even.slice(0, thorough({ usual: 1, long: 3 }))
    const lasts = async (speed: number, text: string) =>
      (await stream({ text, language, voice: 'atlas', speed })).length
    for (const text of sentences) {
      const plain = await lasts(1, text)
      for (const speed of [0.5, 2])
        expect(Math.abs(plain / (await lasts(speed, text)) / speed - 1), `${speed} ${text}`).toBeLessThan(
          0.03,
        )
    }
  },
)

test('sentences at twice the speed make way for each other, and are the same as alone', async () => {
  await using alone = singleThread()
  // Some seconds are several slices.
  const [most, units] = thorough({ usual: [2, 80], long: [4, Number.POSITIVE_INFINITY] })
  const texts = articlesOf('en-US')
    .even.slice(0, most)
    .map((text) => text.slice(0, units))
  const speak = async (text: string): Promise<number[]> => {
    const request = { text, voice: 'nova', language: 'en-US', prosody: { ...NEUTRAL, rate: 2 } }
    const samples: number[] = []
    const options = { priority: 'first', aheadMs: 0, tenant: text } as const
    for await (const chunk of alone.engine.synthesize(request, options)) samples.push(...chunk)
    return samples
  }
  const expected = []
  for (const text of texts) expected.push(await speak(text))
  expect(await Promise.all(texts.map(speak))).toEqual(expected)
})

function singleThread() {
  const single = createEngine({ workers: 1 })
  return { engine: single, [Symbol.asyncDispose]: () => single.close() }
}
