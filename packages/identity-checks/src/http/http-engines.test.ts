import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { COLOUR_FACES, COLOUR_FILMS } from '../../test/colour-pictures.ts'
import { type EngineService, SECRET, startEngineService } from '../../test/engine-service.ts'
import { toJpegPicture } from '../image/jpeg-picture.ts'
import { createEngineServer } from './engine-server.ts'
import { createHttpFaceEngine, createHttpLivenessEngine, livenessOf } from './http-engines.ts'
import { checkOptions } from './options.ts'

let service: EngineService
beforeAll(async () => {
  service = await startEngineService()
})
afterEach(() => {
  service.next.length = 0
})
afterAll(() => service[Symbol.asyncDispose]())

/** An engine whose waits end at once, with a clock that they move. */
function open(options: { timeoutMs?: number; url?: string; secret?: string } = {}) {
  let nowMs = Date.now()
  const waits: number[] = []
  const server = createEngineServer(
    { url: service.url, secret: SECRET, ...options },
    {
      nowMs: () => nowMs,
      random: () => 1,
      async wait(ms) {
        waits.push(ms)
        nowMs += ms
      },
    },
  )
  const from = service.received.length
  return {
    engine: livenessOf(server),
    waits,
    pass: (ms: number) => void (nowMs += ms),
    requests: () => service.received.slice(from),
  }
}
const answerWith =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(JSON.stringify(body))
const cut = (response: ServerResponse) => response.destroy()
const never = () => undefined
const GOOD = { model: 'm/1', score: 0.5, thresholds: { passed: 0.9, warning: 0.6 } }

test('an answer may begin with a byte order mark', async () => {
  const { engine } = open()
  service.next.push((response) => response.writeHead(200).end(`\ufeff${JSON.stringify(GOOD)}`))
  expect(await engine.judge([])).toMatchObject({ model: 'm/1' })
})

test('frames arrive in the order of their times as JPEG, signed, with an id of their own', async () => {
  const { engine, requests } = open()
  const frames = (await COLOUR_FILMS.live()).map(async ({ picture, timeMs }) => ({
    picture: await toJpegPicture(picture),
    timeMs,
  }))
  // The server verifies the signature with `@vaani/webhook-verifier`.
  expect(await engine.judge(await Promise.all(frames))).toMatchObject({ model: 'colours/1' })
  const [{ headers, body } = { headers: {}, body: '' }] = requests()
  const { frames: sent, ...rest } = JSON.parse(body)
  expect(rest).toEqual({ protocol: 1, id: headers['webhook-id'], kind: 'liveness' })
  expect(sent.map(({ time_ms }: { time_ms: number }) => time_ms)).toEqual([0, 1000, 2000])
  expect(sent[0]).toEqual({
    time_ms: 0,
    jpeg_b64: expect.stringMatching(/^\/9j\//),
    width: 64,
    height: 64,
  })
})

test('a wrong secret is refused and not tried again', async () => {
  const { engine, requests } = open({ secret: 'another secret of 16' })
  const host = new URL(service.url).host
  await expect(engine.judge([])).rejects.toMatchObject({
    code: 'refused',
    message: `The engine at ${host} answered 401`,
  })
  expect(requests()).toHaveLength(1)
})

test('a failed connection and a busy server are tried again with the same id', async () => {
  const { engine, waits, requests } = open()
  service.next.push(cut, answerWith(503, {}, { 'retry-after': '4' }))
  expect(await engine.judge([])).toMatchObject({ score: null })
  expect(waits).toEqual([400, 4000])
  const sent = requests()
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('gives up after three attempts, or if the server asks to wait longer than there is time', async () => {
  const { engine, requests } = open()
  service.next.push(answerWith(500), answerWith(429), answerWith(502))
  await expect(engine.judge([])).rejects.toMatchObject({ code: 'unavailable' })
  expect(requests()).toHaveLength(3)
  service.next.push(answerWith(429, {}, { 'retry-after': '31' }))
  await expect(engine.judge([])).rejects.toMatchObject({ code: 'unavailable' })
  expect(requests()).toHaveLength(4)
})

test('a server that does not answer in time is not asked again', async () => {
  const { engine, requests } = open({ timeoutMs: 40 })
  service.next.push(never)
  await expect(engine.judge([])).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('did not answer within 40 ms'),
  })
  service.next.push((response) => response.writeHead(200).write('{'))
  await expect(engine.judge([])).rejects.toMatchObject({ code: 'unavailable' })
  expect(requests()).toHaveLength(2)
})

test('after three failures an engine rests; then one request tries it', async () => {
  const { engine, requests, pass } = open()
  for (let turn = 0; turn < 3; turn++) {
    service.next.push(cut, cut, cut)
    await expect(engine.judge([])).rejects.toMatchObject({ code: 'unavailable' })
  }
  expect(requests()).toHaveLength(9)
  await expect(engine.judge([])).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('not asked for a while'),
  })
  pass(10_000)
  service.next.push(answerWith(500), answerWith(500), answerWith(500))
  await expect(engine.judge([])).rejects.toMatchObject({ code: 'unavailable' })
  pass(10_000)
  await expect(engine.judge([])).rejects.toMatchObject({ code: 'unavailable' })
  expect(requests()).toHaveLength(12)
  pass(10_000)
  const [first, second] = await Promise.allSettled([engine.judge([]), engine.judge([])])
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
  expect(await engine.judge([])).toMatchObject({ score: null })
})

