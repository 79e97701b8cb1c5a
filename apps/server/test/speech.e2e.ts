import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { LISTED_LANGUAGES, type StreamDescriptor, streamDescriptorSchema } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestRequest, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startTestServer()
  key = (
    await server.createAccount({
      tier: 'enterprise',
      rateOverrides: { speech_stream: { limit: 10_000, period_seconds: 60 } },
    })
  ).key
})
afterAll(() => server[Symbol.asyncDispose]())

const SENTENCE = 'This is a sentence of a long text that is spoken. '
const SENTENCES = 80
const LONG_TEXT = SENTENCE.repeat(SENTENCES)

const stream = (body: object, request: TestRequest = {}) =>
  server.fetch('/v1/audio/stream', { key, body: { model: 'stream-tts', ...body }, ...request })

async function speak(
  body: object,
): Promise<{ seconds: number; samples: Int16Array; descriptor: StreamDescriptor }> {
  const response = await stream(body)
  expect(response.status).toBe(200)
  const bytes = await response.arrayBuffer()
  const descriptor = streamDescriptorSchema.parse(
    JSON.parse(response.headers.get('x-stream-descriptor') ?? ''),
  )
  return { seconds: bytes.byteLength / 32_000, samples: new Int16Array(bytes), descriptor }
}

describe('a stream', () => {
  test('consists of complete 20 ms frames of 16 kHz mono, with a descriptor of exactly the specified fields', async () => {
    const response = await stream({ input: 'Hello there.' })
    expect(response.headers.get('content-type')).toBe('audio/pcm;rate=16000;channels=1;format=s16le')
    const descriptor: unknown = JSON.parse(response.headers.get('x-stream-descriptor') ?? '')
    expect(Object.keys(descriptor as object).toSorted()).toEqual([
      'first_byte_ms',
      'format',
      'model',
      'note',
      'request_id',
      'sample_rate_hz',
      'voice',
    ])
    expect(descriptor).toMatchObject({
      format: 'pcm16',
      sample_rate_hz: 16_000,
      model: 'stream-tts',
      voice: 'nova',
      request_id: response.headers.get('x-request-id'),
    })
    const bytes = await response.arrayBuffer()
    expect(bytes.byteLength).toBeGreaterThan(640)
    expect(bytes.byteLength % 640).toBe(0)
  })

  test('can be requested as WAV, for players', async () => {
    const response = await stream({ input: 'Hello.' }, { headers: { accept: 'audio/wav' } })
    expect(response.headers.get('content-type')).toBe('audio/wav')
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF')
  })

  test('follows the speed', async () => {
    const input = 'The quick brown fox jumps over the lazy dog, and runs away.'
    const [slow, normal, fast] = await Promise.all([
      speak({ input, speed: 0.5 }),
      speak({ input }),
      speak({ input, speed: 2 }),
    ])
    expect(slow.seconds).toBeGreaterThan(normal.seconds * 1.6)
    expect(fast.seconds).toBeLessThan(normal.seconds * 0.7)
  })

  test('sounds different for each voice and emotion', async () => {
    const input = 'Your order has arrived. You can pick it up today.'
    const variants = await Promise.all(
      [{ voice: 'nova' }, { voice: 'atlas' }, { emotion: 'excited' }, { emotion: 'calm' }].map((body) =>
        speak({ input, ...body }),
      ),
    )
    const digests = new Set(variants.map(({ samples }) => Buffer.from(samples.buffer).toString('base64')))
    expect(digests.size).toBe(variants.length)
  })

  test('is generated again for an idempotent retry, and marked as a replay', async () => {
    const once = () => stream({ input: 'Say it again.' }, { headers: { 'idempotency-key': 'say-again' } })
    const first = await once()
    const firstBytes = await first.arrayBuffer()
    const second = await once()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(Buffer.from(await second.arrayBuffer()).equals(Buffer.from(firstBytes))).toBe(true)
  })

  test('is the same for the same request, whatever others synthesize meanwhile', async () => {
    const say = async () =>
      Buffer.from((await speak({ input: 'This is how it sounds, six times.' })).samples.buffer)
    const before = await say()
    const hostile = [
      '\u000199H\u00012F\u000119T hello',
      '\u000110A quiet',
      '[[h@l]] <prosody rate="300%" volume="silent">',
      '\u0001Vde guten Tag',
    ]
    // More requests than threads, so that each thread has spoken some.
    await Promise.all(hostile.concat(hostile, hostile).map((input) => speak({ input })))
    const after = await Promise.all(Array.from({ length: 6 }, say))
    expect(after.every((bytes) => bytes.equals(before))).toBe(true)
  })

  test('speaks text that looks like markup', async () => {
    const [marked, plain, entity] = await Promise.all([
      speak({ input: 'one <break time="9s"/> two' }),
      speak({ input: 'one two' }),
      speak({ input: 'AT&T if x<y then z' }),
    ])
    expect(marked.seconds).toBeGreaterThan(plain.seconds * 1.5)
    expect(marked.seconds).toBeLessThan(9)
    expect(entity.seconds).toBeGreaterThan(1)
    const [lists, listed] = await Promise.all([
      speak({ input: 'The array [[1,2],[3,4]] is here.' }),
      speak({ input: 'The array 1,2, 3,4 is here.' }),
    ])
    expect(lists.seconds).toBeGreaterThan(listed.seconds * 0.85)
  })
})

