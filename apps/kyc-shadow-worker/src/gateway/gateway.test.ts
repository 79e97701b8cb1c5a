import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '@vaani/service-kit/clock'
import { answerInPlaceOfNode } from '@vaani/service-kit/http/refusals/malformed-refusal'
import { openListeningServer } from '@vaani/service-kit/http/connection/listening-server'
import { createIdMaker } from '@vaani/service-kit/ids'
import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExchangeOutcome, Watcher } from './exchange.ts'
import { type Gateway, openGateway } from './open-gateway.ts'

let answer: RequestListener
let primaryPort: number
let port: number
let watch: (request: IncomingMessage) => Watcher | null
let ends: ExchangeOutcome[]
let stack: AsyncDisposableStack

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const ended: ExchangeOutcome[] = []
  ends = ended
  answer = (_, response) => void response.end()
  watch = () => null
  // As a good deployment does, it lets a caller read an answer that goes out before the request has arrived.
  const primary = await openListeningServer({
    host: '127.0.0.1',
    port: 0,
    whileStarting: (request, response) => answer(request, response),
  })
  stack.defer(() => primary.stop(STOP_NOW))
  primaryPort = primary.port
  const gateway: Gateway = openGateway({
    primary: new URL(`http://127.0.0.1:${primaryPort}`),
    candidate: new URL(`http://127.0.0.1:${primaryPort}`),
    answers: () => 'v1',
    maxConnections: 16,
    idleTimeoutMs: 5000,
    watch: (request) => watch(request),
    onEnd: (outcome) => void ended.push(outcome),
  })
  stack.defer(() => gateway.close())
  const listening = await openListeningServer({ host: '127.0.0.1', port: 0, whileStarting: gateway.handler })
  answerInPlaceOfNode(listening.server, createIdMaker(systemClock))
  stack.defer(() => listening.stop(STOP_NOW))
  port = listening.port
})
afterEach(() => stack.disposeAsync())

/** Sends bytes on a socket of its own, and collects what comes back. */
function open(to = port): Socket & { text: () => string; until: (part: string) => Promise<void> } {
  const socket = connect(to, '127.0.0.1')
  let received = ''
  socket.on('error', () => undefined).on('data', (chunk) => (received += chunk.toString('latin1')))
  stack.defer(() => void socket.destroy())
  return Object.assign(socket, {
    text: () => received,
    async until(part: string) {
      while (!received.includes(part)) {
        if (socket.destroyed)
          throw new Error(`The connection closed without ${JSON.stringify(part)}: ${received}`)
        await turn()
      }
    },
  })
}

const url = (path = '/') => `http://127.0.0.1:${port}${path}`

