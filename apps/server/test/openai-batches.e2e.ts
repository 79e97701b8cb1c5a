import { LIMITS, type ModelUsage } from '@vaani/contracts'
import { until } from '@vaani/test-services/until'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChatUpstream, refuse, startChatUpstream, writeUpstreams } from './support/chat-upstream.ts'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const model = 'chat-large'
const MINUTES_MS = 60_000

let upstream: ChatUpstream
let server: TestServer
let nowMs = Date.now()
let key: string
let accountId: string
let openai: OpenAI
let stranger: OpenAI
let otherMode: OpenAI
beforeAll(async () => {
  upstream = await startChatUpstream()
  const { settings, remove } = await writeUpstreams({
    upstreams: {
      vendor: {
        base_url: upstream.baseUrl,
        api_key_variable: 'MODEL_KEY',
        models: ['their-large', 'other'],
        endpoints: { batches: ['their-large'] },
      },
    },
    models: {
      [model]: [{ upstream: 'vendor', model: 'their-large' }],
      other: [{ upstream: 'vendor' }],
    },
  })
  server = await startTestServer({
    config: settings,
    clock: { nowMs: () => nowMs },
  })
  await remove()
  const account = { tier: 'enterprise' as const, rateOverrides: UNLIMITED }
  const own = await server.createAccount(account)
  key = own.key
  accountId = own.accountId
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 })
  openai = clientOf(key)
  stranger = clientOf((await server.createAccount(account)).key)
  otherMode = clientOf(await server.createKey(own.accountId, true))
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  upstream.requests.length = 0
  upstream.next.length = 0
})

const lineOf = (name: string, body: object = { model }) =>
  JSON.stringify({ custom_id: name, method: 'POST', url: '/v1/chat/completions', body })
const fileOf = (text: string) => toFile(Buffer.from(text), 'Sita and Ram.jsonl')
const store = async (client: OpenAI, names: readonly string[] = ['one', 'two']) =>
  client.files.create({ file: await fileOf(names.map((name) => lineOf(name)).join('\n')), purpose: 'batch' })
const begin = (client: OpenAI, input_file_id: string) =>
  client.batches.create({ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' })
const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  )
const usage = async () => (await server.json<{ data: ModelUsage[] }>('/v1/usage', { key })).body.data[0]

test('the official client has a file worked on by an upstream, and reads the results', async () => {
  const file = await store(openai)
  expect(file).toMatchObject({ object: 'file', purpose: 'batch' })
  expect(upstream.requests).toMatchObject([
    { url: '/v1/files', headers: { authorization: 'Bearer sk-of-the-vendor' }, body: { purpose: 'batch' } },
  ])
  const sent = upstream.stored.files.get(file.id) ?? ''
  expect(
    sent
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).body.model),
  ).toEqual(['their-large', 'their-large'])
  expect(sent).not.toContain('Sita')
  expect(await (await openai.files.content(file.id)).text()).toContain(`"model":"${model}"`)

  const batch = await begin(openai, file.id)
  expect(batch).toMatchObject({ object: 'batch', status: 'validating', input_file_id: file.id })
  upstream.stored.complete(batch.id, { input_tokens: 20, output_tokens: 6, total_tokens: 26 })
  const ended = await openai.batches.retrieve(batch.id)
  expect(ended).toMatchObject({ status: 'completed', request_counts: { completed: 2 } })
  const results = await (await openai.files.content(ended.output_file_id ?? '')).text()
  expect(
    results
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { custom_id: 'one', response: { body: { model } } },
    { custom_id: 'two', response: { body: { model } } },
  ])
  // It is counted once, whoever asks.
  await openai.batches.retrieve(batch.id)
  await server.context.sweep()
  expect(await usage()).toMatchObject({ model, requests: 2, prompt_tokens: 20, completion_tokens: 6 })

  const listed = await openai.files.list()
  expect(listed.data.map(({ id }) => id)).toEqual(expect.arrayContaining([file.id, ended.output_file_id]))
  const outputs = await openai.files.list({ purpose: 'batch_output' })
  expect(outputs.data.map(({ id }) => id)).toEqual([ended.output_file_id])
  expect(await openai.files.delete(file.id)).toMatchObject({ id: file.id, deleted: true })
  expect(upstream.stored.files.has(file.id)).toBe(false)
  expect(await failureOf(openai.files.retrieve(file.id))).toBeInstanceOf(OpenAI.NotFoundError)
})

