import { expect, test } from 'vitest'
import { runEngineConformance } from '../conformance/index.ts'
import { NEUTRAL } from '../emotions.ts'
import type { SpeechEngine, SynthesisOptions, SynthesisRequest } from '../engine.ts'
import { SpeechError, type SpeechErrorCode, type SpeechErrorOptions } from '../speech-error.ts'
import { streamSpeech } from '../stream/stream-speech.ts'
import { createToneEngine } from '../tone.ts'
import { createSpeechRouter, type RouterEvent, type SpeechRouterOptions } from './create-router.ts'

/** An engine that fails on demand, at another rate than the tone. */
function createFaultyEngine(): SpeechEngine & {
  asked: number
  fault: { code: SpeechErrorCode; afterChunks?: number; options?: SpeechErrorOptions } | undefined
} {
  const tone = createToneEngine()
  return {
    ...tone,
    asked: 0,
    fault: undefined,
    capabilities: () => ({ ...tone.capabilities(), sampleRateHz: 8000 }),
    async *synthesize(request, options) {
      this.asked++
      const { fault } = this
      let chunks = 0
      for await (const chunk of tone.synthesize(request, options)) {
        if (fault && chunks++ >= (fault.afterChunks ?? 0))
          throw new SpeechError(fault.code, 'The fault of the test', fault.options)
        yield chunk
      }
    },
  }
}

const REQUEST = { text: 'Hello there, you.', voice: 'nova', language: 'en-US', prosody: NEUTRAL }
const HALF_OF_IT = { text: 'Hello', voice: 'nova', language: 'en-US', prosody: NEUTRAL }

function setUp(options: Partial<SpeechRouterOptions> = {}) {
  const first = createFaultyEngine()
  const second = createFaultyEngine()
  const events: RouterEvent[] = []
  const clock = { nowMs: 0 }
  const router = createSpeechRouter({
    engines: { first, second },
    rests: { failuresUntilRest: 2, firstRestMs: 1000 },
    nowMs: () => clock.nowMs,
    onEvent: (event) => events.push(event),
    ...options,
  })
  const say = (more: SynthesisOptions = {}) => Array.fromAsync(router.synthesize(REQUEST, more))
  return { first, second, events, clock, router, say, asked: () => [first.asked, second.asked] }
}
const rejectsWith = (code: SpeechErrorCode) => (promise: Promise<unknown>) =>
  expect(promise).rejects.toMatchObject({ name: 'SpeechError', code })

runEngineConformance({
  name: 'a router whose first engine fails',
  createEngine: () => {
    const broken = createFaultyEngine()
    broken.fault = { code: 'engine_failed' }
    return createSpeechRouter({ engines: { broken, tone: createToneEngine() } })
  },
  sample: { text: 'A sentence of some seconds, for a tone.', language: 'en-US' },
})

test.each(['engine_failed', 'engine_busy', 'engine_closed', 'text_refused', 'voice_not_found'] as const)(
  'the next engine speaks if the first throws %s before its first audio',
  async (code) => {
    const { first, say, asked } = setUp()
    first.fault = { code }
    expect((await say()).length).toBeGreaterThan(0)
    expect(asked()).toEqual([1, 1])
  },
)

test('only engines that follow instructions and wide rates are asked for them', async () => {
  const [plain, able] = [createFaultyEngine(), createFaultyEngine()]
  const capabilities = { ...able.capabilities(), instructions: true, wideRates: true }
  able.capabilities = () => capabilities
  const say = (router: SpeechEngine, more: Partial<SynthesisRequest>) =>
    Array.fromAsync(router.synthesize({ ...REQUEST, ...more }))
  const [fast, slow] = [4, 0.3].map((rate) => ({ prosody: { ...NEUTRAL, rate } }))
  const both = createSpeechRouter({ engines: { plain, able } })
  expect(both.capabilities()).toMatchObject({ instructions: true, wideRates: true })
  for (const more of [{ instructions: 'Whisper.' }, fast, slow]) await say(both, more ?? {})
  expect([plain.asked, able.asked]).toEqual([0, 3])
  await say(both, { prosody: { ...NEUTRAL, rate: 2.4 } })
  expect([plain.asked, able.asked]).toEqual([1, 3])

  const without = createSpeechRouter({ engines: { plain } })
  expect(without.capabilities()).toMatchObject({ instructions: false, wideRates: false })
  await rejectsWith('instructions_not_supported')(say(without, { instructions: 'Whisper.' }))
  await rejectsWith('rate_not_supported')(say(without, fast ?? {}))
  const words = { engine: plain, ...REQUEST, emotion: 'neutral', speed: 1 } as const
  await rejectsWith('instructions_not_supported')(
    Array.fromAsync(streamSpeech({ ...words, instructions: 'Whisper.' })),
  )
  expect(plain.asked).toBe(1)
})

