import { expect, test } from 'vitest'
import { NEUTRAL } from '../emotions.ts'
import type { SpeechEngine } from '../engine.ts'
import { SpeechError } from '../speech-error.ts'
import { streamSpeech, type StreamSpeechOptions } from './stream-speech.ts'
import { createToneEngine } from '../tone.ts'

const LONG_TEXT = 'This is a sentence that takes its time to be spoken to the end. '.repeat(20)

function open(more: Partial<StreamSpeechOptions> = {}) {
  return streamSpeech({
    engine: createToneEngine(),
    text: 'Hello there.',
    voice: 'nova',
    language: 'en-US',
    emotion: 'neutral',
    speed: 1,
    ...more,
  })
}
/** Counts the requests to an engine, total and active. */
function counting(engine = createToneEngine()): SpeechEngine & { asked(): number; active(): number } {
  let asked = 0
  let active = 0
  return {
    ...engine,
    asked: () => asked,
    active: () => active,
    async *synthesize(request, options) {
      asked++
      active++
      try {
        yield* engine.synthesize(request, options)
      } finally {
        active--
      }
    },
  }
}

/** An engine that says silence. */
const answering = (samples: number): SpeechEngine => ({
  ...createToneEngine(),
  async *synthesize() {
    yield new Int16Array(samples)
  },
})

test('yields whole frames of 20 ms', async () => {
  let frames = 0
  for await (const frame of open()) {
    expect(frame).toHaveLength(320)
    frames++
  }
  expect(frames).toBe(Math.ceil((12 * 960) / 320))
})

