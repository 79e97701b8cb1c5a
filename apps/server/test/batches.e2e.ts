import { type ChildProcess } from 'node:child_process'
import {
  type Batch,
  type BatchEvent,
  type BatchResult,
  batchResultSchema,
  batchSchema,
  SCOPES,
} from '@vaani/contracts'
import { Vaani } from '@vaani/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawPage } from './support/documents.ts'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from './support/until.ts'

const PATH = '/v1/batch'
const CHAT = '/v1/chat/completions'

let server: TestServer
let key: string
let vaani: Vaani
beforeAll(async () => {
  server = await startTestServer()
  ;({ key } = await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED }))
  vaani = new Vaani({ apiKey: key, baseUrl: server.url, maxRetries: 0 })
})
afterAll(() => server[Symbol.asyncDispose]())

const chat = (content: string) => ({ model: 'vaani-echo', messages: [{ role: 'user', content }] })
const request = (custom_id: string, body: object = chat(custom_id)) => ({ custom_id, body })
const requests = (count: number) => Array.from({ length: count }, (_, index) => request(`number ${index}`))

const send = (body: object, options: { headers?: Record<string, string>; key?: string } = {}) =>
  server.json<Batch>(PATH, { key, body, ...options })
const sendLines = (lines: readonly (object | string)[]) =>
  server.json<Batch>(PATH, {
    key,
    rawBody: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })

const ended = (batchId: string): Promise<Batch> =>
  until(
    async () => (await server.json<Batch>(`${PATH}/${batchId}`, { key })).body,
    ({ status }) => status !== 'queued' && status !== 'running',
  )

async function resultsOf(batchId: string): Promise<BatchResult[]> {
  const response = await server.fetch(`${PATH}/${batchId}/results`, { key })
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const lines = (await response.text()).split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => batchResultSchema.parse(JSON.parse(line)))
}

describe('a batch', () => {
  test('answers every request, in the order in which they end', async () => {
    const sent = await send({ endpoint: CHAT, requests: requests(120) })
    expect(sent.status).toBe(202)
    expect(batchSchema.parse(sent.body)).toMatchObject({
      status: 'queued',
      endpoint: CHAT,
      livemode: false,
      counts: { total: 120, succeeded: 0, failed: 0 },
      completed_at: null,
    })
    const { batch_id } = sent.body
    const batch = await ended(batch_id)
    expect(batch).toMatchObject({
      status: 'completed',
      failure_reason: null,
      counts: { total: 120, succeeded: 120, failed: 0 },
    })
    const results = await resultsOf(batch_id)
    expect(new Set(results.map(({ custom_id }) => custom_id)).size).toBe(120)
    for (const { custom_id, status, body } of results) {
      expect(status).toBe(200)
      expect(body).toMatchObject({
        model: 'vaani-echo',
        choices: [{ message: { content: expect.stringContaining(custom_id) } }],
      })
    }
  })

  test('may be sent as lines', async () => {
    const sent = await sendLines([{ endpoint: CHAT, completion_window: '1h' }, '', ...requests(3), '  '])
    expect(sent.status).toBe(202)
    const { created_at, expires_at, counts } = sent.body
    expect(counts.total).toBe(3)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(3_600_000)
    await expect(ended(sent.body.batch_id)).resolves.toMatchObject({ counts: { succeeded: 3 } })
  })

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
})
