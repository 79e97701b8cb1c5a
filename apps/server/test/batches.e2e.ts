import {
  type Batch,
  batchEventSchema,
  type BatchResult,
  batchResultSchema,
  batchSchema,
  type Scope,
} from '@vaani/contracts'
import type { Id } from '@vaani/contracts'
import { claimRequests } from '../src/features/batches/claim-requests.ts'
import { systemClock } from '@vaani/service-kit/clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ChatUpstream,
  proper,
  refuse,
  startChatUpstream,
  writeUpstreams,
} from './support/chat-upstream.ts'
import { drawPage, makePdf } from './support/documents.ts'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const PATH = '/v1/batch'
const CHAT = '/v1/chat/completions'
const DAY_MS = 86_400_000
const PLACES = 2

const clock = { ms: systemClock.nowMs(), nowMs: () => clock.ms }
let upstream: ChatUpstream
let server: TestServer
let accountId: Id<'account'>
let key: string
beforeAll(async () => {
  upstream = await startChatUpstream()
  const { settings, remove } = await writeUpstreams({
    upstreams: {
      first: {
        base_url: upstream.baseUrl,
        models: ['chat'],
        endpoints: { embeddings: ['embed'], completions: ['complete'], moderations: ['moderate'] },
        max_retries: 0,
      },
    },
  })
  const places = {
    '/v1/chat/completions': PLACES,
    '/v1/responses': PLACES,
    '/v1/completions': 1,
    '/v1/embeddings': 1,
    '/v1/moderations': 1,
    '/v1/audio/speech': 1,
    '/v1/engine/synthesize': 1,
    '/v1/ocr/process': 1,
  }
  server = await startTestServer({ clock, config: { ...settings, batchPlaces: places } })
  await remove()
  ;({ key, accountId } = await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED }))
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  upstream.requests.length = 0
  upstream.next.length = 0
})

const chat = (content: string) => ({ model: 'chat', messages: [{ role: 'user', content }] })
const request = (custom_id: string, body: object = chat(custom_id)) => ({ custom_id, body })
const requests = (count: number) => Array.from({ length: count }, (_, index) => request(`number ${index}`))
const ofChats = (count: number) => ({ endpoint: CHAT, requests: requests(count) })
const madeChats = () => upstream.requests.map(({ body }) => String(body.messages[0]?.content))

interface Options {
  headers?: Record<string, string>
  key?: string
}
interface Refusal {
  error: {
    code: string
    message: string
    param: string | null
    details?: { param: string; message: string }[]
  }
}
const send = <Body = Batch>(body: object, options: Options = {}) =>
  server.json<Body>(PATH, { key, body, ...options })
const sendText = <Body = Batch>(rawBody: string, type = 'application/x-ndjson') =>
  server.json<Body>(PATH, { key, rawBody, headers: { 'content-type': type } })
