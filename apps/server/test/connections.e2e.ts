/** Connection handling, tested over bare sockets. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ErrorBody } from '@vaani/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLogLines } from './support/log-lines.ts'
import { connectRaw, type RawAnswer } from './support/raw-connection.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const run = promisify(execFile)

const { log, lines, troubles } = createLogLines()
let server: TestServer
let key: string
beforeEach(() => {
  lines.length = 0
})
beforeAll(async () => {
  server = await startTestServer({ log })
  key = (await server.createAccount({ rateOverrides: { place_call: { limit: 1000, period_seconds: 1 } } }))
    .key
})
afterAll(() => server[Symbol.asyncDispose]())

const call = JSON.stringify({
  to: '+9779812345678',
  agent_id: 'reminder',
  scheduled_at: '2027-01-01T00:00:00Z',
})
const JSON_TYPE = 'content-type: application/json'

/** Builds the head of a request with these header lines. */
function head(method: string, path: string, lines: readonly string[], ownKey: string | null = key): string {
  const all = ['host: localhost', ...(ownKey === null ? [] : [`authorization: Bearer ${ownKey}`]), ...lines]
  return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`
}
const lengthOf = (text: string): string => `content-length: ${Buffer.byteLength(text)}`
const NEXT = head('GET', '/healthz', [])
const statusesOf = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status)
const leftovers = () => readdir(server.context.identity.intakeDirectory)
const codeOf = (answer: RawAnswer | undefined) =>
  (JSON.parse(answer?.body ?? '{}') as Partial<ErrorBody>).error?.code

describe('Expect: 100-continue', () => {
  const EXPECT = 'expect: 100-continue'

  test('a 100 is sent once the server wants the body', async () => {
    using connection = await connectRaw(server.url)
    connection.send(head('POST', '/agent/calls', [JSON_TYPE, lengthOf(call), EXPECT]))
    expect(statusesOf(await connection.untilAnswers(1))).toEqual([100])
    connection.send(call)
    expect(statusesOf(await connection.untilAnswers(2))).toEqual([100, 201])
  })

  test('a 100 is sent for a streamed upload', async () => {
    using connection = await connectRaw(server.url)
    const body = '{"front_image_b64":"!"}'
    connection.send(head('POST', '/identity/kyc/v2', [JSON_TYPE, lengthOf(body), EXPECT]))
    expect(statusesOf(await connection.untilAnswers(1))).toEqual([100])
    connection.send(body)
    expect(statusesOf(await connection.untilAnswers(2))).toEqual([100, 400])
  })

  test.each([
    ['a bad key', '/agent/calls', [JSON_TYPE, lengthOf(call)], 'sk_test_bad', 401],
    ['no key', '/identity/kyc/v2', [JSON_TYPE, lengthOf(call)], null, 401],
    ['an unknown path', '/nowhere', [JSON_TYPE, lengthOf(call)], undefined, 404],
    ['a declared size over the limit', '/agent/calls', [JSON_TYPE, 'content-length: 300000'], undefined, 413],
    [
      'an upload declared over the limit',
      '/identity/kyc/v2',
      [JSON_TYPE, 'content-length: 300000000'],
      undefined,
      413,
    ],
    [
      'a form declared over the limit',
      '/identity/kyc/v1',
      ['content-type: multipart/form-data; boundary=b', 'content-length: 300000000'],
      undefined,
      413,
    ],
    ['another content type', '/agent/calls', ['content-type: text/plain', lengthOf(call)], undefined, 415],
    ['an upload as text', '/identity/kyc/v2', ['content-type: text/plain', lengthOf(call)], undefined, 415],
    ['a form as JSON', '/identity/kyc/v1', [JSON_TYPE, lengthOf(call)], undefined, 415],
  ] as const)(
    '%s is rejected without a 100, and the connection closed',
    async (_, path, lines, ownKey, status) => {
      using connection = await connectRaw(server.url)
      connection.send(head('POST', path, [...lines, EXPECT], ownKey === undefined ? key : ownKey))
      const [answer] = await connection.untilAnswers(1)
      expect(answer).toMatchObject({ status, headers: { connection: 'close' } })
      expect(await connection.untilEnded()).toBe('end')
    },
  )

  test('curl sends no body with a bad key', { tags: 'curl' }, async () => {
    const options = ['--silent', '--include', '--expect100-timeout', '20', '--write-out', '\n%{size_upload}']
    const lines = [JSON_TYPE, 'expect: 100-continue', 'authorization: Bearer sk_test_bad']
    const headers = lines.flatMap((line) => ['--header', line])
    const { stdout } = await run('curl', [
      ...options,
      ...headers,
      '--data',
      call,
      `${server.url}/agent/calls`,
    ])
    expect(stdout).toMatch(/^HTTP\/1\.1 401 /)
    expect(stdout.trim().split('\n').at(-1)).toBe('0')
  })
})

describe('a connection stays usable', () => {
  test('after rejecting a small body, and answers pipelined requests in order', async () => {
    using connection = await connectRaw(server.url)
    const refused = head('POST', '/agent/calls', [JSON_TYPE, lengthOf(call)], 'sk_test_bad')
    connection.send(refused)
    expect(statusesOf(await connection.untilAnswers(1))).toEqual([401])
    connection.send(call.slice(0, 10))
    connection.send(call.slice(10) + NEXT + refused + call + NEXT)
    expect(statusesOf(await connection.untilAnswers(4))).toEqual([401, 200, 401, 200])
  })
})

describe('a caller that half-closes its connection', () => {
  test('after its request gets a response', async () => {
    using connection = await connectRaw(server.url)
    connection.send(head('POST', '/agent/calls', [JSON_TYPE, lengthOf(call)]) + call)
    connection.socket.end()
    expect(statusesOf(await connection.untilAnswers(1))).toEqual([201])
    expect(await connection.untilEnded()).toBe('end')
  })

  test('within its request gets a 400', async () => {
    using connection = await connectRaw(server.url)
    connection.send(head('POST', '/agent/calls', [JSON_TYPE, 'content-length: 500']) + call)
    connection.socket.end()
    expect(statusesOf(await connection.untilAnswers(1))).toEqual([400])
    expect(await connection.untilEnded()).toBe('end')
  })
})

describe('a caller of a speech stream', () => {
  const speech = JSON.stringify({ model: 'stream-tts', input: 'One, two, three. '.repeat(200) })
  const ask = () => head('POST', '/v1/audio/stream', [JSON_TYPE, lengthOf(speech)]) + speech

  test('that half-closes its connection gets the whole stream', async () => {
    using connection = await connectRaw(server.url)
    const chunks: Buffer[] = []
    connection.socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    connection.send(ask())
    connection.socket.end()
    expect(await connection.untilEnded()).toBe('end')
    const text = Buffer.concat(chunks)
    expect(text.subarray(0, 15).toString()).toBe('HTTP/1.1 200 OK')
    expect(text.subarray(-5).toString()).toBe('0\r\n\r\n')
    expect(troubles()).toEqual([])
  })

  test.each(['destroy', 'resetAndDestroy'] as const)(
    'that leaves by %s frees the engine, and causes no error',
    async (leave) => {
      const { engine } = server.context.speech
      if (engine === null) throw new Error('No speech engine is installed')
      let running = 0
      const synthesize = engine.synthesize.bind(engine)
      const counted = vi.spyOn(engine, 'synthesize').mockImplementation(async function* (...request) {
        running++
        try {
          yield* synthesize(...request)
        } finally {
          running--
        }
      })
      const connections = await Promise.all(Array.from({ length: 4 }, () => connectRaw(server.url)))
      for (const connection of connections) {
        connection.send(ask())
        await once(connection.socket, 'data')
        connection.socket[leave]()
      }
      await until(
        async () => running,
        (count) => count === 0,
      )
      expect(counted).toHaveBeenCalled()
      expect(troubles()).toEqual([])
      counted.mockRestore()
    },
  )
})

describe('malformed HTTP', () => {
  const chunked = [JSON_TYPE, 'transfer-encoding: chunked']
  test.each([
    ['two lengths', [JSON_TYPE, 'content-length: 5', 'content-length: 6'], '{}'],
    ['two lengths in one line', [JSON_TYPE, 'content-length: 5, 6'], '{}'],
    ['a length and chunks', [...chunked, 'content-length: 5'], '0\r\n\r\n'],
    ['a length with a sign', [JSON_TYPE, 'content-length: +2'], '{}'],
    ['a hexadecimal length', [JSON_TYPE, 'content-length: 0x2'], '{}'],
    ['an encoding behind chunks', [JSON_TYPE, 'transfer-encoding: chunked, identity'], '0\r\n\r\n'],
    ['a space before the colon', [JSON_TYPE, 'content-length : 2'], '{}'],
    ['a bare line feed in a chunk', chunked, '2\n{}\n0\n\n'],
    ['a chunk without a valid length', chunked, 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its length', chunked, '2\r\n{}{}\r\n0\r\n\r\n'],
  ])(
    '%s gets one 400, then the connection ends, and a request behind it is ignored',
    async (_, lines, body) => {
      const before = server.context.events.counts().call_placed
      using connection = await connectRaw(server.url)
      const smuggled = head('POST', '/agent/calls', [JSON_TYPE, lengthOf(call)]) + call
      connection.send(head('POST', '/agent/calls', lines) + body + smuggled)
      expect(await connection.untilEnded()).toBe('end')
      expect(statusesOf(connection.answers())).toEqual([400])
      expect(codeOf(connection.answers()[0])).toBe('invalid_request')
      expect(server.context.events.counts().call_placed).toBe(before)
    },
  )

  test('a malformed chunk in the middle of an upload gets a 400 that arrives while the rest is being sent', async () => {
    using connection = await connectRaw(server.url)
    connection.send(head('POST', '/identity/kyc/v2', chunked))
    connection.send('16\r\n{"front_image_b64":"AA\r\n')
    await until(leftovers, (names) => names.length === 1)
    connection.send('zz\r\n')
    for (let piece = 0; piece < 200; piece++) connection.send(Buffer.alloc(65_536, 'A'))
    const [answer] = await connection.untilAnswers(1)
    expect(answer).toMatchObject({ status: 400, headers: { connection: 'close' } })
    expect(await connection.untilEnded()).toBe('end')
    connection.socket.destroy()
    await until(leftovers, (names) => names.length === 0)
  })

  test('a valid request pipelined before it is answered first', async () => {
    using connection = await connectRaw(server.url)
    connection.send(head('POST', '/agent/calls', [JSON_TYPE, lengthOf(call)]) + call + 'NO HTTP\r\n\r\n')
    expect(await connection.untilEnded()).toBe('end')
    expect(statusesOf(connection.answers())).toEqual([201, 400])
  })
})

test('a shutdown ends connections whose rejected bodies are still being drained', async () => {
  const stopping = await startTestServer({ config: { shutdownGraceMs: 100 } })
  using connection = await connectRaw(stopping.url)
  const { socket } = connection
  connection.send(head('POST', '/agent/calls', ['transfer-encoding: chunked'], null))
  const trickle = async () => {
    // Fast enough not to be cut off, and slow enough that the server keeps reading for longer than this test may run.
    for (; !socket.destroyed; await delay(10)) socket.write(`2000\r\n${'A'.repeat(0x2000)}\r\n`)
  }
  const sent = trickle()
  expect(statusesOf(await connection.untilAnswers(1))).toEqual([401])
  await stopping[Symbol.asyncDispose]()
  await sent
})
