import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ApiError, type Clock, type MediaSource, Vaani } from '@vaani/client'
import { afterEach, expect, test } from 'vitest'
import type { Dropped } from './hand-over.ts'
import { shadowIdentity, type ShadowOptions } from './shadow-identity.ts'

let held = new AsyncDisposableStack()
afterEach(async () => {
  await held.disposeAsync()
  held = new AsyncDisposableStack()
})

const FRONT = Buffer.from('front')
const BACK = Buffer.from('back')
const FACE = Buffer.from('face')
const KEY = 'sk_live_worker'

const submission = () => ({
  front_image: new Blob([FRONT]),
  back_image: new Blob([BACK]),
  liveness_video: new Blob([FACE]),
  external_id: 'user-7',
})

test('an accepted submission is handed to the worker with the id that v1 gave it', async () => {
  const { identity, worker } = await start()
  const answer = await identity.submitV1({ ...submission(), callback_url: 'https://app.example/kyc' })
  await identity.shadow.flush()
  expect(answer.verification_id).toBe('ver_1')
  expect(worker.requests).toEqual([
    {
      target: 'POST /migration/submissions',
      authorization: `Bearer ${KEY}`,
      parts: {
        external_id: 'user-7',
        callback_url: 'https://app.example/kyc',
        verification_id: 'ver_1',
        answered_by: 'v1',
        front_image: 'front',
        back_image: 'back',
        liveness_video: 'face',
      },
    },
  ])
  expect(identity.shadow.counts().handedOver).toBe(1)
})

test("the caller has the client's own promise, and the other methods are the client's", async () => {
  const { identity } = await start()
  const { data, status, attempts } = await identity.submitV1(submission()).withResponse()
  expect([data.verification_id, status, attempts]).toEqual(['ver_1', 200, 1])
  const response = await identity.submitV1(submission()).asResponse()
  expect(await response.json()).toMatchObject({ verification_id: 'ver_2' })
  await expect(identity.retrieve('ver_1')).resolves.toMatchObject({ verification_id: 'ver_3' })
})

test('nobody waits for a worker that hangs, and its copy ends with the time limit', async () => {
  const { identity, worker, clock, dropped } = await start({ timeoutMs: 1000 })
  worker.answer = () => undefined
  await expect(identity.submitV1(submission())).resolves.toMatchObject({ verification_id: 'ver_1' })
  await worker.arrived(1)
  expect(dropped).toEqual([])
  clock.advance(1000)
  await identity.shadow.flush()
  expect(dropped).toEqual([{ verificationId: 'ver_1', status: null, reason: 'timed_out' }])
})

test('a worker that is gone fails nothing', async () => {
  const { identity, worker, dropped } = await start()
  await worker.stop()
  await expect(identity.submitV1(submission())).resolves.toMatchObject({ verification_id: 'ver_1' })
  await identity.shadow.flush()
  expect(dropped).toEqual([{ verificationId: 'ver_1', status: null, reason: 'unreachable' }])
})

test('a worker that refuses is reported with its status', async () => {
  const { identity, worker, dropped } = await start()
  worker.answer = (response) => void response.writeHead(503).end()
  await identity.submitV1(submission())
  await identity.shadow.flush()
  expect(dropped).toEqual([{ verificationId: 'ver_1', status: 503, reason: 'refused' }])
})

test('an error of v1 reaches the caller, and the worker gets nothing', async () => {
  const { identity, primary, worker, dropped } = await start()
  primary.answer = (response) =>
    void response
      .writeHead(422, { 'content-type': 'application/json' })
      .end('{"error":{"code":"spoof_detected","message":"no"}}')
  const failure = await identity.submitV1(submission()).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({ status: 422, code: 'spoof_detected' })
  await identity.shadow.flush()
  expect(worker.requests).toEqual([])
  expect(dropped).toEqual([])
  expect(identity.shadow.counts().dropped.not_accepted).toBe(1)
})

