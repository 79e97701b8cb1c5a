import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { ANSWER, chunkOf, eventOf, LAST, refuse } from '../test/chat-server.ts'
import { chatError, errorOf, never, receive, REQUEST, useServer } from '../test/use-server.ts'

const used = useServer()
const DONE = eventOf('[DONE]')

test.each([
  '{not json',
  '1',
  '{"foo":1}',
  '{"choices":"x"}',
  '{"choices":[]}',
  '{"choices":[1]}',
  '{"choices":[{"index":0,"finish_reason":"stop"}]}',
])('the event %s before the end is a failure, not an empty answer', async (junk) => {
  used.server.next.push((response) => response.end(eventOf(junk) + DONE))
  expect(await receive(used.open({ maxRetries: 0 }))).toEqual({
    chunks: [],
    error: chatError('provider_failed'),
  })
})

test.each(['{"choices":"x"}', '{"choices":[]}', '{"choices":[{"index":0}]}'])(
  'the whole answer %s is a failure',
  async (junk) => {
    used.server.next.push((response) => response.end(junk))
    const asked = used.open({ maxRetries: 0 }).complete(REQUEST, never())
    await expect(asked).rejects.toEqual(chatError('provider_failed'))
  },
)

test('a byte order mark before JSON is skipped, in an answer, an event and a refusal', async () => {
  used.server.next.push(
    (response) => response.end(`\ufeff${JSON.stringify(ANSWER)}`),
    (response) => response.end(`\ufeff${eventOf(`\ufeff${JSON.stringify(LAST)}`)}${DONE}`),
    (response) => response.writeHead(400).end(`\ufeff${JSON.stringify({ error: { code: 'too_long' } })}`),
  )
  expect(await used.open().complete(REQUEST, never())).toEqual(ANSWER)
  expect(await receive(used.open())).toEqual({ chunks: [LAST], error: undefined })
  const asked = used.open({ maxRetries: 0 }).complete(REQUEST, never())
  await expect(asked).rejects.toMatchObject({ reason: 'too_long' })
})

test('chunks before the first choice arrive with it', async () => {
  const filtered = { choices: [], prompt_filter_results: [] }
  used.server.next.push((response) => response.end(eventOf(filtered) + eventOf(LAST) + DONE))
  expect(await receive(used.open())).toEqual({ chunks: [filtered, LAST], error: undefined })
})

test('a stream that ends without any chunk has failed', async () => {
  used.server.next.push((response) => response.end(DONE))
  expect((await receive(used.open({ maxRetries: 0 }))).error).toEqual(chatError('provider_failed'))
})

test('events after the end are ignored', async () => {
  used.server.next.push((response) => response.end(eventOf(LAST) + DONE + eventOf('{not json')))
  expect(await receive(used.open())).toEqual({ chunks: [LAST], error: undefined })
})

test('gzip is decoded although nobody asked for it', async () => {
  const headers = { 'content-encoding': 'gzip' }
  const events = eventOf(chunkOf('a')) + eventOf(LAST) + DONE
  used.server.next.push(
    (response) => response.writeHead(200, headers).end(gzipSync(JSON.stringify(ANSWER))),
    (response) => response.writeHead(200, headers).end(gzipSync(events)),
  )
  expect(await used.open().complete(REQUEST, never())).toEqual(ANSWER)
  expect(await receive(used.open())).toEqual({ chunks: [chunkOf('a'), LAST], error: undefined })
})

test('a refusal without a code has its type as the reason', async () => {
  used.server.next.push(refuse(400, {}, { type: 'invalid_request_error' }))
  expect(await errorOf(used.open())).toEqual(
    chatError('request_refused', { reason: 'invalid_request_error' }),
  )
})

test('pings count as life: only silence runs into the time limits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const provider = used.open({ firstChunkTimeoutMs: 3000, chunkTimeoutMs: 3000 })
    used.server.next.push(async (response) => {
      for (const event of [eventOf(chunkOf('a')), eventOf(LAST) + DONE]) {
        for (let ping = 0; ping < 3; ping++) {
          response.write(': ping\n\n')
          await settle()
          vi.advanceTimersByTime(2000)
        }
        response.write(event)
        await settle()
      }
      response.end()
    })
    expect(await receive(provider)).toEqual({ chunks: [chunkOf('a'), LAST], error: undefined })
  } finally {
    vi.useRealTimers()
  }
})

/** Lets what was written arrive. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}