test('synthesizes only a few seconds ahead of a slow reader', async () => {
  const engine = counting()
  const frames = open({ engine, text: LONG_TEXT })
  await frames.next()
  for (let turn = 0; turn < 2000; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(engine.asked()).toBeLessThanOrEqual(3)
  expect(engine.active()).toBe(0)
  let count = 1
  for await (const _ of frames) count++
  expect(engine.asked()).toBeGreaterThan(15)
  expect(count * 0.02).toBeGreaterThan(60)
})

const REQUEST = { text: 'One.', voice: 'nova', language: 'en-US', prosody: NEUTRAL }

/** Speaks each segment as 100 s of samples, a second at a time; adjacent samples always differ. */
function slowSpeaker(): SpeechEngine & { made(): number } {
  let made = 0
  return {
    ...createToneEngine(),
    made: () => made,
    async *synthesize() {
      for (let second = 0; second < 100; second++) {
        await new Promise((resolve) => setImmediate(resolve))
        made += 16_000
        yield Int16Array.from({ length: 16_000 }, (_, index) => (second * 7919 + index * 31) % 30_000)
      }
    },
  }
}

test('a segment that lasts minutes does not pile up and is heard in full', async () => {
  const engine = slowSpeaker()
  const frames = open({ engine, text: 'One. Two.' })
  await frames.next()
  for (let turn = 0; turn < 2000; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(engine.made() / 16_000).toBeLessThanOrEqual(32)
  const heard = await Array.fromAsync(frames)
  // The engine's rate is that of the stream, 16 kHz, so samples are not resampled.
  const whole = await Array.fromAsync(slowSpeaker().synthesize(REQUEST))
  const samples = Int16Array.from(heard.flatMap((frame) => [...frame]))
  expect(Buffer.from(samples.buffer, 0, (100 * 16_000 - 320) * 2)).toEqual(
    Buffer.from(Int16Array.from(whole.flatMap((chunk) => [...chunk])).buffer, 320 * 2),
  )
  expect(samples.length).toBeGreaterThan(2 * 100 * 16_000)
})

test('an engine that cannot repeat itself waits for a slow reader instead of being asked again', async () => {
  let asked = 0
  const slow = slowSpeaker()
  const engine: typeof slow = {
    ...slow,
    capabilities: () => ({ ...slow.capabilities(), repeatable: false }),
    synthesize(request, options) {
      asked++
      return slow.synthesize(request, options)
    },
  }
  const frames = open({ engine, text: 'One. Two.' })
  await frames.next()
  for (let turn = 0; turn < 2000; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(engine.made() / 16_000).toBeLessThanOrEqual(32)
  let count = 1
  for await (const _ of frames) count++
  expect(asked).toBe(2)
  expect(count * 320).toBeGreaterThan(2 * 100 * 16_000)
})

test('a reader that leaves frees an engine that waits for it', async () => {
  const slow = slowSpeaker()
  const engine = counting({ ...slow, capabilities: () => ({ ...slow.capabilities(), repeatable: false }) })
  const frames = open({ engine, text: 'One.' })
  await frames.next()
  for (let turn = 0; turn < 2000; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(engine.active()).toBe(1)
  await frames.return()
  expect(engine.active()).toBe(0)
})

test('passes the engine no text that it could obey, regardless of where segments end', async () => {
  const asked: string[] = []
  const tone = createToneEngine()
  const engine: SpeechEngine = {
    ...tone,
    synthesize(request, options) {
      asked.push(request.text)
      return tone.synthesize(request, options)
    },
  }
  const text = `One\u000199Htwo, [[three]]. \ud800 ${'\u0001'.repeat(300)} Four.`
  for await (const _ of open({ engine, text })) continue
  expect(asked).toEqual(['One 99Htwo, [ [three] ].', 'Four.'])
})

test.each([
  ['control characters', { text: '\u0001\u0002 \u0000' }],
  ['a text that the engine answers by a frame of silence', { engine: answering(320) }],
  ['code alone', { text: '```\nlet a\n```', markup: 'strip' as const }],
])('refuses %s, of which nothing has a sound', async (_, options) => {
  await expect(Array.fromAsync(open(options))).rejects.toMatchObject({ code: 'nothing_to_speak' })
})

test('speaks what begins with silence', async () => {
  expect(await Array.fromAsync(open({ engine: answering(640) }))).toHaveLength(2)
})

test('frees the engine when the reader leaves', async () => {
  const engine = counting()
  for await (const _ of open({ engine, text: LONG_TEXT })) break
  expect(engine.active()).toBe(0)
})

test('an abort ends the stream at once', async () => {
  const controller = new AbortController()
  const engine = counting()
  const frames = open({ engine, text: LONG_TEXT, signal: controller.signal })
  await frames.next()
  controller.abort()
  const rest = async () => {
    for await (const _ of frames);
  }
  await expect(rest()).rejects.toMatchObject({ code: 'aborted' })
  expect(engine.active()).toBe(0)
})

test('rejects if it was aborted before it began', async () => {
  await expect(open({ signal: AbortSignal.abort() }).next()).rejects.toMatchObject({ code: 'aborted' })
})

test('asks an engine that pauses to do so, and adds pauses for others', async () => {
  const asked: (boolean | undefined)[] = []
  const lengthWith = async (pauses: boolean) => {
    const tone = createToneEngine()
    const engine: SpeechEngine = {
      ...tone,
      capabilities: () => ({ ...tone.capabilities(), pauses }),
      synthesize(request, options) {
        asked.push(request.continues)
        return tone.synthesize(request, options)
      },
    }
    return (await Array.fromAsync(open({ engine, text: 'One. Two. Three.' }))).length
  }
  const [own, added] = [await lengthWith(true), await lengthWith(false)]
  expect(asked).toEqual([true, true, undefined, undefined, undefined, undefined])
  expect((added - own) * 0.02).toBeCloseTo(2 * 0.29, 1)
})

test('follows the speed and the emotion', async () => {
  const length = async (more: Partial<StreamSpeechOptions>) =>
    (await Array.fromAsync(open({ text: LONG_TEXT, ...more }))).length
  const [normal, fast, calm] = [
    await length({}),
    await length({ speed: 2 }),
    await length({ emotion: 'calm' }),
  ]
  expect(fast / normal).toBeCloseTo(0.5, 1)
  expect(calm).toBeGreaterThan(normal * 1.1)
})

test('accepts a language without its region and refuses an unknown one', async () => {
  expect((await open({ language: 'EN' }).next()).done).toBe(false)
  await expect(open({ language: 'fr-FR' }).next()).rejects.toMatchObject({ code: 'language_not_supported' })
  await expect(open({ voice: 'siri' }).next()).rejects.toMatchObject({ code: 'voice_not_found' })
})

test('an engine that fails halfway fails the stream after the frames made so far', async () => {
  const tone = createToneEngine()
  const engine: SpeechEngine = {
    ...tone,
    async *synthesize(request, options) {
      yield* tone.synthesize(request, options)
      throw new SpeechError('engine_failed', 'The engine failed')
    },
  }
  let frames = 0
  const read = async () => {
    for await (const _ of open({ engine })) frames++
  }
  await expect(read()).rejects.toMatchObject({ code: 'engine_failed' })
  expect(frames).toBeGreaterThan(0)
})