describe('every listed language', () => {
  test.each([...LISTED_LANGUAGES])('%s results in speech or a clear 400', async (language) => {
    const input =
      { ne: 'नमस्ते', hi: 'नमस्ते', ja: 'こんにちは', zh: '你好', ar: 'مرحبا', ru: 'Здравствуйте' }[
        language.slice(0, 2)
      ] ?? 'Hello'
    const response = await stream({ input, language })
    if (response.status === 200) {
      const samples = new Int16Array(await response.arrayBuffer())
      expect(samples.some((sample) => Math.abs(sample) > 500)).toBe(true)
    } else
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', param: 'language' } })
  })

  test('of a region is spoken with the nearest accent, its text by the rules of the region', async () => {
    const inEnglishOf = (region: string) => speak({ input: 'Due on 03/04/2025.', language: `en-${region}` })
    const [india, britain, america] = await Promise.all(['IN', 'GB', 'US'].map(inEnglishOf))
    expect(india?.samples).toEqual(britain?.samples)
    expect(india?.samples).not.toEqual(america?.samples)
    expect(india?.descriptor.note).toContain('accent')
    for (const language of ['zh-HK', 'sr-Latn-RS', 'hi-Latn'])
      expect((await stream({ input: 'Hi', language })).status, language).toBe(400)
  })

  test('is listed with its quality', async () => {
    const { body } = await server.json<{
      data: { language: string; quality: string; note?: string; text_rules: boolean }[]
    }>('/v1/engine/languages', { key })
    const byTag = new Map(body.data.map((entry) => [entry.language, entry]))
    for (const tag of LISTED_LANGUAGES) expect(byTag.get(tag)?.text_rules, tag).toBe(true)
    // The engine reads their digits, and their dates as digits.
    for (const tag of ['it-IT', 'ko-KR', 'tr-TR']) expect(byTag.get(tag)?.text_rules, tag).toBe(false)
    expect(byTag.get('en-AU')).toMatchObject({ quality: 'fallback', note: expect.any(String) })
    expect(byTag.get('ja-JP')).toMatchObject({ quality: 'degraded', note: expect.any(String) })
    for (const tag of ['en-IN', 'en-NZ', 'de-AT', 'de-CH', 'fr-CH', 'es-AR', 'es-419', 'pt-AO', 'zh-SG'])
      expect(byTag.get(tag), tag).toMatchObject({
        quality: 'fallback',
        text_rules: true,
        note: expect.stringContaining('accent'),
      })
    for (const tag of ['zh-HK', 'yue-HK', 'pa-PK']) expect(byTag.has(tag), tag).toBe(false)
    expect(byTag.size).toBe(body.data.length)
  })
})

