import { RATE_LIMITS, speechEventSchema } from '@vaani/contracts'
import { decodeInt16, decodeWav, measureTruePeak, s16le } from '@vaani/pcm-audio'
import { NEUTRAL } from '@vaani/speech'
import { runEngineConformance } from '@vaani/speech/conformance'
import { MAX_AAC_STREAMS_PER_TENANT } from '@vaani/speech/synthesis'
import { createEngine } from '@vaani/speech-openai'
import OpenAI from 'openai'
import { thorough } from '@vaani/test-services/thorough'
import { runTool } from '@vaani/test-services/run-tool'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const PATH = '/v1/audio/speech'
const INPUT = 'Your order has arrived. You can pick it up today.'
const LONG_INPUT = 'This is a sentence of a long text that is spoken. '.repeat(80)

let server: TestServer
let key: string
let openai: OpenAI
beforeAll(async () => {
  server = await startTestServer()
  key = (await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })).key
  openai = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 })
})
afterAll(() => server?.[Symbol.asyncDispose]())

type SpeechParams = OpenAI.Audio.SpeechCreateParams
const speak = (params: Partial<SpeechParams> & { language?: string; markup?: 'strip' } = {}) =>
  openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: INPUT, ...params })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const pcmOf = async (params: Parameters<typeof speak>[0]) =>
  decodeInt16(await bytesOf(await speak({ ...params, response_format: 'pcm' })), s16le)
let plain: Promise<Int16Array> | undefined
/** What the shortest request gets, asked for once. */
const plainPcm = () => (plain ??= pcmOf({}))

/** Reads a file with ffmpeg, which fails the test if it finds a fault. */
function probe(file: Buffer) {
  const show = ['-show_entries', 'stream=codec_name,sample_rate,channels', '-of', 'json', '-i', 'pipe:0']
  const decode = ['-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-ar', '24000', 'pipe:1']
  return {
    stream: JSON.parse(runTool('ffprobe', show, file).toString()).streams[0],
    samples: decodeInt16(runTool('ffmpeg', decode, file), s16le),
  }
}

