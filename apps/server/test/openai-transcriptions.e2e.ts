import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { LIMITS, type ModelUsage, RATE_LIMITS } from '@vaani/contracts'
import { until } from '@vaani/test-services/until'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ChatUpstream,
  proper,
  refuse,
  startChatUpstream,
  TRANSCRIPT,
  writeUpstreams,
} from './support/chat-upstream.ts'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { formOf } from './support/submissions.ts'

const PATH = '/v1/audio/transcriptions'
const SOUNDS = Buffer.from('RIFF and what was said')
const model = 'scribe'

let first: ChatUpstream
let second: ChatUpstream
let server: TestServer
let openai: OpenAI
let key: string
let folder: string
let recording: string
beforeAll(async () => {
  first = await startChatUpstream()
  second = await startChatUpstream()
  const endpoints = { 'audio/transcriptions': ['their-scribe'], 'audio/translations': ['their-scribe'] }
  const { settings, remove } = await writeUpstreams({
    upstreams: {
      first: {
        base_url: first.baseUrl,
        api_key_variable: 'MODEL_KEY',
        models: [],
        endpoints,
        max_retries: 0,
      },
      second: { base_url: second.baseUrl, models: ['chat'], endpoints, max_retries: 0 },
    },
    models: {
      scribe: [
        { upstream: 'first', model: 'their-scribe' },
        { upstream: 'second', model: 'their-scribe', weight: 0 },
      ],
      chat: [{ upstream: 'second' }],
    },
  })
  server = await startTestServer({ config: { ...settings, roles: new Set(['api']) } })
  await remove()
  key = (await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })).key
  openai = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 })
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-recording-'))
  recording = path.join(folder, 'Sita and Ram.wav')
  await writeFile(recording, SOUNDS)
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await first?.[Symbol.asyncDispose]()
  await second?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  for (const upstream of [first, second]) {
    upstream.requests.length = 0
    upstream.next.length = 0
  }
})
afterEach(async () => {
  const unsealed = path.join(server.context.settings.dataDirectory, 'unsealed')
  await until(
    async () => {
      const files = await readdir(unsealed, { recursive: true, withFileTypes: true })
      return files.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    },
    (left) => left.length === 0,
  )
})

const file = () => createReadStream(recording)
const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the official client', () => {
  test('has a recording transcribed by a model under its own name', async () => {
    const answer = await openai.audio.transcriptions.create({
      file: file(),
      model,
      language: 'ne',
      temperature: 0.2,
    })
    expect(answer).toEqual({ ...TRANSCRIPT, model })
    const [received] = first.requests
    expect(received).toMatchObject({
      url: PATH,
      headers: { authorization: 'Bearer sk-of-the-vendor' },
      body: { model: 'their-scribe', language: 'ne', temperature: '0.2' },
    })
    const sent = received?.body['file']
    expect(sent).toBeInstanceOf(File)
    expect(sent).toMatchObject({ name: 'upload.wav' })
    expect(sent instanceof File && Buffer.from(await sent.arrayBuffer())).toEqual(SOUNDS)
  })

  test('has it translated, and gets the media type of the upstream', async () => {
    expect((await openai.audio.translations.create({ file: file(), model })).text).toBe(TRANSCRIPT.text)
    const response = await openai.audio.transcriptions
      .create({ file: file(), model, response_format: 'vtt' })
      .asResponse()
    expect(response.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(await response.text()).toBe(`WEBVTT\n\n${TRANSCRIPT.text}`)
    expect(first.requests.map(({ url }) => url)).toEqual(['/v1/audio/translations', PATH])
  })

  test('gets events, and what is listed is passed on as it is', async () => {
    const events = await Array.fromAsync(
      await openai.audio.transcriptions.create({
        file: file(),
        model,
        stream: true,
        include: ['logprobs'],
        chunking_strategy: { type: 'server_vad' },
      }),
    )
    expect(events).toMatchObject([
      { type: 'transcript.text.delta', delta: 'नम' },
      { type: 'transcript.text.done', ...TRANSCRIPT },
    ])
    expect(first.requests).toMatchObject([
      { body: { stream: 'true', 'include[]': ['logprobs'], 'chunking_strategy[type]': 'server_vad' } },
    ])
  })
})

test.each([false, true])(
  'another upstream gets the whole recording if the first one fails (stream: %s)',
  async (stream) => {
    first.next.push(refuse(500))
    const asked = { file: file(), model }
    if (stream) await Array.fromAsync(await openai.audio.transcriptions.create({ ...asked, stream }))
    else await openai.audio.transcriptions.create(asked)
    const sent = second.requests[0]?.body['file']
    expect(sent instanceof File && Buffer.from(await sent.arrayBuffer())).toEqual(SOUNDS)
  },
)