test('media that can be read only once arrives whole at both', async () => {
  const { identity, primary, worker } = await start()
  async function* inTwo() {
    yield Buffer.from('ba')
    yield Buffer.from('ck')
  }
  await identity.submitV1({
    front_image: new Blob([FRONT]).stream(),
    back_image: inTwo(),
    liveness_video: Readable.from([FACE]),
  })
  await identity.shadow.flush()
  const media = { front_image: 'front', back_image: 'back', liveness_video: 'face' }
  expect(primary.requests[0]?.parts).toMatchObject(media)
  expect(worker.requests[0]?.parts).toMatchObject(media)
})

test('a stream beyond the memory for copies goes to v1 alone, and the memory is free again', async () => {
  const { identity, primary, worker, dropped } = await start({ maxHeldBytes: 10 })
  const large = Buffer.alloc(11, 'x')
  await identity.submitV1({ ...submission(), liveness_video: Readable.from([large.subarray(0, 6), large]) })
  await identity.shadow.flush()
  expect(primary.requests[0]?.parts['liveness_video']).toBe('x'.repeat(17))
  expect(dropped).toEqual([{ verificationId: 'ver_1', status: null, reason: 'too_large' }])
  await identity.submitV1({ ...submission(), liveness_video: large.subarray(0, 10) })
  await identity.shadow.flush()
  await identity.submitV1({ ...submission(), liveness_video: large.subarray(0, 10) })
  await identity.shadow.flush()
  expect(worker.requests).toHaveLength(2)
})

test('bytes that the caller changes after its answer are copied as they were', async () => {
  const { identity, primary, worker } = await start()
  const bytes = Buffer.from('face')
  await identity.submitV1({ ...submission(), liveness_video: bytes })
  bytes.fill('x')
  await identity.shadow.flush()
  expect(primary.requests[0]?.parts['liveness_video']).toBe('face')
  expect(worker.requests[0]?.parts['liveness_video']).toBe('face')
})

test('a file may be deleted after the answer, and one that was changed is not sent', async () => {
  const { identity, primary, worker, dropped } = await start()
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-hook-'))
  held.defer(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'face.mp4')
  await writeFile(file, FACE)
  primary.before = () => rm(file)
  await identity.submitV1({ ...submission(), liveness_video: file })
  await identity.shadow.flush()
  expect(worker.requests[0]?.parts['liveness_video']).toBe('face')
  await writeFile(file, FACE)
  primary.before = () => writeFile(file, 'another face')
  await identity.submitV1({ ...submission(), liveness_video: file })
  await identity.shadow.flush()
  expect(dropped).toEqual([{ verificationId: 'ver_2', status: null, reason: 'unreadable' }])
  expect(worker.requests).toHaveLength(1)
})

test('a source that is no media fails as it does without the hook', async () => {
  const { identity } = await start()
  // @ts-expect-error as a program without types calls it
  const wrong: MediaSource = 7
  const failure = await identity
    .submitV1({ ...submission(), front_image: wrong })
    .catch((error: unknown) => error)
  expect(failure).toEqual(new TypeError('front_image must be a blob, bytes, a stream or a path'))
})

test('copies beyond those that may wait are dropped', async () => {
  const { identity, worker, dropped } = await start({ maxConcurrent: 1, maxWaiting: 1 })
  const open: ServerResponse[] = []
  worker.answer = (response) => void open.push(response)
  for (let index = 0; index < 3; index += 1) await identity.submitV1(submission())
  expect(dropped).toEqual([{ verificationId: 'ver_3', status: null, reason: 'queue_full' }])
  await worker.arrived(1)
  worker.answer = accept
  open.forEach(accept)
  await identity.shadow.flush()
  expect(worker.requests.map(({ parts }) => parts['verification_id'])).toEqual(['ver_1', 'ver_2'])
})

