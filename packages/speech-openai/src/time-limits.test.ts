import type { SpeechEngine } from '@vaani/speech'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fails, REQUEST, speechError, TEXT, useVendor } from './test/use-vendor.ts'

const vendor = useVendor()

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Speaks until it fails, while the time of the limits passes in steps of a second. */
async function failsInTime(engine: SpeechEngine) {
  const asked = vendor.server.requests.length
  const state = { isOver: false }
  const outcome = fails(engine).finally(() => (state.isOver = true))
  while (!state.isOver) {
    await new Promise((resolve) => setImmediate(resolve))
    if (vendor.server.requests.length > asked) vi.advanceTimersByTime(1000)
  }
  return outcome
}

test('fails at the limit to the first audio, and is not asked again', async () => {
  vendor.server.next.push(() => undefined)
  const { error, samples } = await failsInTime(vendor.open({ firstAudioTimeoutMs: 3000 }))
  expect(error).toEqual(
    speechError('engine_failed', { message: expect.stringContaining('no audio within 3000 ms') }),
  )
  expect(samples).toBe(0)
  expect(vendor.server.requests.length).toBe(1)
  await vendor.server.closed
})

test('headers alone, or half a sample, are no audio', async () => {
  vendor.server.next.push(
    (response) => response.writeHead(200).flushHeaders(),
    (response) => void response.write('x'),
  )
  const engine = vendor.open()
  const error = speechError('engine_failed', {
    message: expect.stringContaining('no audio within 5000 ms'),
  })
  expect((await failsInTime(engine)).error).toEqual(error)
  expect((await failsInTime(engine)).error).toEqual(error)
})

test('fails at the limit between two chunks', async () => {
  vendor.server.next.push((response, pcm) => void response.write(pcm.subarray(0, 1000)))
  const { error, samples } = await failsInTime(
    vendor.open({ firstAudioTimeoutMs: 600_000, chunkTimeoutMs: 3000 }),
  )
  expect(error).toEqual(
    speechError('engine_failed', { message: expect.stringContaining('no more audio within 3000 ms') }),
  )
  expect(samples).toBe(500)
  await vendor.server.closed
})

test('the time that a reader takes does not count', async () => {
  let samples = 0
  for await (const chunk of vendor.open().synthesize(REQUEST)) {
    vi.advanceTimersByTime(10_000)
    samples += chunk.length
  }
  expect(samples).toBe(TEXT.length * 1440)
})
