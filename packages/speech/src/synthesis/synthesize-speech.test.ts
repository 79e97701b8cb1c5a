import { decodeWav, measureLoudness } from '@vaani/pcm-audio'
import { afterAll, describe, expect, test } from 'vitest'
import { EMOTIONS } from '../emotions.ts'
import type { SpeechEngine } from '../engine.ts'
import { SpeechError } from '../speech-error.ts'
import { createToneEngine } from '../tone.ts'
import { createRenderPool } from './render-pool.ts'
import { lufsOf, synthesizeSpeech, type SynthesizeSpeechOptions } from './synthesize-speech.ts'

const renderers = createRenderPool({ threads: 1 })
afterAll(() => renderers.close())

/** Counts requests and those under way. */
function followed(): { engine: SpeechEngine; requests: () => number; underWay: () => number } {
  const tone = createToneEngine()
  let requests = 0
  let underWay = 0
  return {
    engine: {
      ...tone,
      async *synthesize(request, options) {
        requests++
        underWay++
        try {
          yield* tone.synthesize(request, options)
        } finally {
          underWay--
        }
      },
    },
    requests: () => requests,
    underWay: () => underWay,
  }
}

const start = (options: Partial<SynthesizeSpeechOptions> = {}) =>
  synthesizeSpeech({
    engine: createToneEngine(),
    renderers,
    text: 'This is said. And so is this.',
    model: 'synth-v1',
    voice: 'default',
    language: 'en-US',
    emotion: 'neutral',
    speakingRate: 1,
    pitchSemitones: 0,
    format: 'wav',
    sampleRateHz: 16_000,
    ...options,
  })

async function read(options: Partial<SynthesizeSpeechOptions> = {}): Promise<Buffer> {
  const speech = await start(options)
  const bytes = Buffer.concat(await Array.fromAsync(speech.chunks()))
  if (speech.bytes !== undefined) expect(bytes.length).toBe(speech.bytes)
  return bytes
}

test('speaks what is written as a stream does', async () => {
  expect(await read({ text: 'Pay $5 today.' })).toEqual(await read({ text: 'Pay 5 dollars today.' }))
  expect(await read({ text: 'Pay $5 today.' })).not.toEqual(await read({ text: 'Pay 5 euros today.' }))
})

const LONG = 'These are some words of a text. '.repeat(40)

test('speaks short text once and long text twice, with the same bytes', async () => {
  const short = followed()
  await read({ engine: short.engine })
  expect(short.requests()).toBe(2)
  const long = followed()
  const bytes = await read({ engine: long.engine, text: LONG })
  expect(long.requests() % 2).toBe(0)
  expect(long.underWay()).toBe(0)
  expect(decodeWav(bytes).samples.length).toBeGreaterThan(60 * 16_000)
  expect((await read({ text: LONG })).equals(bytes)).toBe(true)
})

test('refuses speech that is longer than its caller allows, and leaves no engine at work', async () => {
  const { engine, underWay } = followed()
  await expect(start({ engine, text: LONG, maxSeconds: 30 })).rejects.toMatchObject({
    code: 'speech_too_long',
  })
  expect(underWay()).toBe(0)
  await read({ maxSeconds: 30 })
})

test('refuses a text of which nothing has a sound', async () => {
  for (const text of ['\u0001', '\ue000 \ufeff'])
    await expect(start({ text })).rejects.toMatchObject({ code: 'nothing_to_speak' })
  await expect(start({ text: '```\nlet a\n```', markup: 'strip' })).rejects.toMatchObject({
    code: 'nothing_to_speak',
  })
})

test('leaves out markup if it is asked to', async () => {
  const plain = await read({ text: 'Pay **now**.', markup: 'strip' })
  expect(plain).toEqual(await read({ text: 'Pay now.' }))
  expect(plain).not.toEqual(await read({ text: 'Pay **now**.' }))
})

test('keeps long speech of an engine that cannot repeat itself', async () => {
  const { engine, requests } = followed()
  const once = { ...engine, capabilities: () => ({ ...engine.capabilities(), repeatable: false }) }
  const repeated = followed()
  await read({ engine: repeated.engine, text: LONG })
  await read({ engine: once, text: LONG })
  expect(requests()).toBe(repeated.requests() / 2)
})

test('shows a router that both passes are one utterance', async () => {
  const tone = createToneEngine()
  const utterances = new Set<unknown>()
  const engine: SpeechEngine = {
    ...tone,
    synthesize(request, options) {
      utterances.add(options?.utterance)
      return tone.synthesize(request, options)
    },
  }
  await read({ engine, text: LONG })
  expect(utterances.size).toBe(1)
  expect(utterances.has(undefined)).toBe(false)
})

describe.each(Object.keys(EMOTIONS) as (keyof typeof EMOTIONS)[])('%s', (emotion) => {
  test('has its loudness', async () => {
    const { samples } = decodeWav(await read({ emotion }))
    const { integratedLufs } = measureLoudness(samples, { sampleRateHz: 16_000, channels: 1 })
    expect(Math.abs(integratedLufs - lufsOf(emotion))).toBeLessThan(0.3)
  })
})

test('refuses an unknown voice or language before it opens a file', async () => {
  const closed = createRenderPool()
  await closed.close()
  await expect(start({ renderers: closed, voice: 'nobody' })).rejects.toMatchObject({
    code: 'voice_not_found',
  })
  await expect(start({ renderers: closed, language: 'tlh' })).rejects.toMatchObject({
    code: 'language_not_supported',
  })
  await expect(start({ renderers: closed })).rejects.toMatchObject({ code: 'engine_closed' })
})

test('an abort ends both passes and frees the engine', async () => {
  await expect(start({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
  const { engine, underWay } = followed()
  const controller = new AbortController()
  const speech = await start({ engine, text: LONG, signal: controller.signal })
  const chunks = speech.chunks()
  await chunks.next()
  controller.abort()
  await expect(Array.fromAsync(chunks)).rejects.toBeInstanceOf(SpeechError)
  expect(underWay()).toBe(0)
})

test('a reader that leaves, and a file that is never read, free everything', async () => {
  const { engine, underWay } = followed()
  const speech = await start({ engine, text: LONG })
  for await (const _ of speech.chunks()) break
  expect(underWay()).toBe(0)
  const unread = await start({ engine })
  unread.close()
  unread.close()
  await expect(Array.fromAsync(unread.chunks())).rejects.toMatchObject({ code: 'aborted' })
})

test('an engine that fails in the second pass fails the reader', async () => {
  const tone = createToneEngine()
  let requests = 0
  const engine: SpeechEngine = {
    ...tone,
    synthesize(request, options) {
      requests++
      // The text has as many segments in each pass.
      if (requests > 30) throw new SpeechError('engine_failed', 'It fails')
      return tone.synthesize(request, options)
    },
  }
  const before = followed()
  await (await start({ engine: before.engine, text: LONG })).close()
  requests = 30 - before.requests()
  const speech = await start({ engine, text: LONG })
  await expect(Array.fromAsync(speech.chunks())).rejects.toMatchObject({ code: 'engine_failed' })
})