describe('a request', () => {
  test.each([
    [{ input: 'a'.repeat(4097) }, 400, 'text_too_long', 'input'],
    [{ input: '' }, 400, 'invalid_request', 'input'],
    [{ input: 'Hello', voice: 'siri' }, 422, 'voice_not_found', 'voice'],
    [{ input: 'Hello', voice: 'vox_01kamx3v6pf9hr2x8c0q5d7etn' }, 422, 'voice_not_found', 'voice'],
    [{ input: 'Hello', emotion: 'angry' }, 400, 'invalid_request', 'emotion'],
    [{ input: 'Hello', speed: 2.1 }, 400, 'invalid_request', 'speed'],
    [{ input: 'Hello', format: 'mp3' }, 400, 'invalid_request', 'format'],
    [{ input: 'Hello', language: 'tlh' }, 400, 'invalid_request', 'language'],
    [{ input: 'Hello', model: 'synth-v1' }, 400, 'invalid_request', 'model'],
  ])('with %j is rejected with %i %s', async (body, status, code, param) => {
    const answer = await server.json('/v1/audio/stream', { key, body: { model: 'stream-tts', ...body } })
    expect(answer).toMatchObject({ status, body: { error: { code, param } } })
  })

  test('may have 4096 characters outside the basic plane', async () => {
    const response = await stream({ input: '😀'.repeat(4096) })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })
})

describe('the rate limit', () => {
  test.each([
    ['starter', 50],
    ['pro', 500],
  ] as const)('is that of the tier %s: %i per minute', async (tier, limit) => {
    const account = await server.createAccount({ tier })
    const response = await stream({ input: 'Hi' }, { key: account.key })
    expect(response.headers.get('ratelimit-policy')).toContain(`"speech_stream";q=${limit};w=60`)
    await response.body?.cancel()
  })

  test('rejects the 51st request for Starter', async () => {
    const account = await server.createAccount({ tier: 'starter' })
    // An unknown voice costs no synthesis, but counts.
    const body = { model: 'stream-tts', input: 'Hi', voice: 'none' }
    for (let index = 0; index < 50; index++)
      expect((await server.json('/v1/audio/stream', { key: account.key, body })).status).toBe(422)
    expect(await server.json('/v1/audio/stream', { key: account.key, body })).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limit_exceeded' } },
    })
  })
})

describe('a receiver', () => {
  test('that disconnects frees the engine for the next', async () => {
    const controllers = Array.from({ length: 10 }, () => new AbortController())
    const responses = await Promise.all(
      controllers.map(({ signal }) => stream({ input: LONG_TEXT }, { signal })),
    )
    await Promise.all(responses.map((response) => response.body?.getReader().read()))
    for (const controller of controllers) controller.abort()
    expect((await speak({ input: 'Next.' })).seconds).toBeGreaterThan(0)
  })

  test('that reads slowly applies back-pressure, and gets the whole stream', async () => {
    const { hostname, port } = new URL(server.url)
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/v1/audio/stream',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    request.end(JSON.stringify({ model: 'stream-tts', input: LONG_TEXT }))
    const [response] = await once(request, 'response')
    response.pause()
    // Another stream is served while this one waits.
    expect((await speak({ input: 'Meanwhile.' })).seconds).toBeGreaterThan(0)
    const before = process.memoryUsage().rss
    await until(
      async () => process.memoryUsage().rss - before,
      (growth) => growth < 64 * 1024 * 1024,
    )
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.resume()
    await once(response, 'end')
    const secondsOf = async (count: number) => (await speak({ input: SENTENCE.repeat(count) })).seconds
    const [few, more] = [await secondsOf(4), await secondsOf(12)]
    // Each further sentence lasts as long. One lasts almost three seconds.
    const whole = more + ((more - few) / 8) * (SENTENCES - 12)
    expect(Math.abs(bytes / 32_000 - whole)).toBeLessThan(1)
  })
})