const linesOf = (lines: readonly (object | string)[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')

const read = async (batchId: string) => (await server.json<Batch>(`${PATH}/${batchId}`, { key })).body
const ended = (batchId: string): Promise<Batch> =>
  until(
    () => read(batchId),
    ({ status }) => status !== 'queued' && status !== 'running',
  )
const cancel = (batchId: string) =>
  server.json<Batch & Refusal>(`${PATH}/${batchId}/cancel`, { method: 'POST', key })

async function resultsOf(batchId: string): Promise<BatchResult[]> {
  const response = await server.fetch(`${PATH}/${batchId}/results`, { key })
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = (await response.text()).split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => batchResultSchema.parse(JSON.parse(line)))
}

/** Makes the next answers of the upstream wait for `release`. */
function holdAnswers(count: number): { release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (let index = 0; index < count; index++)
    upstream.next.push(async (response, received) => {
      await promise
      return proper(response, received)
    })
  return { release: resolve }
}

const countRows = async () => {
  const { rows } = await sql<Record<string, string>>`
    select (select count(*) from batches) as batches, (select count(*) from batch_requests) as requests`.execute(
    server.context.database,
  )
  return rows[0]
}

describe('a batch', () => {
  test('makes every request, and gives the results in the order in which they ended', async () => {
    const sent = await send(ofChats(120))
    expect(sent.status).toBe(202)
    expect(batchSchema.parse(sent.body)).toMatchObject({
      status: 'queued',
      failure_reason: null,
      endpoint: CHAT,
      counts: { total: 120, succeeded: 0, failed: 0 },
      completed_at: null,
    })
    const { batch_id } = sent.body
    const counts = { total: 120, succeeded: 120, failed: 0 }
    await expect(ended(batch_id)).resolves.toMatchObject({ status: 'completed', counts })
    const results = await resultsOf(batch_id)
    expect(new Set(results.map(({ custom_id }) => custom_id)).size).toBe(120)
    for (const { custom_id, status, body } of results)
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { choices: [{ message: { content: custom_id } }] },
      })
    expect(madeChats()).toHaveLength(120)
  })

  test.each([
    'application/x-ndjson',
    'application/ndjson',
    'application/jsonl',
    'application/json-lines',
    'application/x-jsonlines; charset=utf-8',
  ])('may be sent as lines of the type %s', async (type) => {
    const lines = ['', { endpoint: CHAT, completion_window: '1h' }, '', ...requests(3), '  ', '']
    const { status, body } = await sendText(`\ufeff${linesOf(lines)}`, type)
    expect(status).toBe(202)
    expect(body.counts.total).toBe(3)
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(3_600_000)
    await expect(ended(body.batch_id)).resolves.toMatchObject({ counts: { succeeded: 3 } })
  })

  test('may be a batch file of OpenAI', async () => {
    const lines = requests(3).map((one) => ({ ...one, method: 'POST', url: CHAT }))
    const { status, body } = await sendText(linesOf(lines), 'application/jsonl')
    expect(status).toBe(202)
    expect(body).toMatchObject({ endpoint: CHAT, counts: { total: 3 } })
    await expect(ended(body.batch_id)).resolves.toMatchObject({ counts: { succeeded: 3 } })
  })

  test('of responses asks the models of chats, and null asks for no stream', async () => {
    const lines = ['a', 'b'].map((input) => ({
      custom_id: input,
      method: 'POST',
      url: '/v1/responses',
      body: { model: 'chat', input, stream: null },
    }))
    const { status, body } = await sendText(linesOf(lines), 'application/jsonl')
    expect(status).toBe(202)
    await expect(ended(body.batch_id)).resolves.toMatchObject({ counts: { total: 2, succeeded: 2 } })
    expect(madeChats().toSorted()).toEqual(['a', 'b'])
    for (const { custom_id, body: response } of await resultsOf(body.batch_id))
      expect(response).toMatchObject({
        object: 'response',
        output: [{ type: 'message', content: [{ type: 'output_text', text: custom_id }] }],
      })
  })

  test.each<[string, object, object]>([
    ['/v1/embeddings', { model: 'embed', input: 'a' }, { data: [{ index: 0, embedding: [0.5] }] }],
    ['/v1/completions', { model: 'complete', prompt: 'a' }, { choices: [{ index: 0, text: 'a' }] }],
    ['/v1/moderations', { model: 'moderate', input: 'a' }, { results: [{ flagged: false }] }],
  ])(
    'of %s passes each request on, and a model that no upstream has is refused',
    async (url, one, answer) => {
      upstream.next.push((response) => response.end(JSON.stringify(answer)))
      const lines = [one, { ...one, model: 'chat' }].map((sent, index) => ({
        custom_id: `${index}`,
        method: 'POST',
        url,
        body: sent,
      }))
      const { status, body } = await sendText(linesOf(lines), 'application/jsonl')
      expect(status).toBe(202)
      await expect(ended(body.batch_id)).resolves.toMatchObject({ counts: { succeeded: 1, failed: 1 } })
      const results = await resultsOf(body.batch_id)
      expect(results.toSorted((a, b) => a.status - b.status)).toMatchObject([
        { custom_id: '0', status: 200, body: answer },
        { custom_id: '1', status: 404, body: { error: { code: 'not_found', param: 'model' } } },
      ])
    },
  )

  test.each([
    [
      '/v1/audio/speech',
      { model: 'tts-1', voice: 'alloy', input: 'Hello.' },
      { content_type: 'audio/mpeg', audio_b64: expect.any(String) },
    ],
    [
      '/v1/engine/synthesize',
      { model: 'synth-v1', text: 'Hello.', voice: 'default', language: 'en-US' },
      { audio_b64: expect.any(String) },
    ],
  ])('speaks by %s', async (endpoint, body, result) => {
    const { batch_id } = (await send({ endpoint, requests: [request('spoken', body)] })).body
    await ended(batch_id)
    await expect(resultsOf(batch_id)).resolves.toEqual([
      { custom_id: 'spoken', status: 200, body: expect.objectContaining(result) },
    ])
  })

  test('reads documents', async () => {
    const image_b64 = (await drawPage(['A short letter'])).toString('base64')
    const { batch_id } = (
      await send({
        endpoint: '/v1/ocr/process',
        requests: [request('read', { image_b64 }), request('broken', { image_b64: 'AAAA' })],
      })
    ).body
    await expect(ended(batch_id)).resolves.toMatchObject({ counts: { total: 2, succeeded: 1, failed: 1 } })
    const results = await resultsOf(batch_id)
    expect(results.toSorted((a, b) => a.status - b.status)).toMatchObject([
      { custom_id: 'read', status: 200, body: { text: 'A short letter' } },
      { custom_id: 'broken', status: 422, body: { error: { code: 'media_unreadable', param: 'image' } } },
    ])
  })

  test('reads a long document as one request', async () => {
    const pages = Array.from({ length: 12 }, (_, index) => ({ text: `Page ${index + 1}` }))
    const image_b64 = makePdf(pages).toString('base64')
    const { batch_id } = (
      await send({ endpoint: '/v1/ocr/process', requests: [request('long', { image_b64 })] })
    ).body
    await ended(batch_id)
    const text = pages.map((page) => page.text).join('\f')
    expect(await resultsOf(batch_id)).toMatchObject([{ custom_id: 'long', status: 200, body: { text } }])
  })

  test('makes a request again that may succeed later, and no other', async () => {
    upstream.next.push(refuse(429, {}, { 'retry-after': '1' }), refuse(400))
    const { batch_id } = (await send(ofChats(2))).body
    await expect(ended(batch_id)).resolves.toMatchObject({ counts: { total: 2, succeeded: 1, failed: 1 } })
    expect(madeChats()).toHaveLength(3)
    const results = await resultsOf(batch_id)
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('can be read while it runs, and sends an event when it has ended', async () => {
    const { release } = holdAnswers(0)
    upstream.next.push(proper)
    const held = holdAnswers(2)
    const { batch_id } = (await send(ofChats(3))).body
    await until(
      () => read(batch_id),
      ({ counts }) => counts.succeeded === 1,
    )
    await expect(read(batch_id)).resolves.toMatchObject({ status: 'running', completed_at: null })
    await expect(resultsOf(batch_id)).resolves.toHaveLength(1)
    release()
    held.release()
    const batch = await ended(batch_id)
    await expect(resultsOf(batch_id)).resolves.toHaveLength(3)
    const events = await server.context.database
      .selectFrom('events')
      .where('object_id', '=', batch_id)
      .select('body')
      .execute()
    expect(events.map(({ body }) => batchEventSchema.parse(JSON.parse(body)))).toMatchObject([
      { type: 'batch.completed', data: batch },
    ])
  })

  test('gives results that fill several pages, in rows and as blobs, whole and in order', async () => {
    const bodies = Array.from({ length: 60 }, (_, index) =>
      `${index} `.repeat(index % 20 === 10 ? 40_000 : 15_000),
    )
    const { batch_id } = (
      await send({ endpoint: CHAT, requests: bodies.map((body, index) => request(`${index}`, chat(body))) })
    ).body
    await ended(batch_id)
    const results = await resultsOf(batch_id)
    expect(new Set(results.map(({ custom_id }) => custom_id)).size).toBe(60)
    for (const { custom_id, body } of results)
      expect(body).toMatchObject({ choices: [{ message: { content: bodies[Number(custom_id)] } }] })
    const { rows } = await sql<{ position: number }>`
      select position from batch_requests where batch_id = ${batch_id} order by ended_sequence`.execute(
      server.context.database,
    )
    expect(results.map(({ custom_id }) => Number(custom_id))).toEqual(rows.map(({ position }) => position))
  })

  test('stores a long result as a blob, nothing in the clear, and is deleted when it is old', async () => {
    const long = `only here ${'long '.repeat(20_000)}`
    const { batch_id } = (await send({ endpoint: CHAT, requests: [request('a', chat(long)), request('b')] }))
      .body
    await ended(batch_id)
    const found = (await resultsOf(batch_id)).find(({ custom_id }) => custom_id === 'a')
    expect(found).toMatchObject({ body: { choices: [{ message: { content: long } }] } })
    const { blobs, database } = server.context
    const stored = await Array.fromAsync(blobs.list(`batches/${batch_id}`))
    expect(stored).toHaveLength(1)
    const { rows } = await sql<{ row: string }>`
      select batch_requests::text as row from batch_requests where batch_id = ${batch_id}`.execute(database)
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('only here').toString('hex'))
    clock.ms += 30 * DAY_MS - 1000
    await server.context.sweep()
    await expect(resultsOf(batch_id)).resolves.toHaveLength(2)
    clock.ms += 2000
    await server.context.sweep()
    expect(await server.json(`${PATH}/${batch_id}`, { key })).toMatchObject({ status: 404 })
    await expect(Array.fromAsync(blobs.list(`batches/${batch_id}`))).resolves.toEqual([])
  })

  test('fails when its window closes, and keeps the results that it has', async () => {
    upstream.next.push(proper)
    const held = holdAnswers(3)
    const { batch_id } = (await send({ ...ofChats(4), completion_window: '1h' })).body
    await until(
      () => read(batch_id),
      ({ counts }) => counts.succeeded === 1,
    )
    clock.ms += 3_600_000
    await expect(ended(batch_id)).resolves.toMatchObject({
      status: 'failed',
      failure_reason: 'expired',
      counts: { total: 4, succeeded: 1, failed: 0 },
    })
    held.release()
    // The two that were being made then still end.
    await until(
      () => read(batch_id),
      ({ counts }) => counts.succeeded === 1 + PLACES,
    )
    await expect(resultsOf(batch_id)).resolves.toHaveLength(1 + PLACES)
    expect(madeChats()).toHaveLength(1 + PLACES)
  })

  test('is canceled: what has not started is dropped', async () => {
    const held = holdAnswers(PLACES)
    const { batch_id } = (await send(ofChats(50))).body
    await until(
      async () => madeChats().length,
      (made) => made === PLACES,
    )
    const canceled = await cancel(batch_id)
    expect(canceled).toMatchObject({ status: 200, body: { status: 'canceled', counts: { total: 50 } } })
    held.release()
    const { counts } = await until(
      () => read(batch_id),
      (batch) => batch.counts.succeeded === PLACES,
    )
    expect(counts).toEqual({ total: 50, succeeded: PLACES, failed: 0 })
    expect((await cancel(batch_id)).body).toEqual(await read(batch_id))
    const other = (await send(ofChats(1))).body
    await ended(other.batch_id)
    expect(await cancel(other.batch_id)).toMatchObject({
      status: 409,
      body: { error: { code: 'state_conflict' } },
    })
    expect(madeChats()).toHaveLength(PLACES + 1)
  })
})