describe('the official client gets', () => {
  test('mp3 by default', async () => {
    const response = await speak()
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(response.headers.get('content-language')).toBe('en-US')
    expect((await bytesOf(response)).toString('hex', 0, 2)).toMatch(/^fff[23]$/)
  })

  test('pcm at 24 kHz, and WAV of the same samples', async () => {
    const samples = await plainPcm()
    expect(samples.length / 24_000).toBeGreaterThan(2)
    const wav = decodeWav(await bytesOf(await speak({ response_format: 'wav' })))
    expect(wav.format).toMatchObject({ sampleRateHz: 24_000, channels: 1, sampleFormat: 's16le' })
    expect(wav.samples).toEqual(samples)
  })

  test.each([
    ['mp3', 'audio/mpeg', { codec_name: 'mp3', sample_rate: '24000', channels: 1 }],
    ['opus', 'audio/ogg', { codec_name: 'opus', sample_rate: '48000', channels: 1 }],
    ['aac', 'audio/aac', { codec_name: 'aac', sample_rate: '24000', channels: 1 }],
    ['flac', 'audio/flac', { codec_name: 'flac', sample_rate: '24000', channels: 1 }],
    ['wav', 'audio/wav', { codec_name: 'pcm_s16le', sample_rate: '24000', channels: 1 }],
  ] as const)('%s that decodes to the same speech', { tags: 'ffmpeg' }, async (format, type, stream) => {
    const plain = await plainPcm()
    const response = await speak({ response_format: format })
    expect(response.headers.get('content-type')).toBe(type)
    const found = probe(await bytesOf(response))
    expect(found.stream).toMatchObject(stream)
    // LAME begins with 46 ms of silence and ends with a whole frame.
    const extraSeconds = (found.samples.length - plain.length) / 24_000
    expect(extraSeconds).toBeGreaterThan(-0.001)
    expect(extraSeconds).toBeLessThan(format === 'mp3' || format === 'aac' ? 0.15 : 0.001)
    if (format === 'flac' || format === 'wav') expect(found.samples).toEqual(plain)
    else expect(measureTruePeak(found.samples, { channels: 1 })).toBeLessThan(-1)
  })

  test.each(['mp3', 'opus', 'flac', 'wav', 'pcm'] as const)(
    '%s before it is all spoken, and leaves the engine free when it stops reading',
    async (format) => {
      const response = await speak({ input: LONG_INPUT, response_format: format })
      const reader = response.body?.getReader()
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
      await reader?.cancel()
      expect((await pcmOf({ input: 'Hi' })).length).toBeGreaterThan(0)
    },
  )

  test('server-sent events with parts of the same audio, and what was used', async () => {
    const response = await speak({ stream_format: 'sse', response_format: 'pcm' })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = (await response.text())
      .trimEnd()
      .split('\n\n')
      .map((line) => speechEventSchema.parse(JSON.parse(line.replace(/^data: /, ''))))
    const parts = events.map((event) => (event.type === 'speech.audio.delta' ? event.audio : ''))
    const audio = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')))
    expect(decodeInt16(audio, s16le)).toEqual(await plainPcm())
    const [input_tokens, output_tokens] = [INPUT.length, audio.length / 2 / 480]
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
    })
  })

  test('its models, voices, speeds and emotions, and those of ours', async () => {
    const said = await Promise.all([
      plainPcm(),
      pcmOf({ voice: 'onyx' }),
      pcmOf({ voice: 'coral' }),
      pcmOf({ voice: { id: 'atlas' } }),
      pcmOf({ instructions: 'excited' }),
      pcmOf({ speed: 0.5 }),
    ])
    expect(new Set(said.map((samples) => Buffer.from(samples.buffer).toString('base64'))).size).toBe(
      said.length,
    )
    expect((said[5]?.length ?? 0) / (said[0]?.length ?? 1)).toBeCloseTo(2, 0)
    expect(await pcmOf({ voice: 'default' })).toEqual(said[0])
    expect(await pcmOf({ model: 'synth-v1' })).toEqual(said[0])
    const sizes = await Promise.all(
      ['tts-1', 'tts-1-hd'].map(async (model) => (await bytesOf(await speak({ model }))).length),
    )
    expect(sizes[1]).toBeGreaterThan((sizes[0] ?? 0) * 1.8)
  })

  test('from tts-1 and tts-1-hd, as from OpenAI, no obedience to free instructions, and a header that says so', async () => {
    const plain = await plainPcm()
    for (const model of ['tts-1', 'tts-1-hd']) {
      const response = await speak({ model, instructions: 'Speak like a pirate.', response_format: 'pcm' })
      expect(response.headers.get('instructions-ignored')).toBe('true')
      expect(decodeInt16(await bytesOf(response), s16le)).toEqual(plain)
    }
    const followed = await speak({ instructions: ' Excited ' })
    expect(followed.headers.has('instructions-ignored')).toBe(false)
    await followed.body?.cancel()
  })

  test('text without its markup, if that is asked for', async () => {
    const stripped = await pcmOf({ input: 'Pay **now**.', markup: 'strip' })
    expect(stripped).toEqual(await pcmOf({ input: 'Pay now.' }))
    expect(stripped).not.toEqual(await pcmOf({ input: 'Pay **now**.' }))
  })

  test('the language of the script, unless it names one', async () => {
    const languageOf = async (params: Parameters<typeof speak>[0]) => {
      const response = await speak(params)
      await response.body?.cancel()
      return response.headers.get('content-language')
    }
    expect(await languageOf({ input: 'नमस्ते, तपाईंलाई कस्तो छ?' })).toBe('hi-IN')
    expect(await languageOf({ input: 'नमस्ते, तपाईंलाई कस्तो छ?', language: 'ne-NP' })).toBe('ne-NP')
    expect(await languageOf({ language: 'de' })).toBe('de-DE')
  })
})

