import { expect, test } from 'vitest'
import { type Behaviour, refuse } from './test/speech-server.ts'
import { fails, say, speechError, TEXT, useVendor } from './test/use-vendor.ts'

const vendor = useVendor()

test('a request that may succeed soon is repeated, with growing delays', async () => {
  vendor.server.next.push(refuse(500), (response) => response.destroy())
  expect((await say(vendor.open())).length).toBe(TEXT.length * 1440)
  expect(vendor.waits).toEqual([100, 200])
  expect(vendor.server.requests.length).toBe(3)
})

test('a connection that ends before the first sample is repeated, one that ends after it is not', async () => {
  const cut =
    (bytes: number): Behaviour =>
    (response, pcm) =>
      response.write(pcm.subarray(0, bytes), () => response.destroy())
  vendor.server.next.push(cut(1), cut(1000))
  const { error, samples } = await fails(vendor.open())
  expect(error).toEqual(speechError('engine_failed'))
  expect(samples).toBe(500)
  expect(vendor.server.requests.length).toBe(2)
})

test('the last failure is reported after all repetitions', async () => {
  vendor.server.next.push(refuse(502), refuse(503), refuse(500))
  expect((await fails(vendor.open())).error).toEqual(
    speechError('engine_failed', { message: 'The speech server answered 500' }),
  )
  expect(vendor.server.requests.length).toBe(3)
})

test('a server that asks to wait a little is asked again then; if it asks for more, it is busy', async () => {
  vendor.server.next.push(refuse(429, { 'retry-after': '1' }), refuse(503, { 'retry-after-ms': '250' }))
  await say(vendor.open())
  expect(vendor.waits).toEqual([1000, 250])
  vendor.server.next.push(refuse(429, { 'retry-after': '2' }))
  expect((await fails(vendor.open())).error).toEqual(speechError('engine_busy', { retryAfterMs: 2000 }))
  expect(vendor.server.requests.length).toBe(4)
})

test.each([
  [400, 'text_refused'],
  [413, 'text_refused'],
  [422, 'text_refused'],
  [401, 'engine_failed'],
  [403, 'engine_failed'],
  [404, 'engine_failed'],
  [204, 'engine_failed'],
  [301, 'engine_failed'],
])('status %i is %s, and is not repeated', async (status, code) => {
  vendor.server.next.push(refuse(status, { location: '/v1/elsewhere' }))
  expect((await fails(vendor.open())).error).toEqual(speechError(code))
  expect(vendor.server.requests.length).toBe(1)
})

test('a server that is down is a failure', async () => {
  const engine = vendor.open({ baseUrl: 'http://127.0.0.1:1/v1' })
  expect((await fails(engine)).error).toEqual(speechError('engine_failed'))
  expect(vendor.waits.length).toBe(2)
})

test('an abort ends the wait for a repetition', async () => {
  const gone = new AbortController()
  vendor.server.next.push(refuse(429, { 'retry-after': '60' }))
  const engine = vendor.open({ maxRetryDelayMs: 60_000 }, true)
  const speech = fails(engine, { signal: gone.signal })
  while (vendor.server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await vendor.server.closed
  gone.abort()
  expect((await speech).error).toEqual(speechError('aborted'))
})