test.each<[string, (response: ServerResponse) => unknown, string, string]>([
  ['a redirect', answerWith(307, {}, { location: 'https://other.example/' }), 'refused', 'answered 307'],
  ['no content', answerWith(204), 'refused', 'answered 204'],
  ['no JSON', (response) => response.end('<html>private</html>'), 'answer_invalid', 'not JSON'],
  ['more than 4 MB', (response) => response.end(Buffer.alloc(5_000_000, 32)), 'answer_invalid', 'more than'],
  ['no object', answerWith(200, 'private'), 'answer_invalid', 'expected object'],
  ['no model', answerWith(200, { ...GOOD, model: undefined }), 'answer_invalid', 'model'],
  [
    'a model without a version',
    answerWith(200, { ...GOOD, model: 'private' }),
    'answer_invalid',
    'name/version',
  ],
  ['no score', answerWith(200, { ...GOOD, score: 'private' }), 'answer_invalid', 'score'],
  [
    'limits the wrong way round',
    answerWith(200, { ...GOOD, thresholds: { passed: 0.2, warning: 0.6 } }),
    'answer_invalid',
    'thresholds: passed must not be below warning',
  ],
])('an answer with %s is an error that quotes nothing', async (_, respond, code, problem) => {
  const { engine, requests } = open()
  service.next.push(respond)
  const error: unknown = await engine.judge([]).catch((one: unknown) => one)
  expect(error).toMatchObject({ name: 'EngineError', code, message: expect.stringContaining(problem) })
  expect(inspect(error, { depth: 9 })).not.toMatch(/private|engine\?|jpeg/)
  expect(requests()).toHaveLength(1)
})

test('an answer must have the faces of every picture, and says them in any order', async () => {
  await using engine = createHttpFaceEngine({ url: service.url, secret: SECRET })
  const rest = { model: 'm/1', min_confidence: 0.5, match: { passed: 0.9, warning: 0.6 } }
  service.next.push(answerWith(200, { ...rest, pictures: [] }))
  await expect(engine.detect([await COLOUR_FACES.face()])).rejects.toMatchObject({
    code: 'answer_invalid',
    message: expect.stringContaining('faces'),
  })
  const face = (width: number) => ({
    box: { left: 0, top: 0, width, height: 1 },
    confidence: 1,
    embedding: [1],
  })
  service.next.push(answerWith(200, { ...rest, pictures: [{ faces: [face(1), face(2)] }] }))
  const { faces } = await engine.detect([await COLOUR_FACES.face()])
  expect(faces[0]?.map(({ box }) => box.width)).toEqual([2, 1])
})

test('disposal ends a request in progress', async () => {
  const engine = createHttpLivenessEngine({ url: service.url, secret: SECRET })
  const arrived = Promise.withResolvers<ServerResponse>()
  service.next.push(arrived.resolve)
  const judging = expect(engine.judge([])).rejects.toMatchObject({ code: 'unavailable' })
  const response = await arrived.promise
  const closed = once(response, 'close')
  await engine[Symbol.asyncDispose]()
  await Promise.all([judging, closed])
})

test.each([
  [{ url: 'ftp://127.0.0.1/' }, 'url'],
  [{ url: 'https://user:secret@127.0.0.1/' }, 'url'],
  [{ url: 'https://127.0.0.1/?key=secret' }, 'url'],
  [{ secret: 'secret' }, 'secret must'],
  [{ secret: 'whsec_secret!' }, 'secret must'],
  [{ timeoutMs: 0 }, 'timeoutMs'],
])('refuses %o and names the option', (options, problem) => {
  const check = () => checkOptions({ url: service.url, secret: SECRET, ...options })
  expect(check).toThrow(expect.objectContaining({ code: 'setting_invalid' }))
  expect(check).toThrow(problem)
  expect(check).not.toThrow(/user:secret|key=secret|whsec_secret/)
})