test('a refusal of the model is handed on with its field and reason, without its message', async () => {
  first.next.push(refuse(400, { param: 'file', code: 'invalid_audio' }))
  const failure = await failureOf(openai.audio.transcriptions.create({ file: file(), model }))
  expect(failure).toBeInstanceOf(OpenAI.BadRequestError)
  expect(failure).toMatchObject({
    param: 'file',
    error: { details: [{ param: 'file', reason: 'invalid_audio' }] },
  })
  expect(String(failure)).not.toMatch(/their-scribe|vendor/)
  expect(second.requests).toEqual([])
})

test.each(['chat', 'nobody'])('a model that no upstream has for it is not found: %s', async (name) => {
  const failure = await failureOf(openai.audio.transcriptions.create({ file: file(), model: name }))
  expect(failure).toBeInstanceOf(OpenAI.NotFoundError)
  expect(failure).toMatchObject({
    param: 'model',
    message: expect.stringContaining(`no upstream of this server has ${PATH}`),
  })
})

describe('a form is refused', () => {
  const named: [string, string | Buffer] = ['model', model]
  test.each<[string, [string, string | Buffer][], number, string]>([
    ['without a file', [named], 400, 'file'],
    ['with text for a file', [named, ['file', 'words']], 400, 'file'],
    ['with an empty file', [named, ['file', Buffer.alloc(0)]], 400, 'file'],
    ['with two files', [named, ['file', SOUNDS], ['file', SOUNDS]], 400, 'file'],
    ['with another file', [named, ['file', SOUNDS], ['image', SOUNDS]], 400, 'image'],
    [
      'with a file that is too large',
      [['file', Buffer.alloc(LIMITS.transcriptionAudioBytes + 1)], named],
      413,
      'file',
    ],
    ['without a model', [['file', SOUNDS]], 400, 'model'],
    ['with two models', [named, named, ['file', SOUNDS]], 400, 'model'],
    ['with an unknown format', [named, ['response_format', 'odt'], ['file', SOUNDS]], 400, 'response_format'],
    [
      'with too much text',
      [named, ['prompt', 'a'.repeat(LIMITS.jsonBodyBytes)], ['file', SOUNDS]],
      413,
      'prompt',
    ],
    ['with a name that is none', [named, ['a b', 'c'], ['file', SOUNDS]], 400, 'a b'],
  ])('%s', async (_, parts, status, param) => {
    const { body, type } = formOf(parts)
    const answer = await server.json(PATH, {
      method: 'POST',
      key,
      rawBody: body,
      headers: { 'content-type': type },
    })
    expect(answer).toMatchObject({ status, body: { error: { param } } })
    expect(first.requests).toEqual([])
  })
})

test('usage is counted and the rate limited as for chats', async () => {
  const { key: own } = await server.createAccount({ tier: 'starter' })
  const client = new OpenAI({ apiKey: own, baseURL: `${server.url}/v1`, maxRetries: 0 })
  first.next.push(proper, proper, proper, refuse(400))
  const response = await client.audio.transcriptions.create({ file: file(), model }).asResponse()
  expect(response.headers.get('ratelimit-policy')).toContain(
    `"chat";q=${RATE_LIMITS.chat.rates.starter.limit};w=60`,
  )
  await Array.fromAsync(await client.audio.transcriptions.create({ file: file(), model, stream: true }))
  await client.audio.transcriptions.create({ file: file(), model, response_format: 'vtt' })
  await failureOf(client.audio.transcriptions.create({ file: file(), model }))
  const usage = await until(
    async () => (await server.json<{ data: ModelUsage[] }>('/v1/usage', { key: own })).body.data,
    (days) => days[0]?.requests === 3,
  )
  expect(usage).toMatchObject([{ model, requests_without_usage: 1, prompt_tokens: 10, completion_tokens: 4 }])
})

test('a caller who leaves is gone from the upstream too', async () => {
  const begun = Promise.withResolvers<unknown>()
  const gone = Promise.withResolvers<unknown>()
  first.next.push((response) => {
    response.once('close', gone.resolve)
    begun.resolve(undefined)
  })
  const caller = new AbortController()
  const asked = openai.audio.transcriptions.create({ file: file(), model }, { signal: caller.signal })
  asked.catch(() => undefined)
  await begun.promise
  caller.abort()
  await gone.promise
})
