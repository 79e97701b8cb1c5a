import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { buffer, json, text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import type { KycVersion } from '@vaani/contracts/migration'
import { openListeningServer } from '@vaani/service-kit/http/connection/listening-server'
import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Watcher } from './exchange.ts'
import { openGateway } from './open-gateway.ts'

/** A deployment that knows some ids, and notes what it is asked. */
interface Stand {
  known: Set<string>
  asked: string[]
  answer: RequestListener
}

let primary: Stand
let candidate: Stand
let answers: KycVersion
let watch: () => Watcher | null
let stack: AsyncDisposableStack
let url: string

async function openStand(name: string): Promise<Stand & { port: number }> {
  const stand: Stand = {
    known: new Set(),
    asked: [],
    async answer(request, response) {
      const [, , , id = ''] = request.url?.split(/[/?]/) ?? []
      const sent = await text(request)
      if (stand.known.has(id)) response.writeHead(200).end(`${name} ${sent}`)
      else response.writeHead(404, { 'X-From': name }).end(`not at ${name}`)
    },
  }
  const listening = await openListeningServer({
    host: '127.0.0.1',
    port: 0,
    whileStarting(request, response) {
      stand.asked.push(`${request.method} ${request.url}`)
      stand.answer(request, response)
    },
  })
  stack.defer(() => listening.stop(STOP_NOW))
  return Object.assign(stand, { port: listening.port })
}

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const [one, other] = [await openStand('primary'), await openStand('candidate')]
  primary = one
  candidate = other
  answers = 'v1'
  watch = () => null
  const gateway = openGateway({
    primary: new URL(`http://127.0.0.1:${one.port}`),
    candidate: new URL(`http://127.0.0.1:${other.port}`),
    maxConnections: 16,
    idleTimeoutMs: 5000,
    answers: () => answers,
    watch: () => watch(),
  })
  stack.defer(() => gateway.close())
  const listening = await openListeningServer({ host: '127.0.0.1', port: 0, whileStarting: gateway.handler })
  stack.defer(() => listening.stop(STOP_NOW))
  url = `http://127.0.0.1:${listening.port}`
})
afterEach(() => stack.disposeAsync())

const whole = () =>
  form({ front_image: new Blob(['a']), back_image: new Blob(['b']), liveness_video: new Blob(['c']) })

const makesId =
  (stand: () => Stand, id: string): RequestListener =>
  async (request, response) => {
    await buffer(request)
    stand().known.add(id)
    response.writeHead(200).end(JSON.stringify({ verification_id: id }))
  }

test.each(['v1', 'v2'] as const)(
  'with %s answering, an id is asked for there first, and then at the other',
  async (version) => {
    answers = version
    const [first, second] = version === 'v1' ? [primary, candidate] : [candidate, primary]
    first.known.add('ver_first')
    second.known.add('ver_second')
    for (const id of ['ver_first', 'ver_second', 'ver_second'])
      expect((await fetch(`${url}/identity/verifications/${id}?a=b`)).status).toBe(200)
    const reads = (id: string) => `GET /identity/verifications/${id}?a=b`
    expect(first.asked).toEqual([reads('ver_first'), reads('ver_second')])
    // It knows it the second time.
    expect(second.asked).toEqual([reads('ver_second'), reads('ver_second')])
  },
)

test('an id that nobody knows gets the answer of the version that answers', async () => {
  const answered = await fetch(`${url}/identity/verifications/ver_none`)
  expect([answered.status, answered.headers.get('x-from'), await answered.text()]).toEqual([
    404,
    'primary',
    'not at primary',
  ])
  expect(candidate.asked).toHaveLength(1)
})

const FAULTS: Readonly<Record<string, RequestListener>> = {
  'refuses the key': (_, response) => void response.writeHead(401).end(),
  'breaks off': (_, response) => void response.destroy(),
  fails: (_, response) => void response.writeHead(500).end('no'),
}
test.each(Object.entries(FAULTS))(
  'an unknown id is not found, even if the other deployment %s',
  async (_, answer) => {
    candidate.answer = answer
    const answered = await fetch(`${url}/identity/verifications/ver_none`)
    expect([answered.status, await answered.text()]).toEqual([404, 'not at primary'])
  },
)

test('a caller does not wait long for a deployment that hangs and is only asked because the first does not know', async () => {
  candidate.answer = () => undefined
  const answered = await fetch(`${url}/identity/verifications/ver_none`)
  expect([answered.status, await answered.text()]).toEqual([404, 'not at primary'])
})