test('accounts take turns', async () => {
  const large = (await send(ofChats(400))).body
  const account = await server.createAccount({ tier: 'starter' })
  const small = (await send(ofChats(3), { key: account.key })).body
  await until(
    async () => (await server.json<Batch>(`${PATH}/${small.batch_id}`, { key: account.key })).body,
    ({ status }) => status === 'completed',
  )
  expect((await read(large.batch_id)).status).toBe('running')
  await cancel(large.batch_id)
})

test('claims fewer requests at once if they are large', async () => {
  const held = holdAnswers(PLACES)
  const large = Array.from({ length: 20 }, (_, index) => request(`${index}`, chat('x'.repeat(450_000))))
  const batches = [
    await send({ endpoint: CHAT, requests: large }),
    await send({ endpoint: CHAT, requests: large }),
  ]
  await until(
    () => Promise.resolve(madeChats().length),
    (count) => count === PLACES,
  )
  const claimed = await server.context.database.transaction().execute(async (tx) => {
    const { rows: making } = await sql<{ batch_id: string; position: number; worker_id: string }>`
      select batch_id, position, worker_id from batch_requests where worker_id is not null`.execute(tx)
    const [first] = making
    if (first === undefined) throw new Error('Nothing is held')
    return claimRequests(tx, { workerId: first.worker_id, endpoint: CHAT, making, room: 100, after: '' })
  })
  // The last of them may exceed 8 MiB.
  expect(claimed).toHaveLength(Math.ceil(8_388_608 / 450_100))
  held.release()
  for (const { body } of batches)
    await expect(ended(body.batch_id)).resolves.toMatchObject({ counts: { succeeded: 20 } })
})

