import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { FormError } from '../../../convert/to-v2.ts'
import { createDeploymentClient } from './deployment-client.ts'

const VERIFICATION = { verification_id: 'ver_1', decision: 'approved', scores: {} }
const never = new AbortController().signal

async function startClient(listener: RequestListener, sendTimeoutMs = 5000) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const client = createDeploymentClient({ url, maxConnections: 1, sendTimeoutMs })
  onTestFinished(async () => {
    await client[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
  })
  return client
}

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request
      .resume()
      .on('end', () =>
        response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body)),
      )
  }

const submission = (body: AsyncIterable<string>) => ({
  path: '/identity/kyc/v2',
  contentType: 'application/json',
  apiKey: 'key',
  idempotencyKey: 'pair_1',
  body,
})
async function* bodyOf(...chunks: string[]) {
  yield* chunks
}
const submit = async (listener: RequestListener) =>
  (await startClient(listener)).submit(submission(bodyOf('{', '}')), never)

test.each([
  ['accepted', 200, VERIFICATION, { result: 'accepted', reported: { verificationId: 'ver_1' } }],
  ['without an id', 200, { decision: 'approved', scores: {} }, { result: 'failed' }],
  ['no JSON', 200, '<html>', { result: 'failed' }],
  [
    'an id beyond all length',
    200,
    { ...VERIFICATION, verification_id: 'x'.repeat(201) },
    { result: 'failed' },
  ],
  ['more than is read', 200, `"${'x'.repeat(2_000_000)}"`, { result: 'failed' }],
  ['a redirect', 302, '', { result: 'failed' }],
  ['refused', 422, { error: { code: 'spoof_detected' } }, { result: 'refused', errorCode: 'spoof_detected' }],
  [
    'refused with what is no code',
    400,
    { error: { code: 'Erika Mustermann' } },
    { result: 'refused', errorCode: null },
  ],
  ['a wrong key', 401, {}, { result: 'again', isFault: false }],
  ['too often', 429, {}, { result: 'again', isFault: false, retryAfterMs: 7000 }],
  ['unavailable', 503, {}, { result: 'again', isFault: true, retryAfterMs: 7000 }],
])('an answer that is %s', async (_, status, body, result) => {
  expect(await submit(answering(status, body, { 'retry-after': '7', location: '/' }))).toMatchObject(result)
})

test('a replayed answer has no latency', async () => {
  const sent = await submit(answering(200, VERIFICATION, { 'idempotent-replayed': 'true' }))
  expect(sent).toMatchObject({ result: 'accepted', answerMs: null })
})

test('a deployment that resets, hangs or is away is at fault, and a stop of ours is not', async () => {
  const again = { result: 'again', isFault: true }
  expect(await submit((request) => request.socket.destroy())).toMatchObject(again)
  const hanging = await startClient(() => undefined, 50)
  expect(await hanging.submit(submission(bodyOf('x')), never)).toMatchObject(again)
  const away = createDeploymentClient({
    url: new URL('http://127.0.0.1:1'),
    maxConnections: 1,
    sendTimeoutMs: 5000,
  })
  expect(await away.submit(submission(bodyOf('x')), never)).toMatchObject(again)
  await away[Symbol.asyncDispose]()
  const stop = new AbortController()
  const stopped = (await startClient(() => stop.abort())).submit(submission(bodyOf('x')), stop.signal)
  expect(await stopped).toMatchObject({ result: 'again', isFault: false })
})

test('a form that cannot be read is nobody else’s fault', async () => {
  async function* broken() {
    yield 'x'
    await turn()
    throw new FormError('is not well-formed')
  }
  const client = await startClient(answering(200, VERIFICATION))
  await expect(client.submit(submission(broken()), never)).rejects.toThrow(FormError)
})

test.each([
  [200, VERIFICATION, 'found'],
  [404, {}, 'missing'],
  [429, {}, 'forbidden'],
  [403, {}, 'forbidden'],
  [500, {}, 'failed'],
  [200, 'nothing', 'failed'],
])('a read with %s and %j', async (status, body, result) => {
  const client = await startClient(answering(status, body))
  const { read } = await client.read({ verificationId: 'a/b?c', apiKey: 'key', withExtracted: true }, never)
  expect(read.result).toBe(result)
})