test('words of an engine that fails before its first audio are not told', async () => {
  const { first, say } = setUp()
  first.fault = { code: 'engine_failed' }
  const starts: number[] = []
  await say({ onWord: ({ start }) => starts.push(start) })
  expect(starts).toEqual([0, 6, 13])
})

test('an abort is passed on, and asks no other engine', async () => {
  const { first, say, asked } = setUp()
  first.fault = { code: 'aborted' }
  await rejectsWith('aborted')(say())
  expect(asked()).toEqual([1, 0])
})

test('after the first audio an error is passed on, because the words before it would be spoken again', async () => {
  const { first, say, asked, events } = setUp()
  first.fault = { code: 'engine_failed', afterChunks: 1 }
  await rejectsWith('engine_failed')(say())
  expect(asked()).toEqual([1, 0])
  expect(events).toMatchObject([{ type: 'failed', engine: 'first', isHeard: true }])
})

test('an engine that fails repeatedly rests, one request tries it again, and a success ends the rest', async () => {
  const { first, say, asked, events, clock } = setUp()
  first.fault = { code: 'engine_failed' }
  for (let round = 0; round < 4; round++) await say()
  expect(asked()).toEqual([2, 4])
  clock.nowMs = 1000
  await Promise.all([say(), say(), say()])
  expect(asked()).toEqual([3, 7])
  first.fault = undefined
  clock.nowMs = 2999
  await say()
  expect(asked()).toEqual([3, 8])
  clock.nowMs = 3000
  await say()
  await say()
  expect(asked()).toEqual([5, 8])
  expect(events.map(({ type }) => type)).toEqual([
    'failed',
    'failed',
    'resting',
    'failed',
    'resting',
    'recovered',
  ])
})

test('texts that an engine refuses do not take it away from others', async () => {
  const { first, say, asked } = setUp()
  first.fault = { code: 'text_refused' }
  for (let round = 0; round < 10; round++) await say()
  first.fault = undefined
  await say()
  expect(asked()).toEqual([11, 10])
})

test('an engine that asks to wait is left alone for that time, and one with a full queue is asked again', async () => {
  const { first, say, asked, clock } = setUp()
  first.fault = { code: 'engine_busy' }
  await say()
  await say()
  expect(asked()).toEqual([2, 2])
  first.fault = { code: 'engine_busy', options: { retryAfterMs: 5000 } }
  await say()
  first.fault = undefined
  await say()
  expect(asked()).toEqual([3, 4])
  clock.nowMs = 5000
  await say()
  expect(asked()).toEqual([4, 4])
})

test('if every engine rests, the request fails at once and says how long to wait', async () => {
  const { first, second, say, asked } = setUp()
  first.fault = second.fault = { code: 'engine_failed' }
  await rejectsWith('engine_failed')(say())
  await rejectsWith('engine_failed')(say())
  await expect(say()).rejects.toMatchObject({ code: 'engine_busy', retryAfterMs: 1000 })
  expect(asked()).toEqual([2, 2])
})

test('a request that is aborted while it tries an engine after a rest lets the next one try', async () => {
  const { first, say, asked, clock } = setUp()
  first.fault = { code: 'engine_failed' }
  await say()
  await say()
  clock.nowMs = 1000
  first.fault = { code: 'aborted' }
  await rejectsWith('aborted')(say())
  first.fault = undefined
  await say()
  expect(asked()).toEqual([4, 2])
})

