import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NEUTRAL, type SpeechEngine, type SpokenWord } from '@vaani/speech'
import { runEngineConformance } from '@vaani/speech/conformance'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from './create-engine.ts'
import { LANGUAGES } from './languages.ts'
import { SPOKEN } from './test/spoken.ts'

runEngineConformance({
  name: 'eSpeak NG',
  createEngine: () => createEngine({ workers: 2 }),
  sample: { text: 'Good morning, this is a reminder of the appointment tomorrow.', language: 'en-US' },
  hostileTextCount: thorough({ usual: 64, long: 184 }),
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

async function speak(text: string, language: string): Promise<number[]> {
  const samples: number[] = []
  for await (const chunk of engine.synthesize({ text, language, voice: 'nova', prosody: NEUTRAL }))
    samples.push(...chunk)
  return samples
}

/** Usually one of four, among them scripts of all kinds. */
const audible = LANGUAGES.map(({ tag }) => tag).filter(
  (_, index) => index % thorough({ usual: 4, long: 1 }) === 0,
)
test.each(audible)('%s is audible', async (tag) => {
  const samples = await speak(WORDS[tag.slice(0, 2)] ?? 'Bananas, tomatoes, radio and piano', tag)
  expect(samples.length).toBeGreaterThan(22_050 / 3)
  expect(Math.max(...samples.map(Math.abs))).toBeGreaterThan(2000)
})

test('has more than thirty languages, and a note on each that is not native', () => {
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

test('every process makes the same samples, regardless of locale, folder and time zone', async () => {
  const run = async (options: { cwd: string; language: string; timeZone: string }) => {
    const { cwd, language, timeZone } = options
    const file = fileURLToPath(new URL('./test/speaker.ts', import.meta.url))
    const env = { ...process.env, LC_ALL: language, LANG: language, TZ: timeZone }
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=vaani-source', file], {
      cwd,
      env,
    })
    return stdout.trim()
  }
  const first = await run({ cwd: tmpdir(), language: 'C', timeZone: 'UTC' })
  expect(first).toMatch(/^([0-9a-f]{64},?){3}$/)
  expect(await run({ cwd: '/', language: 'ne_NP.UTF-8', timeZone: 'Asia/Kathmandu' })).toBe(first)
  const digests: string[] = []
  for (const [language, text] of SPOKEN.toReversed())
    digests.unshift(
      createHash('sha256')
        .update(Int16Array.from(await speak(text, language)))
        .digest('hex'),
    )
  expect(digests.join()).toBe(first)
})

test('removed characters separate words like a space and are not heard', async () => {
  const plain = await speak('one two', 'en-US')
  for (const text of ['one\u0001two', 'one\u0000two', 'one\ud800two', 'one\ue000two', 'one\u0530two'])
    expect((await speak(text, 'en-US')).join() === plain.join(), JSON.stringify(text)).toBe(true)
  for (const text of ['\u202eone two\u202c', '\ufeffone two'])
    expect((await speak(text, 'en-US')).join() === plain.join(), JSON.stringify(text)).toBe(true)
})

test.each([
  [
    'Hello there, AT&T if x<y then. Good morning 12 dollars 😀 cats',
    'en-US',
    'Hello there AT&T if x y then Good morning 12 dollars 😀 cats',
  ],
  ['नमस्ते संसार, तपाईंलाई hello कस्तो छ?', 'ne-NP', 'नमस्ते संसार तपाईंलाई hello कस्तो छ'],
  ['こんにちは世界 せかい', 'ja-JP', 'こんにちは 世界 せかい'],
])('reports the words of %s', async (text, language, words) => {
  const said: string[] = []
  const onWord = ({ start, end }: SpokenWord) => void said.push(text.slice(start, end))
  const request = { text, language, voice: 'nova', prosody: NEUTRAL }
  for await (const _ of engine.synthesize(request, { onWord })) continue
  expect(said.join(' ')).toBe(words)
})
