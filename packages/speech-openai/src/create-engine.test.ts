import { NEUTRAL, type SpeechEngine } from '@vaani/speech'
import { runEngineConformance } from '@vaani/speech/conformance'
import { describe, expect, test } from 'vitest'
import { createOpenAiEngine } from './create-engine.ts'
import {
  type Behaviour,
  proper,
  refuse,
  SERVER_RATE_HZ,
  type SpeechServer,
  startSpeechServer,
} from './test/speech-server.ts'
import { fails, REQUEST, say, useVendor } from './test/use-vendor.ts'

const vendor = useVendor()

describe('held to the suite', () => {
  let shared: SpeechServer
  runEngineConformance({
    name: 'a speech server',
    createEngine: async () => {
      shared ??= await startSpeechServer()
      const { baseUrl } = shared
      return createOpenAiEngine({
        baseUrl,
        model: 'tts',
        voices: { nova: 'alloy', atlas: 'onyx' },
        languages: ['en-US'],
      })
    },
    sample: { text: 'Good morning, this is a reminder.', language: 'en-US' },
  })
})

test('sends the text, the voice of the language, the speed and the additional members', async () => {
  const engine = vendor.open({ body: { instructions: 'Be kind.' } })
  await say(engine, { text: 'नमस्ते\u0001', language: 'hi-IN', prosody: { ...NEUTRAL, rate: 1.5 } })
  const manner = { instructions: 'Whisper.', prosody: { ...NEUTRAL, rate: 9 } }
  await say(engine, { voice: 'atlas', language: 'hi-IN', ...manner })
  expect(vendor.server.requests.map(({ body }) => body)).toEqual([
    {
      instructions: 'Be kind.',
      lang_code: 'h',
      model: 'tts',
      input: 'नमस्ते ',
      voice: 'hf_alpha',
      response_format: 'pcm',
      speed: 1.5,
    },
    expect.objectContaining({ voice: 'onyx', speed: 4, instructions: 'Whisper.' }),
  ])
  expect(vendor.server.requests[0]?.headers).toMatchObject({
    authorization: `Bearer sk-secret-of-the-test`,
    'content-type': 'application/json',
  })
  expect(engine.capabilities()).toEqual({
    languages: [
      { tag: 'en-US', quality: 'native' },
      { tag: 'hi-IN', quality: 'native' },
    ],
    voices: ['nova', 'atlas'],
    sampleRateHz: SERVER_RATE_HZ,
    pitch: false,
    instructions: true,
    wideRates: true,
    repeatable: false,
  })
})

test('text without a sound costs no request', async () => {
  expect((await say(vendor.open(), { text: ' … \u0000' })).length).toBe(0)
  expect(vendor.server.requests).toEqual([])
})

test('the energy scales the samples', async () => {
  const loud = await say(vendor.open())
  const soft = await say(vendor.open(), { prosody: { ...NEUTRAL, energy: 0.5 } })
  expect(Math.max(...soft)).toBe(Math.round(Math.max(...loud) / 2))
})

test('a reader that leaves closes the connection', async () => {
  vendor.server.next.push((response, pcm) => void response.write(pcm))
  for await (const _ of vendor.open().synthesize(REQUEST)) break
  await vendor.server.closed
})

test('no error contains the key or the text', async () => {
  const secrets = async (engine: SpeechEngine) => {
    const { error } = await fails(engine)
    const all: unknown[] = []
    for (let one = error; one instanceof Error; one = one.cause)
      all.push(one.message, one.stack, JSON.stringify(one))
    expect(all.length).toBeGreaterThan(0)
    for (const text of all) expect(String(text)).not.toMatch(/sk-secret|Good morning/)
  }
  const engine = vendor.open({ maxRetries: 0 })
  for (const status of [400, 401, 403, 404, 429, 500]) {
    vendor.server.next.push(refuse(status))
    await secrets(engine)
  }
  vendor.server.next.push((response) => response.destroy())
  await secrets(engine)
  await secrets(vendor.open({ maxRetries: 0, baseUrl: 'http://127.0.0.1:1/v1' }))
})

test('at most as many requests as allowed run at a time', async () => {
  let running = 0
  let most = 0
  const counted: Behaviour = (response, pcm, request) => {
    most = Math.max(most, ++running)
    response.on('close', () => running--)
    setImmediate(() => proper(response, pcm, request))
  }
  vendor.server.next.push(...Array.from({ length: 8 }, () => counted))
  const engine = vendor.open({ maxConcurrent: 2 })
  await Promise.all(Array.from({ length: 8 }, () => say(engine)))
  expect(vendor.server.requests.length).toBe(8)
  expect(most).toBe(2)
})
