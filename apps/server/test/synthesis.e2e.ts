import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { LISTED_LANGUAGES, RATE_LIMITS, synthesisDescriptorSchema } from '@vaani/contracts'
import { decodeWav, measureLoudness, measureTruePeak } from '@vaani/pcm-audio'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestRequest, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const PATH = '/v1/engine/synthesize'
const TEXT = 'Your order has arrived. You can pick it up today.'
/** Over a minute of speech, which is not kept in memory. */
const LONG_TEXT = 'This is a sentence of a long text that is spoken. '.repeat(25)

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startTestServer()
  key = (await server.createAccount({ tier: 'enterprise' })).key
})
afterAll(() => server[Symbol.asyncDispose]())

const synthesize = (body: object, request: TestRequest = {}) =>
  server.fetch(PATH, { key, body: { model: 'synth-v1', text: TEXT, ...body }, ...request })

async function wavOf(body: object): Promise<{ samples: Int16Array; seconds: number; bytes: Buffer }> {
  const response = await synthesize(body)
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  const { format, samples } = decodeWav(bytes)
  return { samples, seconds: samples.length / format.sampleRateHz, bytes }
}

describe('a file', () => {
  test('is WAV at 22.05 kHz by default, of the announced length, with a descriptor of exactly the decided fields', async () => {
    const response = await synthesize({})
    expect(response.headers.get('content-type')).toBe('audio/wav')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const { format, samples } = decodeWav(bytes)
    expect(format).toMatchObject({ sampleRateHz: 22_050, channels: 1, sampleFormat: 's16le' })
    const descriptor: unknown = JSON.parse(response.headers.get('x-synthesis-descriptor') ?? '')
    expect(descriptor).toEqual({
      request_id: response.headers.get('x-request-id'),
      model: 'synth-v1',
      voice: 'default',
      language: 'en-US',
      format: 'wav',
      sample_rate_hz: 22_050,
      duration_seconds: Math.round((samples.length / 22_050) * 1000) / 1000,
      characters: TEXT.length,
      watermark: true,
    })
  })

  test.each([
    ['mp3', 'audio/mpeg', /^fff[23]/],
    ['ogg', 'audio/ogg', /^4f676753/],
  ])('can be %s, which is streamed', async (format, mediaType, magic) => {
    const response = await synthesize({ format, sample_rate: 16_000 })
    expect(response.headers.get('content-type')).toBe(mediaType)
    expect(response.headers.get('content-length')).toBe(null)
    expect(Buffer.from(await response.arrayBuffer()).toString('hex', 0, 4)).toMatch(magic)
  })

  test.each(['wav', 'mp3'])('comes as JSON if the caller accepts that: %s', async (format) => {
    const unmarked = { format, enable_watermark: false }
    const response = await synthesize(unmarked, { headers: { accept: 'application/json' } })
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const text = await response.text()
    if (format === 'wav') expect(response.headers.get('content-length')).toBe(String(text.length))
    const { audio_b64, ...descriptor } = synthesisDescriptorSchema.parse(JSON.parse(text))
    expect(descriptor).toEqual(JSON.parse(response.headers.get('x-synthesis-descriptor') ?? ''))
    expect(descriptor.watermark).toBe(false)
    const bytes = Buffer.from(await (await synthesize(unmarked)).arrayBuffer())
    expect(Buffer.from(audio_b64 ?? '', 'base64').equals(bytes)).toBe(true)
  })

  test('is audio for a caller that accepts it beside JSON', async () => {
    const response = await synthesize({}, { headers: { accept: 'audio/*, application/json;q=0.5' } })
    expect(response.headers.get('content-type')).toBe('audio/wav')
    await response.body?.cancel()
  })

  test('is the same for the same request without a watermark, and for an idempotent retry with one', async () => {
    const bytesOf = async (body: object, headers = {}) => {
      const response = await synthesize({ format: 'ogg', ...body }, { headers })
      return { response, bytes: Buffer.from(await response.arrayBuffer()).toString('hex') }
    }
    const again = { 'idempotency-key': 'again' }
    const first = await bytesOf({}, again)
    const replay = await bytesOf({}, again)
    expect(replay.response.headers.get('idempotent-replayed')).toBe('true')
    expect(replay.bytes).toBe(first.bytes)
    expect((await bytesOf({})).bytes).not.toBe(first.bytes)
    const unmarked = { enable_watermark: false }
    expect((await bytesOf(unmarked)).bytes).toBe((await bytesOf(unmarked)).bytes)
  })

  test('follows rate, pitch, emotion and voice', async () => {
    const [plain, slow, fast, ...others] = await Promise.all(
      [
        {},
        { speaking_rate: 0.5 },
        { speaking_rate: 2 },
        { pitch_shift: 1 },
        { pitch_shift: -1 },
        { emotion: 'excited' },
        { voice: 'alt1' },
        { voice: 'alt2' },
      ].map(wavOf),
    )
    if (plain === undefined || slow === undefined || fast === undefined) throw new Error('A file is missing')
    expect(slow.seconds / plain.seconds).toBeCloseTo(2, 0)
    expect(plain.seconds / fast.seconds).toBeCloseTo(2, 0)
    const digests = new Set([plain, ...others].map(({ bytes }) => bytes.toString('base64')))
    expect(digests.size).toBe(others.length + 1)
  })

  test('leaves out markup if it is asked to', async () => {
    const [written, stripped, plain] = await Promise.all(
      [
        { text: 'Pay **$5** now.' },
        { text: 'Pay **$5** now.', markup: 'strip' },
        { text: 'Pay $5 now.' },
      ].map(async (body) => (await wavOf({ ...body, enable_watermark: false })).samples),
    )
    expect(stripped).toEqual(plain)
    expect(written).not.toEqual(plain)
  })
})