describe('a request', () => {
  test.each([
    [{ response_format: 'amr' }, 400, 'invalid_request', 'response_format'],
    [{ model: 'gpt-4o' }, 400, 'invalid_request', 'model'],
    [{ model: 'constructor' }, 400, 'invalid_request', 'model'],
    [{ speed: 0.25 }, 400, 'invalid_request', 'speed'],
    [{ speed: 4 }, 400, 'invalid_request', 'speed'],
    [
      { model: 'gpt-4o-mini-tts', instructions: 'Speak like a pirate.' },
      400,
      'invalid_request',
      'instructions',
    ],
    [{ voice: 'nobody' }, 422, 'voice_not_found', 'voice'],
    [{ voice: { id: 'vox_01kamx3v6pf9hr2x8c0q5d7etn' } }, 422, 'voice_not_found', 'voice'],
    [{ input: 'a'.repeat(4097) }, 400, 'text_too_long', 'input'],
    [{ input: ' ' }, 400, 'invalid_request', 'input'],
    [{ input: '\ufeff\u200b' }, 400, 'invalid_request', 'input'],
    [{ input: '\ue000', response_format: 'wav' }, 400, 'invalid_request', 'input'],
    [{ input: '```\nnpm ci\n```', markup: 'strip' }, 400, 'invalid_request', 'input'],
    [{ language: 'tlh' }, 400, 'invalid_request', 'language'],
    [{ stream_format: 'ndjson' }, 400, 'invalid_request', 'stream_format'],
  ])('with %j is refused as the client expects', async (body, status, code, param) => {
    const answer = await server.json(PATH, {
      key,
      body: { model: 'tts-1', voice: 'alloy', input: INPUT, ...body },
    })
    expect(answer).toMatchObject({ status, body: { error: { code, param } } })
    const params = body as Partial<SpeechParams>
    const failure: unknown = await speak(params).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OpenAI.APIError)
    expect(failure).toMatchObject({ status, code, param, type: 'invalid_request_error' })
  })

  test('takes fields that are not known yet', async () => {
    const response = await server.fetch(PATH, {
      key,
      body: { model: 'tts-1', voice: 'alloy', input: 'Hi', newer: { field: 1 } },
    })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  test('counts toward the rate limit of speech and the concurrent streams', async () => {
    const account = await server.createAccount({
      tier: 'enterprise',
      rateOverrides: { concurrent_streams: { limit: 1 } },
    })
    const ask = (input: string, signal?: AbortSignal) =>
      server.fetch(PATH, {
        key: account.key,
        body: { model: 'tts-1', voice: 'alloy', input },
        ...(signal && { signal }),
      })
    const controller = new AbortController()
    const first = await ask(LONG_INPUT, controller.signal)
    expect(first.headers.get('ratelimit-policy')).toContain(
      `"speech";q=${RATE_LIMITS.speech.rates.enterprise.limit};w=60`,
    )
    expect((await ask('No place is left.')).status).toBe(429)
    controller.abort()
    const next = await until(
      () => ask('Next.'),
      ({ status }) => status === 200,
    )
    expect((await next.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })

  test('for more aac at a time than an account may encode says so', { tags: 'ffmpeg' }, async () => {
    const account = await server.createAccount({ tier: 'pro' })
    const ask = (response_format: string) =>
      server.fetch(PATH, {
        key: account.key,
        body: { model: 'tts-1', voice: 'alloy', input: LONG_INPUT, response_format },
      })
    const streams = await Promise.all(Array.from({ length: MAX_AAC_STREAMS_PER_TENANT }, () => ask('aac')))
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    const refused = await ask('aac')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'rate_limit_exceeded',
        param: 'response_format',
        message: 'response_format: this server encodes at most 8 streams of aac of an account at a time',
      },
    })
    const other = await ask('mp3')
    expect(other.status).toBe(200)
    for (const { body } of [...streams, other]) await body?.cancel()
  })
})

const createAdapter = () =>
  createEngine({
    baseUrl: `${server.url}/v1`,
    apiKey: key,
    model: 'tts-1',
    voices: { nova: 'nova', atlas: 'onyx' },
    languages: [{ tag: 'en-US', body: { language: 'en-US' } }],
    repeatable: true,
    // Of a busy machine.
    firstAudioTimeoutMs: 120_000,
    chunkTimeoutMs: 120_000,
  })

test('our adapter for servers of this route says what the client gets', async () => {
  const adapter = createAdapter()
  const request = { text: INPUT, voice: 'atlas', language: 'en-US', prosody: { ...NEUTRAL, energy: 1 } }
  const chunks = await Array.fromAsync(adapter.synthesize(request))
  await adapter.close()
  expect(chunks.flatMap((chunk) => [...chunk])).toEqual([...(await pcmOf({ voice: 'onyx' }))])
})

/** The adapter passes the same tests in its package, with a server of theirs. */
const runAdapterConformance = () =>
  runEngineConformance({
    name: 'our adapter for servers of this route, with this server',
    createEngine: createAdapter,
    sample: { text: 'Good morning, this is a test of speech.', language: 'en-US' },
    hostileTextCount: 84,
  })
if (thorough({ usual: false, long: true })) runAdapterConformance()
