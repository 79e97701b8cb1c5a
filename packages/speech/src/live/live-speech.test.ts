import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SpeechEngine } from '../engine.ts'
import { createSpeechPacer } from '../stream/pacer.ts'
import { SpeechError } from '../speech-error.ts'
import { streamSpeech } from '../stream/stream-speech.ts'
import { createToneEngine } from '../tone.ts'
import {
  createLiveSpeech,
  type LiveSpeech,
  type LiveSpeechEvent,
  type LiveSpeechOptions,
} from './live-speech.ts'
import type { LiveMessage } from './script.ts'

const SETTINGS = { voice: 'nova', language: 'en-US', emotion: 'neutral', speed: 1 } as const
const FRAME_MS = 20

function open(more: Partial<LiveSpeechOptions> = {}): LiveSpeech {
  return createLiveSpeech({ engine: createToneEngine(), ...SETTINGS, ...more })
}
const say = (speech: LiveSpeech, ...messages: (string | LiveMessage)[]): void => {
  for (const message of messages)
    speech.hear(typeof message === 'string' ? { type: 'speak', text: message } : message)
}
async function read(speech: LiveSpeech, until?: LiveSpeechEvent['type']): Promise<LiveSpeechEvent[]> {
  const events: LiveSpeechEvent[] = []
  for (let event = await speech.next(); event !== undefined; event = await speech.next()) {
    events.push(event)
    if (event.type === until) break
  }
  return events
}
const samplesOf = (events: readonly LiveSpeechEvent[]): number[] =>
  events.flatMap((event) => (event.type === 'audio' ? [...event.samples] : []))
const named = (events: readonly LiveSpeechEvent[]): string[] =>
  events
    .map((event) => (event.type === 'mark' ? `${event.kind} ${event.text}` : event.type))
    .filter((name, index, names) => name !== 'audio' || names[index - 1] !== 'audio')

test('the audio of any pieces is that of the whole text as a stream', async () => {
  const text = 'One two. Three is $5. And four'
  const engine = createToneEngine()
  const whole = (await Array.fromAsync(streamSpeech({ engine, text, ...SETTINGS }))).flatMap((frame) => [
    ...frame,
  ])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 6 }), async (cuts) => {
      const speech = open({ engine })
      const at = [0, ...cuts.toSorted((one, other) => one - other), text.length]
      say(speech, ...at.slice(1).map((end, index) => text.slice(at[index], end)), { type: 'end' })
      expect(samplesOf(await read(speech))).toEqual(whole)
    }),
    { numRuns: 10 },
  )
})

test('marks precede the audio in which phrases and words begin, as they were written', async () => {
  const speech = open()
  say(speech, 'Pay $5 now. Tha', 'nks', { type: 'end' })
  const events = await read(speech)
  expect(named(events)).toEqual([
    'phrase Pay $5 now.',
    'word Pay',
    'audio',
    'word $5',
    'audio',
    'word now.',
    'audio',
    'phrase Thanks',
    'word Thanks',
    'audio',
    'ended',
  ])
  let sentMs = 0
  for (const event of events)
    if (event.type === 'audio') sentMs += (event.samples.length / 320) * FRAME_MS
    else if (event.type === 'mark') {
      // The resampler and the framer hold back less than a frame each.
      expect(event.atMs).toBeGreaterThanOrEqual(sentMs - FRAME_MS)
      expect(event.atMs).toBeLessThan(sentMs + 600)
    }
  // 60 ms for each character of "Pay 5 dollars now.", then the pause of a sentence.
  const marks = events.flatMap((event) => (event.type === 'mark' ? [event.atMs] : []))
  expect(marks).toEqual([0, 0, 240, 840, 1370, 1370])
  expect(events.at(-1)).toEqual({ type: 'ended', durationMs: sentMs })
})

test('answers each flush after everything before it', async () => {
  const speech = open()
  say(speech, 'One', { type: 'flush' }, { type: 'flush' }, 'Two.', { type: 'flush' }, { type: 'end' })
  expect(named(await read(speech))).toEqual([
    'phrase One',
    'word One',
    'audio',
    'flushed',
    'flushed',
    'phrase Two.',
    'word Two.',
    'audio',
    'flushed',
    'ended',
  ])
})

test('a cancel is answered at once, after the flushes that are due', async () => {
  const speech = open()
  say(speech, 'One is quite long. ', { type: 'flush' }, 'Two. ', { type: 'flush' }, 'Three')
  const heard = await read(speech, 'audio')
  say(speech, { type: 'cancel' }, 'Four.', { type: 'end' })
  const [first, second, third, ...rest] = await read(speech)
  const atMs = (samplesOf(heard).length / 320) * FRAME_MS
  expect([first, second, third]).toEqual([
    { type: 'flushed' },
    { type: 'flushed' },
    { type: 'canceled', atMs },
  ])
  expect(rest[0]).toEqual({ type: 'mark', kind: 'phrase', text: 'Four.', atMs })
  expect(named(rest)).toEqual(['phrase Four.', 'word Four.', 'audio', 'ended'])
})