test('a batch that nobody asks about is counted too, also without tokens', async () => {
  const before = (await usage())?.requests ?? 0
  const batch = await begin(openai, (await store(openai)).id)
  upstream.stored.complete(batch.id, undefined)
  nowMs += 10 * MINUTES_MS
  await server.context.sweep()
  expect(await usage()).toMatchObject({ requests: before + 2, requests_without_usage: 2 })
  expect(await openai.batches.retrieve(batch.id)).toMatchObject({ status: 'completed' })
})

test('a batch is canceled', async () => {
  const batch = await begin(openai, (await store(openai)).id)
  expect(await openai.batches.cancel(batch.id)).toMatchObject({ status: 'cancelling' })
})

test('lists have pages, newest first', async () => {
  const made: string[] = []
  for (let index = 0; index < 3; index++) {
    nowMs += 1000
    made.unshift((await begin(openai, (await store(openai)).id)).id)
  }
  const first = await openai.batches.list({ limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2))
  expect(first.has_more).toBe(true)
  expect((await openai.batches.list({ limit: 2, after: made[1] ?? '' })).data[0]?.id).toBe(made[2])
  const oldestFirst = (await openai.files.list({ limit: 100 })).data.toReversed()
  const oldest = await openai.files.list({ order: 'asc', limit: 2 })
  expect(oldest.data).toEqual(oldestFirst.slice(0, 2))
  const rest = await openai.files.list({ order: 'asc', after: oldest.data[1]?.id ?? '' })
  expect(rest.data).toEqual(oldestFirst.slice(2))
  expect(await failureOf(openai.files.list({ after: 'file-none' }))).toMatchObject({
    status: 400,
    param: 'after',
  })
})

test('other accounts and the other mode see nothing of it', async () => {
  const file = await store(openai)
  const batch = await begin(openai, file.id)
  const asked = upstream.requests.length
  for (const client of [stranger, otherMode]) {
    expect((await client.files.list()).data).toEqual([])
    expect((await client.batches.list()).data).toEqual([])
    for (const ask of [
      () => client.files.retrieve(file.id),
      () => client.files.content(file.id),
      () => client.files.delete(file.id),
      () => begin(client, file.id),
      () => client.batches.retrieve(batch.id),
      () => client.batches.cancel(batch.id),
    ]) {
      const failure = await failureOf(ask())
      expect(failure).toBeInstanceOf(OpenAI.NotFoundError)
      expect(failure).toMatchObject({ message: expect.stringContaining('is not known') })
    }
  }
  expect(upstream.requests.length).toBe(asked)
})