test('goes on after results have waited for the database', async () => {
  const held = holdAnswers(PLACES)
  const { batch_id } = (await send(ofChats(600))).body
  const made = () => Promise.resolve(madeChats().length)
  await until(made, (count) => count === PLACES)
  await server.context.database.transaction().execute(async (tx) => {
    await tx.selectFrom('batches').where('batch_id', '=', batch_id).select('batch_id').forUpdate().execute()
    held.release()
    // As many as may wait; the last of them have their answers once no further one was made for a while.
    let last = PLACES
    await until(made, (count) => {
      const isStill = count > PLACES && count === last
      last = count
      return isStill
    })
    expect(last).toBeLessThan(600)
  })
  await expect(ended(batch_id)).resolves.toMatchObject({ status: 'completed' })
})

describe('a batch is refused', () => {
  const good = request('a')
  const twenty = {
    endpoint: CHAT,
    requests: Array.from({ length: 30 }, (_, index) => ({ custom_id: `${index}` })),
  }
  const bodies: [string, object | string, number, string | null][] = [
    ['without an endpoint', { requests: [good] }, 400, 'endpoint'],
    ['if its endpoint comes after its requests', { requests: [good], endpoint: CHAT }, 400, 'endpoint'],
    ['for another endpoint', { endpoint: '/v1/calls', requests: [good] }, 400, 'endpoint'],
    ['without requests', { endpoint: CHAT, requests: [] }, 400, 'requests'],
    ['if its requests are no array', { endpoint: CHAT, requests: 'many' }, 400, 'requests'],
    ['with an unknown field', { endpoint: CHAT, requests: [good], more: 1 }, 400, 'more'],
    [
      'with another window',
      { endpoint: CHAT, requests: [good], completion_window: '2h' },
      400,
      'completion_window',
    ],
    [
      'with a callback that is not https',
      { endpoint: CHAT, requests: [good], callback_url: 'http://a.b' },
      400,
      'callback_url',
    ],
    [
      'with a callback to a private network',
      { endpoint: CHAT, requests: [good], callback_url: 'https://127.0.0.1/' },
      400,
      'callback_url',
    ],
    [
      'with a request without an id',
      { endpoint: CHAT, requests: [good, { body: chat('b') }] },
      400,
      'requests.1.custom_id',
    ],
    ['with an id twice', { endpoint: CHAT, requests: [good, good] }, 400, 'requests.1.custom_id'],
    [
      'with a body that its endpoint refuses',
      { endpoint: CHAT, requests: [good, request('b', { model: 'chat' })] },
      400,
      'requests.1.body.messages',
    ],
    [
      'with a stream',
      { endpoint: CHAT, requests: [request('b', { ...chat('b'), stream: true })] },
      400,
      'requests.0.body.stream',
    ],
    [
      'with audio as events',
      {
        endpoint: '/v1/audio/speech',
        requests: [request('b', { model: 'tts-1', voice: 'alloy', input: 'Hello.', stream_format: 'sse' })],
      },
      400,
      'requests.0.body.stream_format',
    ],
    [
      'with a body that is too large for its endpoint',
      { endpoint: CHAT, requests: [good, request('b', chat('x'.repeat(4 * 1024 * 1024)))] },
      400,
      'requests.1.body',
    ],
    ['if it is no JSON', '{"endpoint":"/v1/chat/completions","requests":[{"a"}]}', 400, 'requests.0'],
    ['if it breaks off', '{"endpoint":"/v1/chat/completions","requests":[', 400, null],
    ['with too many faults to list', twenty, 400, 'requests.0.body'],
  ]
  test.each(bodies)('%s, and leaves nothing', async (_, body, status, param) => {
    const before = await countRows()
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await sendText<Refusal>(text, 'application/json')
    expect(answer).toMatchObject({ status, body: { error: { code: 'invalid_request', param } } })
    expect(answer.body.error.details?.length ?? 0).toBeLessThanOrEqual(20)
    expect(await countRows()).toEqual(before)
  })

  test('by line, with every fault', async () => {
    const lines = [{ endpoint: CHAT }, good, 'no JSON', '', request('b', { model: 'chat' }), request('c')]
    const { status, body } = await sendText<Refusal>(linesOf(lines))
    expect(status).toBe(400)
    expect(body.error.details?.map(({ param }) => param)).toEqual(['lines.3', 'lines.5.body.messages'])
  })

  test.each([
    ['without a line', '', 'lines.1'],
    ['without a request', linesOf([{ endpoint: CHAT }]), 'requests'],
    ['whose first line is a request', linesOf([good]), 'lines.1.endpoint'],
    ['whose first line is no JSON', 'endpoint', 'lines.1'],
  ])('as lines %s', async (_, text, param) => {
    expect(await sendText(text)).toMatchObject({ status: 400, body: { error: { param } } })
  })

  test('with more requests, or more bytes, than the limit', async () => {
    const before = await countRows()
    const many = await send<Refusal>({ endpoint: CHAT, requests: requests(10_001) })
    expect(many).toMatchObject({ status: 400, body: { error: { param: 'requests' } } })
    const large = requests(40).map((one) => ({ ...one, body: chat('x'.repeat(900_000)) }))
    expect((await send<Refusal>({ endpoint: CHAT, requests: large })).status).toBe(413)
    expect(await countRows()).toEqual(before)
  })

  test('as another type', async () => {
    expect((await sendText('endpoint: chat', 'text/yaml')).status).toBe(415)
  })

  test('from a key that may not use its endpoint', async () => {
    const scopes: Scope[] = ['batch:write']
    const other = await server.createAccount({ tier: 'enterprise' }, scopes)
    expect(await send(ofChats(1), { key: other.key })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', param: 'endpoint' } },
    })
  })

  test('from an account with too many that have not ended', async () => {
    const other = await server.createAccount({
      tier: 'enterprise',
      rateOverrides: { ...UNLIMITED, unfinished_batches: { limit: 1 } },
    })
    const held = holdAnswers(1)
    const first = await send(ofChats(1), { key: other.key })
    expect(first.status).toBe(202)
    const second = await send(ofChats(1), { key: other.key })
    expect(second).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
    expect(second.headers.get('retry-after')).toBe('60')
    held.release()
  })
})

