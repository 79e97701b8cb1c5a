import { createOpenAI } from '@ai-sdk/openai'
import { once } from 'node:events'
import { chatCompletionChunkSchema, chatCompletionSchema, type ModelUsage } from '@vaani/contracts'
import { streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Behaviour,
  type ChatUpstream,
  chunkOf,
  eventOf,
  proper,
  refuse,
  startChatUpstream,
  USAGE,
  writeUpstreams,
} from './support/chat-upstream.ts'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const PATH = '/v1/chat/completions'
const WORDS = 'The parcel has arrived.'
const messages = [{ role: 'user' as const, content: WORDS }]

let first: ChatUpstream
let second: ChatUpstream
let server: TestServer
let key: string
let openai: OpenAI
beforeAll(async () => {
  first = await startChatUpstream()
  second = await startChatUpstream()
  const { settings, remove } = await writeUpstreams({
    upstreams: {
      first: {
        base_url: first.baseUrl,
        api_key_variable: 'MODEL_KEY',
        models: ['their-large'],
        max_retries: 0,
      },
      second: {
        base_url: second.baseUrl,
        models: ['other/large'],
        endpoints: {
          embeddings: ['other/large'],
          completions: ['other/large'],
          moderations: ['other/large'],
          'images/generations': ['other/large'],
        },
        max_retries: 0,
      },
    },
    models: {
      'chat-large': [
        { upstream: 'first', model: 'their-large' },
        { upstream: 'second', model: 'other/large', weight: 0 },
      ],
      'other/large': [{ upstream: 'second' }],
    },
  })
  server = await startTestServer({ config: { ...settings, roles: new Set(['api']) } })
  await remove()
  key = (await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })).key
  openai = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await first?.[Symbol.asyncDispose]()
  await second?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  for (const upstream of [first, second]) {
    upstream.requests.length = 0
    upstream.next.length = 0
  }
})

type Params = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>
const chat = (params: Params = {}) =>
  openai.chat.completions.create({ model: 'chat-large', messages, ...params })
const stream = (params: Partial<OpenAI.ChatCompletionCreateParamsStreaming> = {}) =>
  openai.chat.completions.create({ model: 'chat-large', messages, ...params, stream: true })
