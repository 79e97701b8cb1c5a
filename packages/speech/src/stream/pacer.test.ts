import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveSpeech } from '../live/live-speech.ts'
import { createSpeechPacer, type SpeechPacer } from './pacer.ts'
import { streamSpeech } from './stream-speech.ts'
import { createToneEngine } from '../tone.ts'

const SETTINGS = { voice: 'nova', language: 'en-US', emotion: 'neutral', speed: 1 } as const
const LONG_TEXT = 'This is a sentence that takes its time to be spoken to the end. '.repeat(20)

let pacer: SpeechPacer
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  pacer = createSpeechPacer(() => performance.now())
})
afterEach(() => void vi.useRealTimers())

/** Reads frames as fast as they come, and counts them. */
function race(text = LONG_TEXT) {
  const stop = new AbortController()
  const reader = { frames: 0, isOver: false, stop: () => stop.abort() }
  const speech = streamSpeech({ engine: createToneEngine(), text, pacer, signal: stop.signal, ...SETTINGS })
  void (async () => {
    try {
      for await (const _ of speech) reader.frames++
    } catch {
      // Aborted.
    }
    reader.isOver = true
  })()
  return reader
}
/** Lets everything happen that needs no time to pass. */
async function settle(turns = 5000): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}
async function pass(durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 20) {
    vi.advanceTimersByTime(20)
    await settle(20)
  }
}

test('a stream alone is read as fast as it can be', async () => {
  const startedAtMs = performance.now()
  const reader = race()
  await settle()
  expect(reader.isOver).toBe(true)
  expect(performance.now()).toBe(startedAtMs)
  expect(reader.frames).toBeGreaterThan(3000)
})

test('a stream with audio in hand waits for one that has none, at most until it needs its next', async () => {
  const silent = pacer.open()
  const reader = race()
  await settle()
  // 200 ms of audio.
  expect(reader.frames).toBe(10)
  await pass(1000)
  expect(reader.frames).toBeGreaterThanOrEqual(60)
  expect(reader.frames).toBeLessThanOrEqual(61)
  silent.want(false)
  await settle()
  expect(reader.isOver).toBe(true)
})

test('one with seconds in hand waits for one that has less, which does not wait for it', async () => {
  const short = pacer.open()
  short.took(1000)
  short.want(true)
  const reader = race()
  await settle()
  // 1.6 s of audio.
  expect(reader.frames).toBe(80)
  expect(short.mustWait()).toBe(false)
  short.close()
  await settle()
  expect(reader.isOver).toBe(true)
})

test('leaving does not wait for a turn', async () => {
  pacer.open()
  const reader = race()
  await settle()
  reader.stop()
  await settle()
  expect(reader.isOver).toBe(true)
})

test('speech that has been said to its end makes nobody wait, and a cancel is answered at once', async () => {
  const live = createLiveSpeech({ engine: createToneEngine(), pacer, ...SETTINGS })
  live.hear({ type: 'speak', text: 'Hello.' })
  live.hear({ type: 'flush' })
  for (let event = await live.next(); event?.type !== 'flushed'; event = await live.next());
  const waiting = live.next()
  await pass(1000)
  const reader = race()
  await settle()
  expect(reader.isOver).toBe(true)

  live.hear({ type: 'speak', text: LONG_TEXT })
  await waiting
  const silent = pacer.open()
  let heard = await live.next()
  while (live.aheadMs() < 200) heard = await live.next()
  expect(heard?.type).toBe('audio')
  const next = live.next()
  await settle()
  live.hear({ type: 'cancel' })
  await settle()
  expect(await next).toMatchObject({ type: 'canceled' })
  silent.close()
})