test('an answer comes back byte for byte: status, reason, headers in order and spelling, body', async () => {
  const body = randomBytes(100_000)
  answer = (_, response) => {
    response.sendDate = false
    response.writeHead(299, 'Fine Then', [
      'X-B',
      '1',
      'x-a',
      '\u00e9',
      'X-b',
      '2',
      'Set-Cookie',
      'a',
      'Set-Cookie',
      'b',
      'Content-Length',
      String(body.length),
    ])
    response.end(body)
  }
  const [direct, through] = [open(primaryPort), open()]
  for (const socket of [direct, through]) {
    socket.write('GET /path?q=%20 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
  }
  expect(through.text()).toBe(direct.text())
})

test('a request reaches the primary byte for byte, with the address of its caller', async () => {
  const body = randomBytes(300_000)
  let seen: { method?: string | undefined; url?: string | undefined; raw: string[]; body: Buffer } | undefined
  answer = async (request, response) => {
    seen = { method: request.method, url: request.url, raw: request.rawHeaders, body: await buffer(request) }
    response.end('ok')
  }
  const answered = await fetch(url('/identity/kyc/v1?a=%2F&b'), {
    method: 'PUT',
    body,
    headers: { 'x-forwarded-for': '10.1.1.1', 'content-type': 'multipart/form-data; boundary=x' },
  })
  expect(await answered.text()).toBe('ok')
  expect(seen?.body.equals(body)).toBe(true)
  expect(seen).toMatchObject({ method: 'PUT', url: '/identity/kyc/v1?a=%2F&b' })
  expect(seen?.raw).toEqual(
    expect.arrayContaining(['content-length', '300000', 'X-Forwarded-For', '10.1.1.1, 127.0.0.1']),
  )
  expect(seen?.raw).toEqual(expect.arrayContaining(['host', `127.0.0.1:${primaryPort}`]))
})

test.each([
  ['HEAD', 200, { 'Content-Length': '5' }],
  ['GET', 204, {}],
  ['GET', 304, { ETag: '"a"' }],
] as const)(
  'an answer to %s of %d without a body leaves the connection usable',
  async (method, status, headers) => {
    answer = (_, response) => void response.writeHead(status, headers).end()
    const socket = open()
    for (const marker of ['one', 'two']) {
      socket.write(`${method} /${marker} HTTP/1.1\r\nHost: a\r\n\r\n`)
      await socket.until('\r\n\r\n')
    }
    while (socket.text().split(`HTTP/1.1 ${status}`).length < 3) await turn()
    expect(socket.destroyed).toBe(false)
  },
)

test('chunks and trailers are passed on', async () => {
  answer = (_, response) => {
    response.writeHead(200, { Trailer: 'X-Sum' })
    response.write('a')
    response.addTrailers({ 'X-Sum': '1' })
    response.end('b')
  }
  const socket = open()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await socket.until('X-Sum: 1\r\n\r\n')
  expect(socket.text()).toContain('Trailer: X-Sum')
})

test('early hints are passed on', async () => {
  answer = (_, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    response.end('late')
  }
  const socket = open()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await socket.until('late')
  expect(socket.text()).toMatch(/^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>; rel=preload\r\n/i)
})

test('a primary that answers before the body has arrived is heard', async () => {
  answer = (request, response) => {
    response.writeHead(413, { connection: 'close' }).end('too large')
    request.resume()
  }
  const socket = open()
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n')
  socket.write(Buffer.alloc(1_000_000))
  await socket.until('too large')
  expect(socket.text()).toMatch(/^HTTP\/1\.1 413 /)
})

test('a caller that waits for a 100 gets it from the primary', async () => {
  answer = async (request, response) => void response.end(await buffer(request))
  const socket = open()
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n')
  await socket.until('100 Continue\r\n\r\n')
  socket.write('body')
  await socket.until('body')
  expect(socket.text()).toMatch(/HTTP\/1\.1 200 OK/)
})

test('a caller that waits for a 100 gets a refusal of the primary in its place', async () => {
  const primary = createServer()
  primary.on('checkContinue', (_, response) => void response.writeHead(401).end('no'))
  await new Promise<void>((resolve) => primary.listen(0, '127.0.0.1', resolve))
  stack.defer(() => void primary.close())
  const { port: refusing } = primary.address() as AddressInfo
  const gateway = openGateway({
    primary: new URL(`http://127.0.0.1:${refusing}`),
    candidate: new URL(`http://127.0.0.1:${refusing}`),
    answers: () => 'v1',
    maxConnections: 1,
    idleTimeoutMs: 5000,
    watch: () => null,
  })
  stack.defer(() => gateway.close())
  const listening = await openListeningServer({ host: '127.0.0.1', port: 0, whileStarting: gateway.handler })
  stack.defer(() => listening.stop(STOP_NOW))
  const socket = open(listening.port)
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n')
  await socket.until('no')
  expect(socket.text()).toMatch(/^HTTP\/1\.1 401 /)
  expect(socket.text()).not.toContain('100 Continue')
})

test('a caller that hangs up in the midst of an upload ends the request to the primary', async () => {
  const aborted = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  answer = (request) => {
    request.once('data', () => begun.resolve()).once('error', () => aborted.resolve())
  }
  const ends: string[] = []
  watch = () => ({
    onRequestData: () => undefined,
    onRequestEnd: () => undefined,
    onAnswer: () => undefined,
    onAnswerData: () => undefined,
    onEnd: (outcome) => void ends.push(outcome),
  })
  const socket = open()
  socket.write('POST /identity/kyc/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\nbegun')
  await begun.promise
  socket.destroy()
  await aborted.promise
  expect(ends).toEqual(['caller_left'])
})

test('a primary that is down is a 503 that says so, and one that breaks off closes the connection', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.destroy())
  }
  const broken = open()
  broken.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => broken.once('close', resolve))
  expect(broken.text()).toMatch(/half$/)

  answer = (request) => void request.socket.destroy()
  const answered = await fetch(url())
  expect(answered.status).toBe(503)
  expect(answered.headers.get('retry-after')).toBe('1')
  expect(await answered.json()).toMatchObject({ error: { code: 'service_unavailable' } })
})

