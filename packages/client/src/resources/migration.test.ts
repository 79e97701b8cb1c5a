import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createService, refusal } from '../../test/support/service.ts'
import { ApiError } from '../errors.ts'
import { createMigration } from './migration.ts'

const STATE = { stage: 'shadow-10', answers: 'v1' }

/** Starts a server that answers each request with what `answer` returns for it and its body. */
async function startServer(answer: (request: Request) => Promise<Response>): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response) => {
    const { method = 'GET', url = '/', headers } = request
    const body = method === 'GET' ? null : new Uint8Array(await buffer(request))
    const sent = new Request(new URL(url, 'http://server'), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
      body,
    })
    const answered = await answer(sent)
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.end(new Uint8Array(await answered.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // `address` is a path only for a server on a pipe.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('submits a form as the gateway would copy it', async () => {
  let form = new FormData()
  const baseUrl = await startServer(async (request) => {
    form = await request.formData()
    return Response.json({ pair_id: 'pair_1', sampled: true }, { status: 202 })
  })
  const stored = await createMigration({ apiKey: 'sk_live_key', baseUrl }).submit({
    front_image: new Blob(['front']),
    back_image: new Blob(['back']),
    liveness_video: new Blob(['video']),
    external_id: 'user-7',
    answered_by: 'v1',
    verification_id: 'ver_1',
  })
  expect(stored).toEqual({ pair_id: 'pair_1', sampled: true })
  const texts = ['external_id', 'answered_by', 'verification_id'].map((name) => form.get(name))
  expect(texts).toEqual(['user-7', 'v1', 'ver_1'])
  const files = ['front_image', 'back_image', 'liveness_video'].map((name) => form.get(name))
  const contents = files.map((file) => (file instanceof File ? file.text() : 'no file'))
  expect(await Promise.all(contents)).toEqual(['front', 'back', 'video'])
})

test('returns the page of the report as text', async () => {
  const accepted: unknown[] = []
  const baseUrl = await startServer(async (request) => {
    accepted.push(request.headers.get('accept'))
    return new Response('<p>नमस्ते</p>', { headers: { 'content-type': 'text/html' } })
  })
  const page = await createMigration({ apiKey: 'sk_live_key', baseUrl }).reportPage()
  expect(page).toBe('<p>नमस्ते</p>')
  expect(accepted).toEqual(['text/html'])
})

test('does not read a page without end', async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(2 ** 20)),
  })
  const { options } = createService(() => new Response(endless))
  const reading = createMigration({ ...options, maxRetries: 0 }).reportPage()
  await expect(reading).rejects.toMatchObject({ operation: 'migration.reportPage', code: 'unrecognized' })
})

test('steers by the routes of the contract', async () => {
  const { options, requests } = createService(() => Response.json(STATE))
  const migration = createMigration(options)
  const reason = 'Day 2 of the plan'
  await migration.changeStage({ stage: 'shadow-10', reason })
  await migration.rollBack({ reason })
  await migration.setKillSwitch({ engaged: true, reason })
  await migration.restartEvidence({ reason })
  expect(requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    'PUT /migration/stage',
    'POST /migration/rollback',
    'PUT /migration/kill-switch',
    'POST /migration/evidence/restart',
  ])
})

test('narrows the code of a refusal', async () => {
  const { options } = createService(() => refusal(409, 'state_conflict'), { maxRetries: 0 })
  const error: unknown = await createMigration(options)
    .changeStage({ stage: 'live', reason: 'Too early' })
    .catch((error: unknown) => error)
  expect(ApiError.isInstance(error, 'migration.changeStage') && error.code).toBe('state_conflict')
})