test('a text without a sound is spoken, and shows nothing about an engine that has rested', async () => {
  const { first, say, router, asked, clock, events } = setUp()
  first.fault = { code: 'engine_failed' }
  await say()
  await say()
  clock.nowMs = 1000
  first.fault = undefined
  expect(await Array.fromAsync(router.synthesize({ ...REQUEST, text: '' }))).toEqual([])
  expect(events.some(({ type }) => type === 'recovered')).toBe(false)
  await say()
  expect(asked()).toEqual([4, 2])
  expect(events.at(-1)).toEqual({ type: 'recovered', engine: 'first' })
})

test('the segments of one text keep to the engine that spoke the first', async () => {
  const { first, say, asked } = setUp()
  const utterance = {}
  first.fault = { code: 'engine_failed' }
  await say({ utterance })
  first.fault = undefined
  await say({ utterance })
  expect(asked()).toEqual([1, 2])
  await say({ utterance: {} })
  expect(asked()).toEqual([2, 2])
})

test('a stream changes the engine once, and is heard to its end', async () => {
  const { first, router, asked } = setUp()
  first.fault = { code: 'engine_failed' }
  const text = 'This is one sentence. This is another one. And this is the last one of them.'
  const words = { text, voice: 'nova', language: 'en-US', emotion: 'neutral', speed: 1 } as const
  const frames = await Array.fromAsync(streamSpeech({ engine: router, ...words }))
  expect(frames.length).toBeGreaterThan(100)
  expect(asked()).toEqual([1, 3])
})

test('gives the highest rate of its engines, and the same duration from each', async () => {
  const fast = createToneEngine()
  const slow = createFaultyEngine()
  const router = createSpeechRouter({
    engines: { fast, slow },
    routes: [{ voices: ['atlas'], engines: ['slow'] }, { engines: ['fast'] }],
  })
  expect(router.capabilities().sampleRateHz).toBe(16_000)
  const samples = async (voice: string) =>
    (await Array.fromAsync(router.synthesize({ ...HALF_OF_IT, voice }))).reduce(
      (sum, { length }) => sum + length,
      0,
    )
  // The slow engine's samples are the tone's, but at half its rate.
  expect(Math.abs((await samples('atlas')) - 2 * (await samples('nova')))).toBeLessThan(100)
})

test('passes the samples of a language on as they are if only engines of one rate speak it', async () => {
  const slow = createFaultyEngine()
  const fast = createToneEngine({ languages: ['ne-NP'] })
  const router = createSpeechRouter({ engines: { slow, fast } })
  expect(router.capabilities()).toMatchObject({
    sampleRateHz: 16_000,
    languages: [{ tag: 'en-US', sampleRateHz: 8000 }, { tag: 'ne-NP' }],
  })
  const [routed, own] = await Promise.all(
    [router, slow].map((engine) => Array.fromAsync(engine.synthesize(HALF_OF_IT))),
  )
  expect(routed).toEqual(own)
  const words = { text: 'Hello', voice: 'nova', language: 'EN-us', emotion: 'neutral', speed: 1 } as const
  const [stream, ownStream] = await Promise.all(
    [router, slow].map((engine) => Array.fromAsync(streamSpeech({ engine, ...words }))),
  )
  expect(stream).toEqual(ownStream)
})

test('makes pauses only if all of its engines do, so that none is heard twice', () => {
  const plain = createToneEngine()
  const pausing = { ...plain, capabilities: () => ({ ...plain.capabilities(), pauses: true }) }
  const pausesOf = (engines: SpeechRouterOptions['engines']) =>
    createSpeechRouter({ engines }).capabilities().pauses
  expect(pausesOf({ pausing })).toBe(true)
  expect(pausesOf({ pausing, plain })).toBe(false)
})

test('names an unknown engine of a route by its field', () => {
  expect(() =>
    createSpeechRouter({ engines: { tone: createToneEngine() }, routes: [{ engines: ['tone', 'none'] }] }),
  ).toThrow(expect.objectContaining({ name: 'EngineOptionsError', field: 'routes.0.engines.1' }))
  expect(() => createSpeechRouter({ engines: {} })).toThrow(expect.objectContaining({ field: 'engines' }))
})