const textOf = (chunks: readonly OpenAI.ChatCompletionChunk[]) =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the official client', () => {
  test('gets an answer under the name that it used, and the upstream its own name and key', async () => {
    const { _request_id, ...answer } = await chat({ seed: 7, metadata: { deep: 'x' } })
    expect(chatCompletionSchema.parse(answer)).toEqual(answer)
    expect(answer).toMatchObject({
      id: 'chatcmpl-7',
      model: 'chat-large',
      choices: [{ message: { content: WORDS, annotations: [] }, finish_reason: 'stop' }],
      usage: USAGE,
      service_tier: 'default',
    })
    expect(first.requests).toEqual([
      {
        method: 'POST',
        url: PATH,
        headers: expect.objectContaining({ authorization: 'Bearer sk-of-the-vendor' }),
        body: { model: 'their-large', messages, seed: 7, metadata: { deep: 'x' } },
      },
    ])
    expect(await chat({ n: 3 })).toMatchObject({ choices: [{ index: 0 }, { index: 1 }, { index: 2 }] })
  })

  test('has the tools that are allowed passed on', async () => {
    const tool = { type: 'function' as const, function: { name: 'weather' } }
    const tool_choice: OpenAI.ChatCompletionToolChoiceOption = {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ ...tool }] },
    }
    await chat({ tools: [tool], tool_choice })
    expect(first.requests).toMatchObject([{ body: { tools: [tool], tool_choice } }])
  })

  test('gets a stream, with usage only if it asked', async () => {
    const chunks = await Array.fromAsync(await stream())
    expect(chunks.map((chunk) => chatCompletionChunkSchema.parse(chunk))).toEqual(chunks)
    expect(textOf(chunks)).toBe(WORDS)
    expect(chunks.every(({ model }) => model === 'chat-large')).toBe(true)
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false)
    const asked = await Array.fromAsync(await stream({ stream_options: { include_usage: true } }))
    expect(textOf(asked)).toBe(WORDS)
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: USAGE })
    expect(asked.length).toBe(chunks.length + 1)
  })

  test('gets each chunk as soon as the upstream sends it', async () => {
    const isRead = Promise.withResolvers<void>()
    first.next.push(async (response) => {
      response.write(eventOf(chunkOf({ content: 'One ' })))
      await isRead.promise
      response.end(eventOf(chunkOf({ content: 'two' }, 'stop')) + eventOf('[DONE]'))
    })
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of await stream()) {
      chunks.push(chunk)
      isRead.resolve()
    }
    expect(textOf(chunks)).toBe('One two')
  })

  test('has its tools called by its helper, with and without a stream', async () => {
    const tool = {
      type: 'function' as const,
      function: {
        name: 'weather',
        description: 'Tells the weather.',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        parse: JSON.parse,
        function: ({ city }: { city: string }) => `Rain in ${city}.`,
      },
    }
    const params = { model: 'chat-large', messages, tools: [tool] }
    expect(await openai.chat.completions.runTools(params).finalContent()).toBe('Rain in Pokhara.')
    const streamed = openai.chat.completions.runTools({ ...params, stream: true })
    expect(await streamed.finalContent()).toBe('Rain in Pokhara.')
  })

  test('lists and retrieves models, also with a slash in their name', async () => {
    const { data } = await openai.models.list()
    expect(data.slice(0, 2).map(({ id }) => id)).toEqual(['chat-large', 'other/large'])
    expect(data).toContainEqual({
      id: 'synth-v1',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'vaani',
    })
    for (const { created } of data) expect(new Date(created * 1000).getFullYear()).toBeGreaterThan(2025)
    expect(await openai.models.retrieve('other/large')).toMatchObject(data[1] ?? {})
    await expect(openai.models.retrieve('their-large')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  test.each<[string, Parameters<typeof refuse>, new (...args: never[]) => Error, object]>([
    [
      'a refusal with the field and the reason',
      [400, { param: 'messages', code: 'context_length_exceeded' }],
      OpenAI.BadRequestError,
      {
        status: 400,
        code: 'invalid_request',
        param: 'messages',
        error: expect.objectContaining({
          details: [
            { param: 'messages', message: 'was refused by the model', reason: 'context_length_exceeded' },
          ],
        }),
      },
    ],
    [
      'a refusal that says nothing',
      [422, {}],
      OpenAI.BadRequestError,
      { code: 'invalid_request', param: null },
    ],
  ])('understands %s', async (_, refusal, type, error) => {
    for (const ask of [chat, stream]) {
      first.next.push(refuse(...refusal))
      const failure = await failureOf(ask())
      expect(failure).toBeInstanceOf(type)
      expect(failure).toMatchObject(error)
      expect(String(failure)).not.toMatch(/parcel|vendor/)
    }
    expect(second.requests).toEqual([])
  })

  test('understands unknown models and invalid parameters', async () => {
    const unknown = await failureOf(chat({ model: 'their-large' }))
    expect(unknown).toBeInstanceOf(OpenAI.NotFoundError)
    expect(unknown).toMatchObject({ param: 'model' })
    expect(await failureOf(chat({ n: 0 }))).toMatchObject({ status: 400, param: 'n' })
    expect(await failureOf(chat({ messages: [] }))).toMatchObject({ status: 400, param: 'messages' })
  })
})

test('another upstream answers if the first one fails, and both failures are an error', async () => {
  first.next.push(refuse(500), (response) => response.destroy(), refuse(401))
  expect((await chat()).choices[0]?.message.content).toBe(WORDS)
  expect(textOf(await Array.fromAsync(await stream()))).toBe(WORDS)
  second.next.push(refuse(500))
  const failure = await failureOf(chat())
  expect(failure).toBeInstanceOf(OpenAI.InternalServerError)
  expect(failure).toMatchObject({ status: 503, code: 'service_unavailable' })
  expect(server.context.events.counts()).toMatchObject({ upstream_failed: 4 })
  await chat()
})

test('responses go to another upstream too, and one that breaks off is an error to each client', async () => {
  first.next.push(refuse(500))
  expect((await openai.responses.create({ model: 'chat-large', input: WORDS })).output_text).toBe(WORDS)
  expect(second.requests).toMatchObject([{ body: { model: 'other/large', messages } }])
  const breakOff: Behaviour = (response) =>
    response.write(eventOf(chunkOf({ content: 'One ' })), () => response.destroy())
  first.next.push(breakOff, breakOff)
  const events: OpenAI.Responses.ResponseStreamEvent[] = []
  const failure = await failureOf(
    (async () => {
      const asked = { model: 'chat-large', input: WORDS, stream: true as const }
      for await (const event of await openai.responses.create(asked)) events.push(event)
    })(),
  )
  expect(events.at(-1)).toMatchObject({ type: 'response.output_text.delta', delta: 'One ' })
  expect(failure).toBeInstanceOf(OpenAI.APIError)
  expect(failure).toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('model failed'),
  })
  const sdk = createOpenAI({ apiKey: key, baseURL: `${server.url}/v1` })
  const { fullStream } = streamText({
    model: sdk('chat-large'),
    prompt: WORDS,
    maxRetries: 0,
    onError: () => {},
  })
  const parts = await Array.fromAsync(fullStream)
  expect(parts.filter(({ type }) => type === 'error')).toHaveLength(1)
})

