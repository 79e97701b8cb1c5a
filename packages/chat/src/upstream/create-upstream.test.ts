import { once } from 'node:events'
import { inspect } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { ChatError } from '../chat-error.ts'
import { ANSWER, chunkOf, eventOf, LAST, proper, refuse, USAGE } from '../test/chat-server.ts'
import { chatError, errorOf, KEY, never, receive, REQUEST, useServer } from '../test/use-server.ts'
import { UpstreamError } from './upstream-error.ts'

const used = useServer()
const BOTH = ['answers', 'streams'] as const
/** The error of a request in either way. */
const failing = async (way: (typeof BOTH)[number], provider: ReturnType<typeof used.open>) =>
  way === 'answers' ? errorOf(provider) : (await receive(provider)).error

test('fields of both sides are passed on, known or not', async () => {
  const request = { ...REQUEST, our_field: { deep: [1, null] }, temperature: 0.2 }
  expect(await used.open().complete(request, never())).toEqual(ANSWER)
  const { chunks } = await receive(used.open(), { our_field: 1, stream_options: { include_usage: true } })
  expect(chunks).toEqual([
    chunkOf('नम'),
    chunkOf('स्ते', { their_field: 1 }),
    LAST,
    chunkOf('', { choices: [], usage: USAGE }),
  ])
  const [first, second] = used.server.requests
  expect(first).toMatchObject({
    url: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
  })
  expect(first?.body).toEqual(request)
  expect(second?.body).toMatchObject({ our_field: 1, stream: true, stream_options: { include_usage: true } })
})

test('what a server has beside chats is asked for by its path, and junk is told from an answer', async () => {
  const answer = { object: 'list', data: [{ index: 0, embedding: [0.1] }], usage: { prompt_tokens: 1 } }
  const upstream = used.open({ endpoints: { embeddings: ['m'], completions: ['m'] } })
  used.server.next.push((response) => response.end(JSON.stringify(answer)), proper)
  const request = { model: 'm', input: 'private words' }
  const options = { ...never(), endpoint: 'embeddings' as const }
  expect(await upstream.complete(request, options)).toEqual(answer)
  expect(used.server.requests).toMatchObject([{ url: '/v1/embeddings', body: request }])
  await expect(upstream.complete(request, options)).rejects.toEqual(chatError('provider_failed'))
  const completions = { ...never(), endpoint: 'completions' as const }
  expect((await receive(upstream, {}, completions)).chunks).toContainEqual(LAST)
  expect(used.server.requests.at(-1)?.url).toBe('/v1/completions')
})

describe('a form with a file', () => {
  const endpoint = 'audio/transcriptions' as const
  const file = { name: 'call.mp3', content: new Blob(['private sounds']) }
  const options = () => ({ ...never(), endpoint, file })
  const request = { model: 'm', language: 'ne', 'timestamp_granularities[]': ['word', 'segment'] }
  const answer = { text: 'नमस्ते', usage: { type: 'tokens', input_tokens: 5, output_tokens: 1 } }
  const open = () => used.open({ endpoints: { [endpoint]: ['m'] } })

  test('is sent whole, again if the server fails, and its answer is JSON', async () => {
    used.server.next.push(refuse(500), (response) => response.end(JSON.stringify(answer)))
    expect(await open().complete(request, options())).toEqual(answer)
    const body = { ...request, file: { name: 'call.mp3', text: 'private sounds' } }
    expect(used.server.requests).toMatchObject([{ body }, { url: '/v1/audio/transcriptions', body }])
  })

  test('is answered in the format that it asks for', async () => {
    const subtitles = '1\n00:00:00,000 --> 00:00:01,000\nनमस्ते\n'
    used.server.next.push((response) => response.setHeader('content-type', 'text/plain').end(subtitles))
    expect(await open().complete({ ...request, response_format: 'srt' }, options())).toEqual({
      text: subtitles,
      media_type: 'text/plain',
    })
    used.server.next.push((response) => response.end(subtitles))
    await expect(open().complete(request, options())).rejects.toEqual(chatError('provider_failed'))
  })

  test('is answered in events, also by a model that does not stream', async () => {
    const events = [
      { type: 'transcript.text.delta', delta: 'नम' },
      { type: 'transcript.text.done', ...answer },
    ]
    used.server.next.push(
      (response) => {
        response.setHeader('content-type', 'text/event-stream')
        response.end(events.map(eventOf).join(''))
      },
      (response) => response.end(JSON.stringify(answer)),
    )
    expect((await receive(open(), request, options())).chunks).toEqual(events)
    expect((await receive(open(), request, options())).chunks).toEqual(events.slice(1))
    expect(used.server.requests[0]?.body.stream).toBe('true')
  })
})