describe('a file is refused', () => {
  test.each<[string, string, number, string]>([
    ['without requests', '\n \n', 400, 'has no requests'],
    ['of blank lines', '\n'.repeat(LIMITS.batchLinesMax + 1), 400, 'more than'],
    ['with a line that is no JSON', `${lineOf('one')}\n{`, 400, 'line 2'],
    ['with a request without a model', lineOf('one', {}), 400, 'line 1'],
    [
      'with two models',
      `${lineOf('one')}\n\n${lineOf('two', { model: 'other' })}`,
      400,
      'line 3 has another model',
    ],
    [
      'with a number that would be changed',
      lineOf('one', { model }).replace('}}', ',"seed":9007199254740993}}'),
      400,
      'line 1',
    ],
    [
      'for a model without batches',
      lineOf('one', { model: 'other' }),
      404,
      'no upstream of this server has /v1/batches',
    ],
    ['with too many requests', `${lineOf('one')}\n`.repeat(LIMITS.batchRequestsMax + 1), 400, 'more than'],
    [
      'that is too large',
      `${lineOf('one', { model, text: 'a'.repeat(3_735_000) })}\n`.repeat(9),
      413,
      'file',
    ],
    [
      'with a line that is too long',
      lineOf('one', { model, text: 'a'.repeat(5_000_000) }),
      400,
      'line 1 is over',
    ],
  ])('%s', async (_, text, status, message) => {
    const failure = await failureOf(openai.files.create({ file: await fileOf(text), purpose: 'batch' }))
    expect(failure).toMatchObject({ status, param: 'file', message: expect.stringContaining(message) })
    expect(upstream.requests).toEqual([])
  })

  test('for another purpose', async () => {
    const asked = openai.files.create({ file: await fileOf(lineOf('one')), purpose: 'assistants' })
    expect(await failureOf(asked)).toMatchObject({ status: 400, param: 'purpose' })
  })

  test('by the upstream', async () => {
    upstream.next.push(refuse(400, { param: 'file', code: 'invalid_file' }))
    expect(await failureOf(store(openai))).toMatchObject({
      status: 400,
      error: { details: [{ reason: 'invalid_file' }] },
    })
  })

  test('if the account has too many, and nothing is left of it', async () => {
    await server.context.pool.query(
      `insert into stored_objects (account_id, livemode, kind, object_id, upstream, model, view, created_at, asked_at)
       select $1, true, 'file', 'file-of-' || n, 'vendor', 'chat-large', '{}', now(), now() from generate_series(1, $2::integer) n`,
      [accountId, LIMITS.storedFilesPerAccount],
    )
    const files = upstream.stored.files.size
    expect(await failureOf(store(otherMode))).toMatchObject({ status: 409, code: 'state_conflict' })
    expect(upstream.stored.files.size).toBe(files)
  })
})

test('what the upstream does not have any more is not found', async () => {
  const file = await store(openai)
  upstream.stored.files.delete(file.id)
  expect(await failureOf(openai.files.content(file.id).then((answer) => answer.text()))).toBeInstanceOf(
    OpenAI.NotFoundError,
  )
  expect(await openai.files.delete(file.id)).toMatchObject({ deleted: true })
})

test('without an upstream that has batches, 404 says what there is instead', async () => {
  await using plain = await startTestServer({ config: { roles: new Set(['api']) } })
  const client = new OpenAI({ apiKey: plain.key, baseURL: `${plain.url}/v1`, maxRetries: 0 })
  for (const [path, ask] of [
    ['/v1/files', () => store(client)],
    ['/v1/files', async () => client.files.list()],
    ['/v1/batches', () => begin(client, 'file-1')],
    ['/v1/batches', async () => client.batches.list()],
  ] as const) {
    const failure = await failureOf(ask())
    expect(failure).toBeInstanceOf(OpenAI.NotFoundError)
    const message = `404 No upstream of this server has ${path}: batches have their requests in the body of POST /v1/batch`
    expect(failure).toMatchObject({ message })
  }
})

test('the number of batches that have not ended is limited', async () => {
  const { key: starter } = await server.createAccount({ tier: 'starter' })
  const client = new OpenAI({ apiKey: starter, baseURL: `${server.url}/v1`, maxRetries: 0 })
  const file = await store(client)
  const answers: unknown[] = []
  for (let index = 0; index < 6; index++) answers.push(await failureOf(begin(client, file.id)))
  expect(answers.slice(0, 5)).toEqual(Array.from({ length: 5 }))
  expect(answers[5]).toMatchObject({ status: 429 })
  await until(
    async () => (await client.batches.list()).data.length,
    (length) => length === 5,
  )
})