test('an idempotency key makes one batch, and tells others apart', async () => {
  const headers = { 'idempotency-key': 'once' }
  const first = await send(ofChats(2), { headers })
  const before = await countRows()
  const again = await send(ofChats(2), { headers })
  expect(again).toMatchObject({ status: 202, body: first.body })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await send(ofChats(3), { headers })).toMatchObject({
    status: 409,
    body: { error: { code: 'idempotency_conflict' } },
  })
  expect(await countRows()).toEqual(before)
})

test('batches of others are not found', async () => {
  const { batch_id } = (await send(ofChats(1))).body
  const other = await server.createAccount()
  const live = await server.createKey(accountId, true)
  for (const stranger of [other.key, live])
    for (const [method, route] of [
      ['GET', ''],
      ['GET', '/results'],
      ['POST', '/cancel'],
    ] as const)
      expect(await server.json(`${PATH}/${batch_id}${route}`, { method, key: stranger })).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      })
  const { body } = await server.json<{ data: Batch[] }>(PATH, { key: live })
  expect(body.data).toEqual([])
})

test('batches are listed by page, newest first', async () => {
  const { key: own } = await server.createAccount({ tier: 'enterprise' })
  const made: string[] = []
  for (let index = 0; index < 3; index++) {
    // Ids are in the order of their milliseconds.
    clock.ms++
    made.unshift((await send(ofChats(1), { key: own })).body.batch_id)
  }
  interface Page {
    data: Batch[]
    has_more: boolean
    next_cursor: string | null
  }
  const first = (await server.json<Page>(`${PATH}?limit=2`, { key: own })).body
  const second = (await server.json<Page>(`${PATH}?limit=2&cursor=${first.next_cursor}`, { key: own })).body
  expect([...first.data, ...second.data].map(({ batch_id }) => batch_id)).toEqual(made)
  expect([first.has_more, second.has_more]).toEqual([true, false])
})