test('a review goes with its body to the deployment that knows the id', async () => {
  candidate.known.add('ver_1')
  const body = '{"decision":"approved"}'
  const answered = await fetch(`${url}/identity/verifications/ver_1/review`, { method: 'POST', body })
  expect(await answered.text()).toBe(`candidate ${body}`)
  expect(primary.asked).toEqual(['POST /identity/verifications/ver_1/review'])
})

test('a large body is sent once only', async () => {
  const answered = await fetch(`${url}/identity/verifications/ver_1/review`, {
    method: 'POST',
    body: Buffer.alloc(1_000_000),
  })
  expect(answered.status).toBe(404)
  expect(candidate.asked).toEqual([])
})

test('the id of a submission is read where it was made, whatever answers later', async () => {
  primary.answer = makesId(() => primary, 'ver_old')
  await fetch(`${url}/identity/kyc/v1`, { method: 'POST', body: 'form' })
  answers = 'v2'
  primary.asked.length = 0
  await fetch(`${url}/identity/verifications/ver_old`)
  expect(primary.asked).toHaveLength(1)
  expect(candidate.asked).toEqual([])
})

test('everything else goes to the primary, whatever answers', async () => {
  answers = 'v2'
  for (const path of [
    '/agent/calls',
    '/identity/verifications',
    '/identity/subjects/a',
    '/webhooks/endpoints',
  ])
    await fetch(url + path)
  expect(primary.asked).toHaveLength(4)
  expect(candidate.asked).toEqual([])
})

test('version 2 goes to the deployment that answers', async () => {
  candidate.answer = primary.answer = async (request, response) => void response.end(await buffer(request))
  await fetch(`${url}/identity/kyc/v2`, { method: 'POST', body: '{}' })
  expect(primary.asked).toEqual(['POST /identity/kyc/v2'])
  answers = 'v2'
  await fetch(`${url}/identity/kyc/v2`, { method: 'POST', body: '{}' })
  expect(candidate.asked).toEqual(['POST /identity/kyc/v2'])
})

function form(parts: Readonly<Record<string, string | Blob>>): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries(parts)) made.append(name, value)
  return made
}

test('after promotion a form arrives as JSON, with what the caller sent along, and its answer comes back', async () => {
  answers = 'v2'
  const video = randomBytes(3_000_000)
  let seen: { headers: Record<string, unknown>; body: unknown } | undefined
  candidate.answer = async (request, response) => {
    seen = { headers: request.headers, body: await json(request) }
    response.writeHead(200, { 'X-Request-Id': 'req_12345678' }).end('{"verification_id":"ver_1"}')
  }
  const answered = await fetch(`${url}/identity/kyc/v1`, {
    method: 'POST',
    body: form({
      external_id: 'person-42',
      callback_url: 'https://a.example/hook',
      front_image: new Blob(['front']),
      back_image: new Blob(['back']),
      liveness_video: new Blob([video]),
    }),
    headers: { authorization: 'Bearer sk_1', 'idempotency-key': 'one', 'x-request-id': 'req_12345678' },
  })
  expect(answered.headers.get('x-request-id')).toBe('req_12345678')
  expect(await answered.json()).toEqual({ verification_id: 'ver_1' })
  expect(candidate.asked).toEqual(['POST /identity/kyc/v2'])
  expect(seen?.headers).toMatchObject({
    authorization: 'Bearer sk_1',
    'idempotency-key': 'one',
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
  })
  expect(seen?.body).toEqual({
    options: { store_media: true },
    external_id: 'person-42',
    callback_url: 'https://a.example/hook',
    front_image_b64: Buffer.from('front').toString('base64'),
    back_image_b64: Buffer.from('back').toString('base64'),
    liveness_video_b64: video.toString('base64'),
  })
})

test('after promotion every answer to version 1 says that it is deprecated, and which follows', async () => {
  answers = 'v2'
  const ends = async (body: FormData | string) => {
    const { status, headers } = await fetch(`${url}/identity/kyc/v1`, { method: 'POST', body })
    return [status, headers.get('deprecation'), headers.get('link')]
  }
  const said = ['@1795132800', '</identity/kyc/v2>; rel="successor-version"']
  candidate.answer = async (request, response) => {
    await buffer(request)
    response.writeHead(200, { Deprecation: '@1' }).end('{}')
  }
  expect(await ends(whole())).toEqual([200, '@1', said[1]])
  candidate.answer = async (request, response) => {
    await buffer(request)
    response.writeHead(422, { 'content-type': 'application/json' }).end('{"error":{}}')
  }
  expect(await ends(whole())).toEqual([422, ...said])
  expect(await ends('{}')).toEqual([415, ...said])
  candidate.answer = (request) => void request.socket.destroy()
  expect(await ends(whole())).toEqual([503, ...said])
})