describe('every listed language', () => {
  const usual = ['ne-NP', 'zh-CN', 'ar-SA']
  test.each(thorough({ usual, long: [...LISTED_LANGUAGES] }))(
    '%s is spoken at the same loudness',
    async (language) => {
      const text =
        {
          ne: 'नमस्ते, तपाईंलाई कस्तो छ? आज मौसम राम्रो छ।',
          hi: 'नमस्ते, आप कैसे हैं? आज मौसम अच्छा है।',
          ja: 'こんにちは。おげんきですか。',
          zh: '你好，今天天气很好。',
          ar: 'مرحبا، كيف حالك اليوم؟',
          ru: 'Здравствуйте, как у вас дела?',
        }[language.slice(0, 2)] ?? 'Bananas, tomatoes, radio and piano are here.'
      const { samples } = await wavOf({ text, language })
      const options = { sampleRateHz: 22_050, channels: 1 } as const
      expect(Math.abs(measureLoudness(samples, options).integratedLufs + 20)).toBeLessThan(1)
      expect(measureTruePeak(samples, options)).toBeLessThan(-1)
    },
  )
})

describe('a request', () => {
  test.each([
    [{ text: 'a'.repeat(5001) }, 400, 'text_too_long', 'text'],
    [{ text: ' ' }, 400, 'invalid_request', 'text'],
    [{ text: '\u200b\u2060' }, 400, 'invalid_request', 'text'],
    [{ text: '\ue000' }, 400, 'invalid_request', 'text'],
    [{ text: '```\nnpm ci\n```', markup: 'strip' }, 400, 'invalid_request', 'text'],
    [{ markup: 'ssml' }, 400, 'invalid_request', 'markup'],
    [{ model: 'stream-tts' }, 400, 'invalid_request', 'model'],
    [{ voice: 'nova' }, 422, 'voice_not_found', 'voice'],
    [{ voice: 'vox_01kamx3v6pf9hr2x8c0q5d7etn' }, 422, 'voice_not_found', 'voice'],
    [{ emotion: 'angry' }, 400, 'invalid_request', 'emotion'],
    [{ speaking_rate: 2.1 }, 400, 'invalid_request', 'speaking_rate'],
    [{ pitch_shift: -1.1 }, 400, 'invalid_request', 'pitch_shift'],
    [{ format: 'flac' }, 400, 'invalid_request', 'format'],
    [{ sample_rate: 8000 }, 400, 'invalid_request', 'sample_rate'],
    [{ language: 'tlh' }, 400, 'invalid_request', 'language'],
  ])('with %j is rejected with %i %s', async (body, status, code, param) => {
    const answer = await server.json(PATH, { key, body: { model: 'synth-v1', text: TEXT, ...body } })
    expect(answer).toMatchObject({ status, body: { error: { code, param } } })
  })
})