test('what is watched is seen whole, and passes on unchanged', async () => {
  const [question, reply] = [randomBytes(2_000_000), randomBytes(1_000_000)]
  answer = async (request, response) => {
    const got = await buffer(request)
    response.writeHead(got.equals(question) ? 200 : 500).end(reply)
  }
  const asked: Buffer[] = []
  const answeredWith: Buffer[] = []
  const seen: (number | string)[] = []
  watch = () => ({
    onRequestData: (chunk) => void asked.push(chunk),
    onRequestEnd: () => void seen.push('whole'),
    onAnswer: (status) => void seen.push(status),
    onAnswerData: (chunk) => void answeredWith.push(chunk),
    onEnd: (outcome) => void seen.push(outcome),
  })
  for (const headers of [{}, { expect: '100-continue' }]) {
    asked.length = answeredWith.length = seen.length = 0
    const socket = open()
    const expecting = 'expect' in headers ? 'Expect: 100-continue\r\n' : ''
    socket.write(
      `POST /identity/kyc/v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${expecting}Content-Length: ${question.length}\r\n\r\n`,
    )
    if (expecting !== '') await socket.until('100 Continue')
    socket.write(question)
    await new Promise((resolve) => socket.once('close', resolve))
    expect(socket.text()).toContain('HTTP/1.1 200 ')
    expect(Buffer.concat(asked).equals(question)).toBe(true)
    expect(Buffer.concat(answeredWith).equals(reply)).toBe(true)
    expect(seen).toEqual(['whole', 200, 'answered'])
  }
})

test('a caller that reads slowly holds the primary back', async () => {
  let written = 0
  const total = 200_000_000
  answer = (_, response) => {
    const write = (): void => {
      while (written < total) {
        written += 1_000_000
        if (!response.write(Buffer.alloc(1_000_000))) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  stack.defer(() => void socket.destroy())
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  // Until nothing more is taken: the same count in many turns of the loop.
  let same = 0
  for (let last = -1; same < 2000; last = written) {
    await turn()
    same = written === last && written > 0 ? same + 1 : 0
  }
  expect(written).toBeLessThan(50_000_000)
})

const CHUNKED = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n'
test.each([
  ['a chunk without a size', `${CHUNKED}\r\n1\r\na\r\nzz\r\n`],
  ['a chunk that is longer than its size', `${CHUNKED}\r\n1\r\nabcd\r\n0\r\n\r\n`],
  ['a broken trailer', `${CHUNKED}\r\n0\r\nx a: b\r\n\r\n`],
  ['a broken chunk that was asked for', `${CHUNKED}Expect: 100-continue\r\n\r\nzz\r\n`],
  ['a coding that nobody knows', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n'],
  [
    'a coding before the chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  ],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['another version', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'],
  ['a target without a path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
])('%s is refused, and is no fault of the primary', async (_, bytes) => {
  answer = async (request, response) => {
    const got = await buffer(request).catch(() => null)
    if (got !== null) response.end('fine')
  }
  const socket = open()
  socket.write(bytes)
  await socket.until('"invalid_request"')
  expect(socket.text()).toMatch(/^HTTP\/1\.1 400 /)
  while (ends.length === 0) await turn()
  expect(ends).toEqual(['refused'])
})

test('a caller that ends its side too early is refused, and has left', async () => {
  const watched: string[] = []
  watch = () => ({
    onRequestData: () => undefined,
    onRequestEnd: () => void watched.push('whole'),
    onAnswer: () => undefined,
    onAnswerData: () => undefined,
    onEnd: (outcome) => void watched.push(outcome),
  })
  const socket = open()
  socket.end('POST /identity/kyc/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\nbegun')
  await socket.until('"invalid_request"')
  expect(watched).toEqual(['caller_left'])
})

test.each([
  ['OPTIONS', '*'],
  ['GET', 'http://['],
  ['GET', 'ftp://a.example/b'],
])('%s %s reaches nothing, and harms no other request', async (method, target) => {
  let reached = 0
  answer = (_, response) => {
    reached++
    response.end('fine')
  }
  const socket = open()
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await socket.until('\r\n\r\n')
  expect(socket.text()).toMatch(/^HTTP\/1\.1 400 /)
  expect(reached).toBe(0)
  expect(await (await fetch(url())).text()).toBe('fine')
})

test('an early answer to a body that was asked for frees the connection to the primary', async () => {
  answer = (request, response) => {
    request.once('data', () => response.writeHead(413, { connection: 'close' }).end('too large'))
  }
  // More than there are connections.
  for (let i = 0; i < 20; i++) {
    const socket = open()
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5000000\r\n\r\n')
    await socket.until('100 Continue')
    socket.write(Buffer.alloc(1000))
    await socket.until('too large')
  }
})