test('after promotion a refusal names the part of the form', async () => {
  answers = 'v2'
  const error = {
    code: 'media_unreadable',
    param: 'front_image_b64',
    message: 'front_image_b64: is no image',
  }
  candidate.answer = async (request, response) => {
    await buffer(request)
    response.writeHead(415, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  }
  const answered = await fetch(`${url}/identity/kyc/v1`, { method: 'POST', body: whole() })
  expect(answered.status).toBe(415)
  expect(await answered.json()).toEqual({
    error: { code: 'media_unreadable', param: 'front_image', message: 'front_image: is no image' },
  })
})

test.each([
  ['an unknown part', form({ hello: 'x' }), 400, { code: 'invalid_request', param: null }],
  [
    'a file sent as text',
    form({ front_image: 'x' }),
    400,
    { code: 'missing_artifact', param: 'front_image' },
  ],
  [
    'a text sent as a file',
    form({ external_id: new Blob(['x']) }),
    400,
    { code: 'invalid_request', param: 'external_id' },
  ],
  [
    'a missing part',
    form({ front_image: new Blob(['a']) }),
    400,
    { code: 'missing_artifact', param: 'back_image' },
  ],
  ['no form', '{}', 415, { code: 'unsupported_media_type', param: null }],
] as const)('after promotion %s is refused as version 1 refuses it', async (_, body, status, error) => {
  answers = 'v2'
  candidate.answer = async (request, response) => {
    await buffer(request).catch(() => null)
    response.end('{}')
  }
  const answered = await fetch(`${url}/identity/kyc/v1`, { method: 'POST', body })
  expect(answered.status).toBe(status)
  expect(await answered.json()).toMatchObject({ error })
  // The connection to the deployment is not left in the midst of a request.
  candidate.answer = (_request, response) => void response.end('{"fine":true}')
  expect((await fetch(`${url}/identity/kyc/v1`, { method: 'POST', body: whole() })).status).toBe(200)
})

test('after promotion a caller that leaves in the midst of an upload ends the request', async () => {
  answers = 'v2'
  const [begun, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  candidate.answer = (request) => {
    request.once('data', () => begun.resolve()).once('error', () => aborted.resolve())
  }
  const leaving = new AbortController()
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(
        Buffer.from('--b\r\nContent-Disposition: form-data; name="front_image"; filename="a"\r\n\r\nabcdef'),
      )
    },
  })
  const sending = fetch(`${url}/identity/kyc/v1`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    signal: leaving.signal,
  } as RequestInit)
  await begun.promise
  leaving.abort()
  await expect(sending).rejects.toThrow()
  await aborted.promise
})

test('after promotion the form is still seen as it was sent', async () => {
  answers = 'v2'
  const seen: Buffer[] = []
  const order: unknown[] = []
  watch = () => ({
    onRequestData: (chunk) => void seen.push(chunk),
    onRequestEnd: () => void order.push('whole'),
    onAnswer: (status) => void order.push(status),
    onAnswerData: (chunk) => void order.push(chunk.toString()),
    onEnd: (outcome) => void order.push(outcome),
  })
  candidate.answer = async (request, response) => {
    await buffer(request)
    response.end('{"verification_id":"ver_1"}')
  }
  const parts = ['front_image', 'back_image', 'liveness_video'].map(
    (name) => `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\nabcdef\r\n`,
  )
  const sent = Buffer.from(`${parts.join('')}--b--\r\n`)
  await fetch(`${url}/identity/kyc/v1`, {
    method: 'POST',
    body: sent,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  while (order.at(-1) !== 'answered') await turn()
  expect(Buffer.concat(seen)).toEqual(sent)
  expect(order).toEqual(['whole', 200, '{"verification_id":"ver_1"}', 'answered'])
})

test('after promotion a candidate that is down is a 503', async () => {
  answers = 'v2'
  candidate.answer = (request) => void request.socket.destroy()
  const answered = await fetch(`${url}/identity/kyc/v1`, { method: 'POST', body: whole() })
  expect(answered.status).toBe(503)
})