test('an order of messages is answered in this order, and nothing of a canceled text follows its answer', async () => {
  const message = fc.oneof(
    fc.constantFrom<LiveMessage>({ type: 'flush' }, { type: 'cancel' }, { type: 'emotion', emotion: 'calm' }),
    fc.nat(9).map((digit): LiveMessage => ({ type: 'speak', text: `Say ${digit}. ` })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(message, fc.nat(3)), { maxLength: 14 }), async (messages) => {
      const speech = open()
      const due: string[] = []
      const events: LiveSpeechEvent[] = []
      let marks = 0
      for (const [one, reads] of messages) {
        speech.hear(one)
        if (one.type === 'flush') due.push('flushed')
        if (one.type === 'cancel') due.push('canceled')
        // Reads only what is sure to come.
        for (let read = 0; read < reads && due.length > named(events).filter(isAnswer).length; read++) {
          const event = await speech.next()
          if (event !== undefined) events.push(event)
        }
      }
      speech.hear({ type: 'end' })
      events.push(...(await read(speech)))
      const said = messages.flatMap(([one]) => (one.type === 'speak' ? [one.text.trim()] : []))
      for (const event of events)
        if (event.type === 'mark' && event.kind === 'phrase') {
          const at = said.indexOf(event.text, marks)
          expect(at).toBeGreaterThanOrEqual(marks)
          marks = at + 1
        }
      expect(named(events).filter(isAnswer)).toEqual([...due, 'ended'])
      let total = 0
      for (const event of events)
        if (event.type === 'audio') total += (event.samples.length / 320) * FRAME_MS
        else if (event.type === 'canceled') expect(event.atMs).toBe(total)
      expect(events.at(-1)).toEqual({ type: 'ended', durationMs: total })
    }),
    { numRuns: 60 },
  )
})
const isAnswer = (name: string): boolean => /^(flushed|canceled|ended)$/.test(name)

/** Counts the requests to an engine, total and active, with their priorities. */
function counting(engine = createToneEngine()) {
  const asked: string[] = []
  let active = 0
  const counted: SpeechEngine = {
    ...engine,
    async *synthesize(request, options) {
      asked.push(options?.priority ?? '')
      active++
      try {
        yield* engine.synthesize(request, options)
      } finally {
        active--
      }
    },
  }
  return { engine: counted, asked, active: () => active }
}
const turns = async (count = 2000): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
const LONG = 'This is a sentence that takes its time to be spoken to the end. '

test('is at most 3 s and a phrase ahead of a slow reader, and then holds no engine', async () => {
  const { engine, asked, active } = counting()
  const speech = open({ engine })
  say(speech, LONG.repeat(20))
  await speech.next()
  await turns()
  expect(asked.length).toBeLessThanOrEqual(2)
  expect(active()).toBe(0)
  expect(speech.waitingUnits()).toBeGreaterThan(17 * LONG.length)
})

test('synthesizes the next phrase while one is played, and precedes others only if the listener hears nothing', async () => {
  let now = 0
  const { engine, asked } = counting()
  const speech = open({ engine, pacer: createSpeechPacer(() => now) })
  say(speech, LONG.repeat(3), { type: 'flush' })
  await read(speech, 'flushed')
  expect(asked).toEqual(['first', 'later', 'later'])
  expect(speech.aheadMs()).toBeGreaterThan(10_000)
  now = 60_000
  expect(speech.aheadMs()).toBe(0)
  say(speech, 'Again.', { type: 'flush' })
  await read(speech, 'flushed')
  expect(asked.at(-1)).toBe('first')
})

test('a cancel and a close free the engine', async () => {
  const { engine, active } = counting()
  const speech = open({ engine })
  for (const stop of [() => say(speech, { type: 'cancel' }), () => speech.close()]) {
    say(speech, LONG.repeat(3))
    await read(speech, 'audio')
    expect(active()).toBe(1)
    stop()
    await turns(5)
    expect(active()).toBe(0)
  }
  expect(await speech.next()).toBe(undefined)
})

test('a close ends a read that waits', async () => {
  const speech = open()
  const waiting = speech.next()
  speech.close()
  expect(await waiting).toBe(undefined)
})

test('an engine that fails ends the speech after what was made, unless it is canceled', async () => {
  const tone = createToneEngine()
  const engine: SpeechEngine = {
    ...tone,
    async *synthesize(request, options) {
      yield* tone.synthesize(request, options)
      if (request.text.startsWith('Bad')) throw new SpeechError('engine_failed', 'The engine failed')
    },
  }
  const speech = open({ engine })
  say(speech, 'Bad. ', { type: 'flush' })
  await turns(20)
  say(speech, { type: 'cancel' }, 'Good. ', { type: 'flush' })
  expect(named(await read(speech, 'flushed'))).toContain('flushed')
  say(speech, 'Bad. ', { type: 'end' })
  await expect(read(speech)).rejects.toMatchObject({ code: 'engine_failed' })
})

test('refuses an unknown voice or language', () => {
  expect(() => open({ voice: 'siri' })).toThrow('voice')
  expect(() => open({ language: 'tlh' })).toThrow('language')
})
