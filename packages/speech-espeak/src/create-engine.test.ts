import { NEUTRAL, type SpeechEngine } from '@vaani/speech'
import { runEngineConformance } from '@vaani/speech/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from './create-engine.ts'
import { LANGUAGES } from './languages.ts'

runEngineConformance({
  name: 'eSpeak NG',
  createEngine: () => createEngine({ workers: 2 }),
  sample: { text: 'Good morning, this is a reminder of the appointment tomorrow.', language: 'en-US' },
})

const WORDS: Readonly<Record<string, string>> = {
  ne: 'नमस्ते, तपाईंलाई कस्तो छ',
  hi: 'नमस्ते, आप कैसे हैं',
  mr: 'नमस्कार, कसे आहात',
  ja: 'こんにちは',
  zh: '你好，今天天气很好',
  ar: 'مرحبا بك',
  ur: 'آپ کیسے ہیں',
  ru: 'Здравствуйте',
  uk: 'Добрий день',
  el: 'Καλημέρα σας',
  ko: '안녕하세요',
  bn: 'আপনি কেমন আছেন',
  gu: 'તમે કેમ છો',
  pa: 'ਤੁਸੀਂ ਕਿਵੇਂ ਹੋ',
  ta: 'வணக்கம் நண்பரே',
  te: 'మీరు ఎలా ఉన్నారు',
}

let engine: SpeechEngine
beforeAll(() => {
  engine = createEngine({ workers: 1 })
})
afterAll(() => engine.close())

async function say(text: string, language: string): Promise<number[]> {
  const samples: number[] = []
  for await (const chunk of engine.synthesize({ text, language, voice: 'nova', prosody: NEUTRAL }))
    samples.push(...chunk)
  return samples
}

test.each(LANGUAGES.map(({ tag }) => tag))('%s sounds', async (tag) => {
  const samples = await say(WORDS[tag.slice(0, 2)] ?? 'Bananas, tomatoes, radio and piano', tag)
  expect(samples.length).toBeGreaterThan(22_050 / 3)
  expect(Math.max(...samples.map(Math.abs))).toBeGreaterThan(2000)
})

test('more than thirty languages are spoken, and what is less than native says how', () => {
  expect(LANGUAGES.length).toBeGreaterThan(30)
  for (const { quality, note } of LANGUAGES) expect(note !== undefined).toBe(quality !== 'native')
})

test('the pitch follows the semitones', async () => {
  const crossings = async (pitchSemitones: number) => {
    let count = 0
    let last = 0
    for await (const chunk of engine.synthesize({
      text: 'aaaa',
      language: 'en-US',
      voice: 'atlas',
      prosody: { ...NEUTRAL, pitchSemitones },
    }))
      for (const sample of chunk) {
        if (last < 0 && sample >= 0) count++
        last = sample
      }
    return count
  }
  expect(await crossings(4)).not.toBe(await crossings(-4))
})