test('what only an upstream has is passed on to it, counted, and else not found', async () => {
  const model = 'chat-large'
  const embedded = await openai.embeddings.create({ model, input: 'Good', encoding_format: 'float' })
  expect(embedded).toMatchObject({ model, data: [{ embedding: [0.25, -0.5] }] })
  const completed = await openai.completions.create({ model, prompt: 'Good' })
  expect(completed.choices[0]?.text).toBe(' morning.')
  const streamed = await Array.fromAsync(
    await openai.completions.create({ model, prompt: 'Good', stream: true }),
  )
  expect(streamed.map(({ choices }) => choices[0]?.text).join('')).toBe(' morning.')
  expect((await openai.moderations.create({ model, input: 'Good' })).results).toEqual([{ flagged: false }])
  expect((await openai.images.generate({ model, prompt: 'Good' })).data).toEqual([{ b64_json: 'AAAA' }])
  expect(first.requests).toEqual([])
  expect(second.requests).toMatchObject([
    { url: '/v1/embeddings', body: { model: 'other/large', input: 'Good' } },
    ...Array.from({ length: 2 }, () => ({ url: '/v1/completions' })),
    { url: '/v1/moderations' },
    { url: '/v1/images/generations' },
  ])
  // The official client needs no model for this.
  const unnamed = await failureOf(openai.moderations.create({ input: 'Good' }))
  expect(unnamed).toMatchObject({ status: 404, param: 'model' })
  const missing = await failureOf(openai.embeddings.create({ model: 'their-large', input: 'Good' }))
  expect(missing).toBeInstanceOf(OpenAI.NotFoundError)
  expect(missing).toMatchObject({
    param: 'model',
    message: expect.stringContaining('no upstream of this server has /v1/embeddings'),
  })
  const asStream = await server.fetch('/v1/embeddings', { key, body: { model, input: 'Good', stream: true } })
  expect(await asStream.json()).toMatchObject({ model, object: 'list' })
  second.next.push(refuse(400, { param: 'dimensions' }))
  const refused = await failureOf(openai.embeddings.create({ model, input: 'Good', dimensions: 9 }))
  expect(refused).toMatchObject({ status: 400, param: 'dimensions' })
})