test('servers that do not know stream_options are not sent any', async () => {
  await receive(used.open({ streamUsage: false }), { stream_options: { include_usage: true } })
  expect(used.server.requests[0]?.body).not.toHaveProperty('stream_options')
})

test('characters and events may be split anywhere, lines may end with CR LF, and comments are left out', async () => {
  used.server.next.push(async (response) => {
    const text = `: waiting\r\n\r\nevent: x\r\n${eventOf(chunkOf('नम')).replaceAll('\n', '\r\n')}data:${JSON.stringify(LAST)}\n\ndata: [DONE]\n\n`
    for (const byte of Buffer.from(text)) {
      response.write(Uint8Array.of(byte))
      if (byte === 10 || byte > 127) await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  })
  expect(await receive(used.open())).toEqual({ chunks: [chunkOf('नम'), LAST], error: undefined })
})

test('connections are used again, also after a stream', async () => {
  const provider = used.open()
  for (let turn = 0; turn < 3; turn++) {
    await receive(provider)
    await provider.complete(REQUEST, never())
  }
  // The pool may open a second one before the first is known to be free.
  expect(used.server.connections()).toBeLessThan(3)
})

test('a stream without its last line is complete if its choices ended', async () => {
  used.server.next.push((response) => response.end(eventOf(chunkOf('a')) + eventOf(LAST)))
  expect(await receive(used.open())).toEqual({ chunks: [chunkOf('a'), LAST], error: undefined })
})

test('a stream that ends within a choice has failed', async () => {
  used.server.next.push((response) => response.end(eventOf(chunkOf('a'))))
  expect(await receive(used.open())).toEqual({ chunks: [chunkOf('a')], error: chatError('provider_failed') })
})

test('a connection broken off in the middle of a stream is an error after its chunks, and is not asked again', async () => {
  used.server.next.push((response) => response.write(eventOf(chunkOf('a')), () => response.destroy()))
  expect(await receive(used.open())).toEqual({ chunks: [chunkOf('a')], error: chatError('provider_failed') })
  expect(used.server.requests.length).toBe(1)
})

test('an error in the middle of a stream is passed on', async () => {
  const isRead = Promise.withResolvers<void>()
  used.server.next.push(async (response) => {
    response.write(eventOf(chunkOf('a')))
    await isRead.promise
    response.end(eventOf({ error: { message: 'overloaded', code: 429 } }))
  })
  const chunks = used.open().stream(REQUEST, never())[Symbol.asyncIterator]()
  expect(await chunks.next()).toEqual({ done: false, value: chunkOf('a') })
  isRead.resolve()
  await expect(chunks.next()).rejects.toEqual(chatError('provider_busy'))
  expect(used.server.requests.length).toBe(1)
})

test.each(BOTH)('a connection broken off before the first byte is tried again: it %s', async (way) => {
  used.server.next.push(
    (response) => response.destroy(),
    (response) => response.writeHead(200).flushHeaders() ?? response.destroy(),
  )
  expect(await failing(way, used.open())).toBeUndefined()
  expect(used.server.requests.length).toBe(3)
  expect(used.waits).toEqual([100, 200])
})

test.each(BOTH)('waits as long as a busy server asks, if that is short: it %s', async (way) => {
  used.server.next.push(refuse(429, { 'retry-after': '1' }), refuse(503, { 'retry-after-ms': '30' }))
  expect(await failing(way, used.open())).toBeUndefined()
  expect(used.waits).toEqual([1000, 30])
})

test.each(BOTH)('passes on how long a busy server asks to wait: it %s', async (way) => {
  used.server.next.push(refuse(429, { 'retry-after': '17' }))
  expect(await failing(way, used.open())).toEqual(chatError('provider_busy', { retryAfterMs: 17_000 }))
  expect(used.server.requests.length).toBe(1)
})

test('a server without quota is not asked again', async () => {
  used.server.next.push(refuse(429, {}, { code: 'insufficient_quota' }))
  expect(await errorOf(used.open())).toEqual(chatError('provider_busy'))
  expect(used.server.requests.length).toBe(1)
})

test.each([
  [400, 'request_refused', 1],
  [413, 'request_refused', 1],
  [422, 'request_refused', 1],
  [401, 'provider_failed', 1],
  [404, 'provider_failed', 1],
  [302, 'provider_failed', 1],
  [204, 'provider_failed', 1],
  [408, 'provider_failed', 3],
  [500, 'provider_failed', 3],
  [529, 'provider_failed', 3],
])('status %i is %s after %i requests', async (status, code, requests) => {
  used.server.next.push(...Array.from({ length: 3 }, () => refuse(status)))
  const error = await errorOf(used.open())
  expect(error).toEqual(chatError(code))
  expect(used.server.requests.length).toBe(requests)
  // Servers quote the key and the request.
  expect(inspect(error, { depth: 9 })).not.toMatch(/private|secret/)
})

test('a refusal names the field and the reason, with what the server said as its cause', async () => {
  used.server.next.push(
    refuse(400, {}, { param: 'messages[0].content', code: 'context_length_exceeded', message: 'Too long' }),
    refuse(400, {}, { param: 'is "private"', code: 'Not a word', type: 'x' }),
  )
  const error = await errorOf(used.open())
  expect(error).toEqual(
    chatError('request_refused', { param: 'messages[0].content', reason: 'context_length_exceeded' }),
  )
  expect(error instanceof ChatError && error.cause instanceof UpstreamError && error.cause.fault).toEqual({
    message: 'Too long',
    param: 'messages[0].content',
    code: 'context_length_exceeded',
    type: undefined,
  })
  expect(await errorOf(used.open())).toEqual(
    chatError('request_refused', { param: undefined, reason: undefined }),
  )
})

test.each([
  ['nothing', ''],
  ['no JSON', 'data: {"choices'],
  ['no object', eventOf('[1]')],
  ['no choices', eventOf({ object: 'chat.completion.chunk' })],
  ['a page', '<html>\n\n'],
])('a stream of %s is a failure', async (_, text) => {
  used.server.next.push((response) => response.end(text))
  expect(await receive(used.open())).toEqual({ chunks: [], error: chatError('provider_failed') })
  expect(used.server.requests.length).toBe(1)
})

test.each([
  ['nothing', ''],
  ['no object', '[]'],
  ['no choices', '{"id":"x"}'],
  ['an error', '{"error":{"message":"private"}}'],
])('an answer of %s is a failure', async (_, text) => {
  used.server.next.push((response) => response.end(text))
  expect(await errorOf(used.open())).toEqual(chatError('provider_failed'))
})

test('answers, streams and events end at their limits', async () => {
  const provider = used.open({ maxAnswerBytes: 5000, maxEventBytes: 1024 })
  const tooLong = chatError('provider_failed', { message: expect.stringContaining('too long') })
  const long = chunkOf('a'.repeat(2000))
  used.server.next.push(
    (response) => response.end(JSON.stringify({ ...ANSWER, long: 'a'.repeat(5000) })),
    (response) => response.end(eventOf(long)),
    (response) => response.end(`data: ${'\ndata: '.repeat(900)}`),
    (response) => response.end(eventOf(chunkOf('a'.repeat(800))).repeat(9)),
    (response) => response.end(`: ${'a'.repeat(2000)}`),
  )
  expect(await errorOf(provider)).toEqual(tooLong)
  for (let turn = 0; turn < 4; turn++) expect((await receive(provider)).error).toEqual(tooLong)
})

test.each(BOTH)('an abort reaches the server at once: it %s', async (way) => {
  const caller = new AbortController()
  used.server.next.push((response) => {
    response.write(way === 'streams' ? eventOf(chunkOf('a')) : '{')
    setImmediate(() => caller.abort())
  })
  const error =
    way === 'answers'
      ? await errorOf(used.open(), {}, caller)
      : (await receive(used.open(), {}, caller)).error
  expect(error).toEqual(chatError('aborted'))
  await used.server.cut
})

test('an abort ends the wait before a repetition, and a request that has not begun', async () => {
  const caller = new AbortController()
  used.server.next.push((response, request) => {
    setTimeout(() => caller.abort(), 1)
    return refuse(429, { 'retry-after': '2' })(response, request)
  })
  const provider = used.open({}, true)
  expect(await errorOf(provider, {}, caller)).toEqual(chatError('aborted'))
  expect(await errorOf(provider, {}, caller)).toEqual(chatError('aborted'))
  expect(used.server.requests.length).toBe(1)
})

test('a reader who leaves closes the connection', async () => {
  used.server.next.push((response) => void response.write(eventOf(chunkOf('a'))))
  for await (const chunk of used.open().stream(REQUEST, never())) {
    expect(chunk).toEqual(chunkOf('a'))
    break
  }
  await used.server.cut
})

test('closing ends requests and refuses later ones', async () => {
  const provider = used.open()
  used.server.next.push(() => void provider.close())
  expect(await errorOf(provider)).toEqual(chatError('provider_closed'))
  expect((await receive(provider)).error).toEqual(chatError('provider_closed'))
})

test('more requests than fit are refused, and the place is free again', async () => {
  const provider = used.open({ maxConcurrent: 1 })
  const more = Promise.withResolvers<unknown>()
  used.server.next.push(async (response, request) => {
    more.resolve(await errorOf(provider))
    proper(response, request)
  })
  expect(await errorOf(provider)).toBeUndefined()
  expect(await more.promise).toEqual(chatError('provider_busy'))
  expect(await errorOf(provider)).toBeUndefined()
})

test('a slow reader holds the server back', async () => {
  let written = 0
  const event = eventOf(chunkOf('a'.repeat(10_000)))
  used.server.next.push(async (response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    while (written < 2000 && !response.destroyed) {
      written++
      if (!response.write(event)) await once(response, 'drain', gone).catch(() => undefined)
    }
    response.end()
  })
  const chunks = used.open().stream(REQUEST, never())[Symbol.asyncIterator]()
  await chunks.next()
  // It stands still once all buffers on the way are full.
  let seen = -1
  while (written !== seen) {
    seen = written
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(written).toBeLessThan(2000)
  await chunks.return?.(undefined)
  await used.server.cut
})

test('time limits: first chunk, between chunks, whole answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const provider = used.open({ firstChunkTimeoutMs: 3000, chunkTimeoutMs: 2000, answerTimeoutMs: 5000 })
    used.server.next.push(
      (response) => void response.write(': still thinking\n\n'),
      (response) => void response.write(eventOf(chunkOf('a'))),
      (response) => void response.write('{'),
    )
    const inTime = async <Value>(outcome: Promise<Value>): Promise<Value> => {
      const asked = used.server.requests.length
      const state = { isOver: false }
      const watched = outcome.finally(() => (state.isOver = true))
      while (!state.isOver) {
        await new Promise((resolve) => setImmediate(resolve))
        if (used.server.requests.length > asked) vi.advanceTimersByTime(10)
      }
      return watched
    }
    const timedOut = (ms: number) =>
      chatError('provider_timed_out', { message: expect.stringContaining(`within ${ms} ms`) })
    expect(await inTime(receive(provider))).toEqual({ chunks: [], error: timedOut(3000) })
    expect(await inTime(receive(provider))).toEqual({ chunks: [chunkOf('a')], error: timedOut(2000) })
    expect(await inTime(errorOf(provider))).toEqual(timedOut(5000))
    expect(used.server.requests.length).toBe(3)
    await used.server.cut
  } finally {
    vi.useRealTimers()
  }
})
