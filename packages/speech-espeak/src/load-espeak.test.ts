import load from '@echogarden/espeak-ng-emscripten'
import { expect, test } from 'vitest'
import { openMemory } from './engine-memory.ts'
import { type Espeak, loadEspeak } from './load-espeak.ts'

const parameters = { rate: 175, pitch: 50, range: 50, volume: 85 }
const LONG = 'This is a sentence that is long enough to take its time. '.repeat(3)

test('restoring an image erases everything done since, and clears the memory beyond it', async () => {
  const module = await load({ thisProgram: 'test' })
  const engine = new module.eSpeakNGWorker()
  const callback = module.addFunction(() => 0)
  const speak = (voice: string, text: string) => {
    engine.set_voice(voice, '')
    const bytes = new TextEncoder().encode(`${text}\0`)
    const ptr = module._malloc(bytes.length)
    module.HEAPU8.set(bytes, ptr)
    engine.synth_({ ptr }, callback)
  }
  speak('en-us', '.')
  const memory = openMemory(module)
  const image = memory.save()
  for (const [voice, text] of [
    ['en-us+f3', LONG],
    // Its dictionary takes 8.5 MB.
    ['ru+m3', 'Здравствуйте, мир'],
    ['ne', '\u000199H नमस्ते [[h@l]] hello <voice name="cmn">你好'],
  ] as const) {
    speak(voice, text)
    expect(Buffer.from(module.HEAPU8.buffer, 0, image.length).equals(image)).toBe(false)
    memory.restore(image)
    expect(Buffer.from(module.HEAPU8.buffer, 0, image.length).equals(image)).toBe(true)
    expect(
      Buffer.from(module.HEAPU8.buffer, image.length).equals(
        Buffer.alloc(module.HEAPU8.length - image.length),
      ),
    ).toBe(true)
  }
})

function say(espeak: Espeak, voice: string, markup: string, most = Number.POSITIVE_INFINITY): string {
  const chunks: Int16Array[] = []
  const spoke = espeak.speak({
    markup,
    voice,
    parameters,
    onSamples: (samples) => chunks.push(samples) < most,
  })
  expect(spoke).toBe(true)
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk.buffer))).toString('base64')
}

test('commands that reach the engine do not outlast their text', async () => {
  const espeak = await loadEspeak()
  const plain = say(espeak, 'en-us+f3', 'This is how it sounds.')
  for (const markup of [
    '\u000199H\u00012F\u000119T hello',
    '\u000150A\u0001300S\u000199P quiet',
    '\u0001B, a, b',
    '\u0001Vde guten Tag',
    '[[h@l]] <voice name="ru">Привет<prosody rate="300%" volume="silent">',
    '<say-as interpret-as="characters">abc',
    '&#1;99H',
    LONG,
  ])
    expect(say(espeak, 'en-us+f3', markup)).not.toBe('')
  expect(say(espeak, 'en-us+f3', 'This is how it sounds.')).toBe(plain)
  say(espeak, 'ne+f3', '\u000199H')
  espeak.forget()
  espeak.forget()
  expect(say(espeak, 'en-us+f3', 'This is how it sounds.')).toBe(plain)
  espeak.forget()
  expect(say(espeak, 'en-us+f3', 'This is how it sounds.')).toBe(plain)
})

test('speech that was stopped does not change the next', async () => {
  const espeak = await loadEspeak()
  const plain = say(espeak, 'en-us+f3', 'This is how it sounds.')
  say(espeak, 'en-us+f3', LONG, 2)
  expect(say(espeak, 'en-us+f3', 'This is how it sounds.')).toBe(plain)
})

test('more voices than are kept ready sound the same each time', async () => {
  const espeak = await loadEspeak()
  const voices = [
    'ru+f3',
    'ru+m3',
    'cmn+f3',
    'cmn+m3',
    'ne+f3',
    'en-us+f3',
    'de+f3',
    'fr+f3',
    'hi+f3',
    'es+f3',
  ]
  const first = voices.map((voice) => say(espeak, voice, 'Radio 60, piano.'))
  for (const index of [9, 0, 4, 1, 1, 8, 2, 7, 3, 0, 5, 6])
    expect(say(espeak, voices[index] ?? '', 'Radio 60, piano.') === first[index], voices[index]).toBe(true)
})