test('what is not served is not found, with what is there instead', async () => {
  const file = new File(['{}'], 'requests.jsonl')
  const asked: [() => Promise<unknown>, string][] = [
    [() => openai.files.create({ file, purpose: 'batch' }), 'POST /v1/batch'],
    [async () => openai.batches.list(), 'POST /v1/batch'],
    [
      () => openai.audio.transcriptions.create({ file, model: 'chat-large' }),
      'no upstream of this server has /v1/audio/transcriptions',
    ],
    [() => openai.responses.retrieve('resp_1'), 'responses are not stored'],
    [async () => openai.vectorStores.list(), 'There is no such route'],
  ]
  for (const [ask, hint] of asked) {
    const failure = await failureOf(ask())
    expect(failure).toBeInstanceOf(OpenAI.NotFoundError)
    expect(failure).toMatchObject({ code: 'not_found', message: expect.stringContaining(hint) })
  }
})

test('429 and Retry-After of an upstream are handed on', async () => {
  const busy = refuse(429, {}, { 'retry-after': '7' })
  const params = { model: 'other/large', messages }
  for (const asked of [params, { ...params, stream: true }]) {
    // The router rests for as long as the upstream asks.
    second.next.push(busy)
    const { status, body, headers } = await server.json<{ error: object }>(PATH, { key, body: asked })
    expect({ status, body }).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(6)
  }
  expect(second.requests.length).toBe(1)
})

test('a model that fails within a stream ends it with an error', async () => {
  first.next.push((response) =>
    response.write(eventOf(chunkOf({ content: 'One ' })), () => response.destroy()),
  )
  const chunks: OpenAI.ChatCompletionChunk[] = []
  const failure = await failureOf(
    (async () => {
      for await (const chunk of await stream()) chunks.push(chunk)
    })(),
  )
  expect(textOf(chunks)).toBe('One ')
  expect(failure).toBeInstanceOf(OpenAI.APIError)
  expect(failure).toMatchObject({ code: 'service_unavailable', type: 'api_error' })
})

test('a stream sends headers and signs of life while the model thinks, then the answer or the error', async () => {
  const thoughts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  first.next.push(
    async (response) => {
      await thoughts[0]?.promise
      response.end(eventOf(chunkOf({ content: WORDS }, 'stop')) + eventOf('[DONE]'))
    },
    async (response) => {
      await thoughts[1]?.promise
      response.destroy()
    },
  )
  // Returns with the headers, which the model has not caused.
  const answered = await stream()
  thoughts[0]?.resolve()
  expect(textOf(await Array.fromAsync(answered))).toBe(WORDS)

  second.next.push(refuse(500))
  const broken = await server.fetch(PATH, {
    key,
    body: { model: 'chat-large', messages, stream: true },
  })
  expect(broken.headers.get('content-type')).toBe('text/event-stream')
  thoughts[1]?.resolve()
  expect(await broken.text()).toMatch(/^: waiting\n\ndata: \{"error":.*"code":"service_unavailable".*\}\n\n$/)
})

test.each([true, false])(
  'a caller who leaves is gone from the upstream too (stream: %s)',
  async (streams) => {
    const gone = Promise.withResolvers<unknown>()
    const begun = Promise.withResolvers<unknown>()
    first.next.push((response) => {
      response.once('close', gone.resolve)
      if (streams) response.write(eventOf(chunkOf({ content: 'One ' })))
      begun.resolve(undefined)
    })
    const caller = new AbortController()
    const body = { model: 'chat-large', messages, stream: streams }
    const asked = server.fetch(PATH, { key, body, signal: caller.signal })
    await begun.promise
    if (streams) await (await asked).body?.getReader().read()
    else asked.catch(() => undefined)
    caller.abort()
    await gone.promise
  },
)