describe('the rate limit', () => {
  test.each([
    ['starter', 'synth-v1', 'synthesis_high_fidelity'],
    ['starter', 'synth-l1', 'synthesis_light'],
    ['pro', 'synth-v1', 'synthesis_high_fidelity'],
    ['pro', 'synth-l2', 'synthesis_light'],
  ] as const)('of %s for %s is %s', async (tier, model, name) => {
    const account = await server.createAccount({ tier })
    const response = await synthesize({ text: 'Hi', model }, { key: account.key })
    const { limit } = RATE_LIMITS[name].rates[tier]
    expect(response.headers.get('ratelimit-policy')).toContain(`"${name}";q=${limit};w=60`)
    await response.body?.cancel()
  })

  test('counts each model of a limit together, apart from the others, and leaves the idempotency key free', async () => {
    const rateOverrides = { synthesis_light: { limit: 2, period_seconds: 3600 } }
    const account = await server.createAccount({ tier: 'enterprise', rateOverrides })
    const ask = (model: string, headers = {}) =>
      // An unknown voice costs no synthesis, but counts.
      server.json(PATH, { key: account.key, headers, body: { model, text: 'Hi', voice: 'none' } })
    expect((await ask('synth-l1')).status).toBe(422)
    expect((await ask('synth-l2')).status).toBe(422)
    const refused = await ask('synth-l1', { 'idempotency-key': 'later' })
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
    expect((await ask('synth-l1', { 'idempotency-key': 'later' })).status).toBe(429)
    expect((await ask('synth-v1')).status).toBe(422)
    expect((await ask('synth-x9')).status).toBe(400)
  })
})

describe('a receiver', () => {
  test('that disconnects frees the engine and its place for the next', async () => {
    const rateOverrides = { concurrent_streams: { limit: 2 } }
    const account = await server.createAccount({ tier: 'enterprise', rateOverrides })
    const ask = (text: string, signal?: AbortSignal) =>
      synthesize({ text, sample_rate: 44_100 }, { key: account.key, ...(signal && { signal }) })
    const controllers = [new AbortController(), new AbortController()]
    const responses = await Promise.all(controllers.map(({ signal }) => ask(LONG_TEXT, signal)))
    await Promise.all(responses.map((response) => response.body?.getReader().read()))
    expect((await ask('No place is left.')).status).toBe(429)
    for (const controller of controllers) controller.abort()
    const next = await until(
      () => ask('Next.'),
      ({ status }) => status === 200,
    )
    expect((await next.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })

  test('that reads slowly applies back-pressure, and gets the whole file, whose length is known before', async () => {
    const { hostname, port } = new URL(server.url)
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: PATH,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    request.end(JSON.stringify({ model: 'synth-l2', text: LONG_TEXT, sample_rate: 44_100 }))
    const [response] = await once(request, 'response')
    response.pause()
    // Another file is made while this one waits.
    expect((await wavOf({ text: 'Meanwhile.' })).seconds).toBeGreaterThan(0)
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.resume()
    await once(response, 'end')
    expect(bytes).toBeGreaterThan(60 * 88_200)
    expect(bytes).toBe(Number(response.headers['content-length']))
  })
})