test('while the worker shadows nothing, nothing is copied, and it is asked again after ten seconds', async () => {
  const { identity, worker, clock, dropped } = await start()
  worker.answer = (response) => void response.writeHead(409).end()
  await identity.submitV1(submission())
  await identity.shadow.flush()
  await identity.submitV1(submission())
  await identity.shadow.flush()
  expect(worker.requests).toHaveLength(1)
  expect(dropped).toEqual([])
  expect(identity.shadow.counts().dropped.off).toBe(2)
  clock.advance(10_000)
  worker.answer = accept
  await identity.submitV1(submission())
  await identity.shadow.flush()
  expect(identity.shadow.counts().handedOver).toBe(1)
})

test('an observer that fails harms nobody', async () => {
  const { identity, worker } = await start({
    onDropped: () => {
      throw new Error('broken')
    },
  })
  await worker.stop()
  await expect(identity.submitV1(submission())).resolves.toMatchObject({ verification_id: 'ver_1' })
  await identity.shadow.flush()
  expect(identity.shadow.counts().dropped.unreachable).toBe(1)
})

test('flush returns after its time even if the worker hangs', async () => {
  const { identity, worker, clock } = await start()
  worker.answer = () => undefined
  await identity.submitV1(submission())
  await worker.arrived(1)
  const flushed = identity.shadow.flush(500)
  clock.advance(500)
  await flushed
  expect(identity.shadow.counts().handedOver).toBe(0)
})

test.each(['shadow-worker:8091', 'ftp://worker', 'http://worker/?key=1'])('the URL %s is refused', (url) => {
  const vaani = new Vaani({ apiKey: 'sk_test_1', baseUrl: 'http://127.0.0.1:1' })
  expect(() => shadowIdentity(vaani, { url, apiKey: KEY })).toThrow(/^baseUrl must be/)
})

const accept = (response: ServerResponse): void =>
  void response
    .writeHead(202, { 'content-type': 'application/json' })
    .end('{"pair_id":"pair_1","sampled":true}')

async function start(options: Partial<ShadowOptions> = {}) {
  const primary = await startService((response, count) => {
    const body = { verification_id: `ver_${count}`, decision: 'pending' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const worker = await startService(accept)
  const clock = createClock()
  const dropped: Dropped[] = []
  const vaani = new Vaani({ apiKey: 'sk_test_1', baseUrl: primary.url, maxRetries: 0 })
  const identity = shadowIdentity(vaani, {
    url: worker.url,
    apiKey: KEY,
    clock,
    onDropped: (one) => dropped.push(one),
    ...options,
  })
  return { identity, primary, worker, clock, dropped }
}

interface Seen {
  target: string
  authorization: string | undefined
  parts: Record<string, string>
}

/** A service that reads forms. */
async function startService(answer: (response: ServerResponse, count: number) => void) {
  const requests: Seen[] = []
  let whenArrived = (): void => undefined
  const service = { answer, before: async (): Promise<void> => undefined, requests, url: '', stop, arrived }
  const server = createServer((request, response) => {
    void take(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  held.defer(stop)
  const address = server.address()
  service.url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
  return service

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(await read(request))
    whenArrived()
    await service.before()
    service.answer(response, requests.length)
  }

  async function stop(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  async function arrived(count: number): Promise<void> {
    while (requests.length < count) await new Promise<void>((resolve) => (whenArrived = resolve))
  }
}

async function read(request: IncomingMessage): Promise<Seen> {
  const body = await buffer(request)
  const type = request.headers['content-type']
  const parts: Record<string, string> = {}
  if (type !== undefined) {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    for (const [name, value] of form) parts[name] = typeof value === 'string' ? value : await value.text()
  }
  return {
    target: `${request.method} ${request.url}`,
    authorization: request.headers.authorization,
    parts,
  }
}

function createClock(): Clock & { advance(ms: number): void } {
  let nowMs = 0
  const timers = new Set<{ atMs: number; action: () => void }>()
  return {
    nowMs: () => nowMs,
    after(delayMs, action) {
      const timer = { atMs: nowMs + delayMs, action }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      nowMs += ms
      for (const timer of timers)
        if (timer.atMs <= nowMs) {
          timers.delete(timer)
          timer.action()
        }
    },
  }
}