test('a slow caller holds the upstream back', async () => {
  const event = eventOf(chunkOf({ content: 'a'.repeat(60_000) }))
  const state = { written: 0, isGone: false }
  first.next.push(async (response) => {
    const gone = new AbortController()
    response.once('close', () => {
      state.isGone = true
      gone.abort()
    })
    for (; state.written < 1000 && !gone.signal.aborted; state.written++)
      if (!response.write(event)) await once(response, 'drain', gone).catch(() => undefined)
  })
  const response = await server.fetch(PATH, { key, body: { model: 'chat-large', messages, stream: true } })
  const reader = response.body?.getReader()
  await reader?.read()
  // It stands still once all buffers on the way are full.
  let seen = -1
  await until(
    async () => state.written,
    (written) => {
      const isStill = written === seen
      seen = written
      return isStill
    },
  )
  expect(state.written).toBeLessThan(1000)
  await reader?.cancel()
  await until(
    async () => state.isGone,
    (isGone) => isGone,
  )
})

test('usage is counted by model, also where the caller did not ask, and only for its account and mode', async () => {
  const { accountId, key: own } = await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })
  const ask = (body: object, by = own) =>
    server
      .fetch(PATH, { key: by, body: { model: 'chat-large', messages, ...body } })
      .then((answer) => answer.text())
  const usage = async (query = '', by = own) =>
    (
      await server.json<{ data: ModelUsage[]; next_cursor: string | null; has_more: boolean }>(
        `/v1/usage${query}`,
        { key: by },
      )
    ).body
  await ask({})
  await ask({ stream: true })
  first.next.push((response, request) => {
    delete request.body.stream_options
    proper(response, request)
  })
  await ask({ stream: true })
  const live = await server.createKey(accountId, true)
  await ask({}, live)
  first.next.push(refuse(400))
  await ask({})
  await until(
    async () => [(await usage()).data[0]?.requests, (await usage('', live)).data.length],
    ([tested, lived]) => tested === 3 && lived === 1,
  )
  const date = new Date().toISOString().slice(0, 10)
  const row = {
    date,
    model: 'chat-large',
    livemode: false,
    requests: 3,
    requests_without_usage: 1,
    prompt_tokens: 22,
    completion_tokens: 6,
    total_tokens: 28,
  }
  expect(await usage()).toEqual({ data: [row], has_more: false, next_cursor: null })
  expect((await usage('', live)).data).toMatchObject([{ requests: 1, livemode: true }])

  await server.context.database
    .insertInto('model_usage')
    .values(
      ['2026-01-02', '2026-01-01'].flatMap((day) =>
        ['a', 'बी'].map((model) => ({
          account_id: accountId,
          livemode: false,
          day,
          model,
          requests: '1',
          requests_without_usage: '0',
          prompt_tokens: '1',
          completion_tokens: '1',
        })),
      ),
    )
    .execute()
  const names = ({ data }: { data: ModelUsage[] }) => data.map((one) => `${one.date} ${one.model}`)
  const listed: string[] = []
  for (let query = '?limit=2'; query !== '';) {
    const page = await usage(query)
    listed.push(...names(page))
    query = page.next_cursor === null ? '' : `?limit=2&cursor=${page.next_cursor}`
  }
  expect(listed).toEqual([
    `${date} chat-large`,
    '2026-01-02 a',
    '2026-01-02 बी',
    '2026-01-01 a',
    '2026-01-01 बी',
  ])
  expect(names(await usage('?from=2026-01-02&to=2026-01-03'))).toEqual(['2026-01-02 a', '2026-01-02 बी'])
  expect(names(await usage('?model=a'))).toEqual(['2026-01-02 a', '2026-01-01 a'])
  const refused = await server.json('/v1/usage?cursor=abc', { key: own })
  expect(refused).toMatchObject({ status: 400, body: { error: { param: 'cursor' } } })
})

test('a repeat with the same key gets the first answer, and the model is not asked again', async () => {
  const ask = () =>
    server.fetch(PATH, {
      key,
      body: { model: 'chat-large', messages },
      headers: { 'idempotency-key': 'once' },
    })
  const answers = [await (await ask()).text(), await (await ask()).text()]
  expect(answers[0]).toBe(answers[1])
  expect(first.requests.length).toBe(1)
})
