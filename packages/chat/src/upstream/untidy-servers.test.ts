import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
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
  '{"choices":[{"index":0,"delta":{}}]}',
  '{"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]}',
  '{"choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[],"refusal":null}}]}',
  '{"choices":[{"index":0,"text":"","finish_reason":null}]}',
  '{"choices":[{"index":0,"delta":{"content":5},"finish_reason":"stop"}]}',
  '{"choices":[{"index":0,"delta":{"content":{}}}]}',
  '{"choices":[{"index":0,"delta":{"tool_calls":"f"}}]}',
  '{"choices":[{"index":"a","delta":{"content":"a"}}]}',
  '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":1}]}',
  '{"choices":[{"index":0,"delta":{"content":"a"}},1]}',
])('the event %s before the end is a failure, not an empty answer', async (junk) => {
  used.server.next.push((response) => response.end(eventOf(junk) + DONE))
  expect(await receive(used.open({ maxRetries: 0 }))).toEqual({
    chunks: [],
    error: chatError('provider_failed'),
  })
})

test.each([
  '{"choices":"x"}',
  '{"choices":[]}',
  '{"choices":[{"index":0}]}',
  '{"choices":[{"index":0,"delta":{}}]}',
  '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}',
  '{"choices":[{"index":0,"message":{}}]}',
  '{"choices":[{"index":0,"message":{"role":"assistant","content":5}}]}',
  '{"choices":[{"index":"0","message":{"role":"assistant","content":"a"}}]}',
])('the whole answer %s is a failure', async (junk) => {
  used.server.next.push((response) => response.end(junk))
  const asked = used.open({ maxRetries: 0 }).complete(REQUEST, never())
  await expect(asked).rejects.toEqual(chatError('provider_failed'))
})

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

test('malformed choices in the middle of an answer are not passed on', async () => {
  const junk = chunkOf('', { choices: [{ index: 0, delta: { content: 5 } }] })
  used.server.next.push((response) => {
    response.write(eventOf(chunkOf('a')))
    setImmediate(() => response.end(eventOf(junk) + eventOf(LAST) + DONE))
  })
  const { chunks, error } = await receive(used.open({ maxRetries: 0 }))
  expect(error).toEqual(chatError('provider_failed'))
  expect(chunks).not.toContainEqual(junk)
})

test.each([{ role: 'assistant', content: '' }, { role: 'assistant', content: null }, {}])(
  'a first chunk with %j arrives with the first that says something',
  async (delta) => {
    const first = chunkOf('', { choices: [{ index: 0, delta, finish_reason: null }] })
    const thinking = chunkOf('', { choices: [{ delta: { content: null, reasoning_content: 'hm' } }] })
    const parts = chunkOf('', { choices: [{ index: 0, delta: { content: [{ type: 'text', text: 'a' }] } }] })
    for (const next of [chunkOf('a'), thinking, parts]) {
      used.server.next.push((response) => response.end(eventOf(first) + eventOf(next) + eventOf(LAST) + DONE))
      expect(await receive(used.open())).toEqual({ chunks: [first, next, LAST], error: undefined })
    }
  },
)

test('a stream that ends without any chunk has failed', async () => {
  used.server.next.push((response) => response.end(DONE))
  expect((await receive(used.open({ maxRetries: 0 }))).error).toEqual(chatError('provider_failed'))
})

test('events after the end are ignored', async () => {
  used.server.next.push((response) => response.end(eventOf(LAST) + DONE + eventOf('{not json')))
  expect(await receive(used.open())).toEqual({ chunks: [LAST], error: undefined })
})

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('%s is decoded although nobody asked for it', async (encoding, compress) => {
  const headers = { 'content-encoding': encoding }
  const events = eventOf(chunkOf('a')) + eventOf(LAST) + DONE
  const refusal = JSON.stringify({ error: { type: 'invalid_request_error' } })
  used.server.next.push(
    (response) => response.writeHead(200, headers).end(compress(JSON.stringify(ANSWER))),
    (response) => response.writeHead(200, headers).end(compress(events)),
    (response) => response.writeHead(400, headers).end(compress(refusal)),
  )
  expect(await used.open().complete(REQUEST, never())).toEqual(ANSWER)
  expect(await receive(used.open())).toEqual({ chunks: [chunkOf('a'), LAST], error: undefined })
  expect(await errorOf(used.open())).toMatchObject({ reason: 'invalid_request_error' })
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('%s that is cut, wrong or too long when decoded is a failure', async (encoding, compress) => {
  const headers = { 'content-encoding': encoding }
  const long = compress(JSON.stringify({ ...ANSWER, more: 'a'.repeat(1_000_000) }))
  const bodies = [compress(JSON.stringify(ANSWER)).subarray(0, 20), Buffer.from('not compressed'), long]
  for (const body of bodies) {
    used.server.next.push((response) => response.writeHead(200, headers).end(body))
    const provider = used.open({ maxRetries: 0, maxAnswerBytes: 100_000 })
    expect(await errorOf(provider)).toEqual(chatError('provider_failed'))
  }
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
