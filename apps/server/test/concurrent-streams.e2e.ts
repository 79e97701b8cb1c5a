import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sendHead } from './support/account-limits.ts'
import { startTestServer, type TestRequest, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const redisUrl = inject('redisUrl')

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('concurrent streams', () => {
  const LONG_TEXT = 'This is a sentence of a long text that is spoken. '.repeat(80)
  const only = (limit: number) => ({
    tier: 'enterprise' as const,
    rateOverrides: {
      speech_stream: { limit: 10_000, period_seconds: 60 },
      concurrent_streams: { limit },
    },
  })
  const stream = (key: string, body: object = {}, request: TestRequest & { at?: TestServer } = {}) =>
    (request.at ?? server).fetch('/v1/audio/stream', {
      key,
      body: { model: 'stream-tts', input: LONG_TEXT, ...body },
      ...request,
    })
  /** Retries a short stream until there is room. */
  const untilThereIsRoom = (key: string, at = server) =>
    until(
      async () => {
        const response = await stream(key, { input: 'Hi' }, { at })
        await response.arrayBuffer()
        return response.status
      },
      (status) => status === 200,
    )

  test('are limited by the tier', async () => {
    const { key } = await server.createAccount({ tier: 'starter' })
    const streams = await Promise.all(Array.from({ length: 12 }, () => stream(key)))
    const refused = streams.filter(({ status }) => status === 429)
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.headers.get('ratelimit-policy')).toBe(
      '"speech_stream";q=50;w=60, "concurrent_streams";q=10;qu="concurrent-requests"',
    )
    expect(refused[0]?.headers.get('ratelimit')).toContain(', "concurrent_streams";r=0')
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(await refused[0]?.json()).toMatchObject({
      error: { message: 'concurrent_streams: an account may have at most 10 streams at a time' },
    })
    await Promise.all(streams.map(({ body }) => (body?.locked ? undefined : body?.cancel())))
  })

  test('are counted per account and mode', async () => {
    const { key, accountId } = await server.createAccount(only(1))
    const other = await server.createAccount(only(1))
    const liveKey = await server.createKey(accountId, true)
    const streams = await Promise.all([key, liveKey, other.key].map((ownKey) => stream(ownKey)))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    await Promise.all(streams.map(({ body }) => body?.cancel()))
  })

  test.each([
    ['ends', { input: 'Hi' }, 200],
    ['is malformed', { speed: 9 }, 400],
    ['names an unknown voice', { voice: 'none' }, 422],
  ])('make room when one %s', async (_, body, status) => {
    const { key } = await server.createAccount(only(1))
    const response = await stream(key, body)
    await response.arrayBuffer()
    expect(response.status).toBe(status)
    await untilThereIsRoom(key)
  })

  test('make room when a caller disconnects, before and after the first audio', async () => {
    const { key } = await server.createAccount(only(1))
    const heard = new AbortController()
    expect((await stream(key, {}, { signal: heard.signal })).status).toBe(200)
    expect((await stream(key)).status).toBe(429)
    heard.abort()
    await untilThereIsRoom(key)
    const { socket } = await sendHead(server, {
      route: '/v1/audio/stream',
      key,
      contentType: 'application/json',
    })
    await until(
      async () => (await stream(key, { voice: 'none' })).status,
      (status) => status === 429,
    )
    socket.destroy()
    await untilThereIsRoom(key)
  })

  test('make room when a connection with several pipelined streams breaks', async () => {
    const { key } = await server.createAccount(only(3))
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const body = JSON.stringify({ model: 'stream-tts', input: LONG_TEXT })
    const request = `POST /v1/audio/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    socket.write(request.repeat(3))
    // By the first audio, all three have been admitted; sent earlier, the fourth request could take a slot before them.
    await once(socket, 'readable')
    expect((await stream(key, { voice: 'none' })).status).toBe(429)
    socket.destroy()
    const three = await until(
      async () => {
        const streams = await Promise.all([1, 2, 3].map(() => stream(key, { input: 'Hi' })))
        await Promise.all(streams.map((response) => response.arrayBuffer()))
        return streams.map(({ status }) => status)
      },
      (statuses) => statuses.every((status) => status === 200),
    )
    expect(three).toHaveLength(3)
  })

  test('are counted across processes', { tags: 'redis' }, async () => {
    const redis = { redisUrl, redisTimeoutMs: 60_000 }
    await using first = await startTestServer({ config: redis })
    const { databaseUrl, dataDirectory } = first.context.settings
    const shared = { ...redis, databaseUrl, dataDirectory }
    await using second = await startTestServer({ config: shared, key: first.key })
    const { key } = await first.createAccount(only(3))
    const streams = await Promise.all(
      Array.from({ length: 8 }, (_, index) => stream(key, {}, { at: index % 2 === 0 ? first : second })),
    )
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(3)
    await Promise.all(streams.map(({ body }) => body?.cancel()))
    await untilThereIsRoom(key, second)
  })
})
