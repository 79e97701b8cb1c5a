import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { openEventStream } from './event-stream.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A source whose events the test sends. */
function start() {
  const waiting: PromiseWithResolvers<string>[] = []
  const onEnd = vi.fn()
  const event = () => {
    const next = Promise.withResolvers<string>()
    waiting.push(next)
    return next
  }
  const source = [event(), event()]
  async function* events() {
    try {
      for (const { promise } of source) yield Buffer.from(await promise)
    } finally {
      onEnd()
    }
  }
  const opening = openEventStream(events(), {
    first: source[0]?.promise ?? Promise.resolve(),
    toErrorBody: () => new ApiError('service_unavailable', 'The model failed').toBody('req_1'),
  })
  return {
    opening,
    onEnd,
    send: (text: string) => waiting.shift()?.resolve(text),
    fail: () => waiting.shift()?.reject(new Error('Broken')),
  }
}
const SIGN = ': waiting\n\n'
/** Reads the next part, after this time. */
async function after(ms: number, stream: AsyncGenerator<Uint8Array, void, undefined>): Promise<string> {
  const next = stream.next()
  await vi.advanceTimersByTimeAsync(ms)
  return Buffer.from((await next).value ?? []).toString()
}

test('a first event in time comes first', async () => {
  const { opening, send } = start()
  await vi.advanceTimersByTimeAsync(999)
  send('data: 1\n\n')
  expect(await after(0, await opening)).toBe('data: 1\n\n')
})

test('a stream without an event begins with a comment after a second, and has one every five seconds', async () => {
  const { opening, send, onEnd } = start()
  await vi.advanceTimersByTimeAsync(1000)
  const stream = await opening
  expect(await after(0, stream)).toBe(SIGN)
  expect([await after(5000, stream), await after(5000, stream)]).toEqual([SIGN, SIGN])
  const next = stream.next()
  await vi.advanceTimersByTimeAsync(4999)
  send('data: 1\n\n')
  expect(Buffer.from((await next).value ?? []).toString()).toBe('data: 1\n\n')
  expect(await after(5000, stream)).toBe(SIGN)
  send('data: 2\n\n')
  expect([await after(0, stream), await after(0, stream)]).toEqual(['data: 2\n\n', ''])
  expect(onEnd).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

test('a fault in the first second rejects, a later one is the last event', async () => {
  const early = start()
  early.fail()
  await expect(early.opening).rejects.toThrow('Broken')

  const late = start()
  await vi.advanceTimersByTimeAsync(1000)
  const stream = await late.opening
  late.fail()
  expect(await after(0, stream)).toBe(SIGN)
  expect(JSON.parse((await after(0, stream)).replace('data: ', ''))).toMatchObject({
    error: { code: 'service_unavailable', request_id: 'req_1' },
  })
  expect(await stream.next()).toEqual({ done: true, value: undefined })
  expect(vi.getTimerCount()).toBe(0)
})

test('a receiver that leaves during a silence ends the source', async () => {
  const { opening, send, onEnd } = start()
  await vi.advanceTimersByTimeAsync(1000)
  const stream = await opening
  expect([await after(0, stream), await after(5000, stream)]).toEqual([SIGN, SIGN])
  const ending = stream.return()
  send('data: 1\n\n')
  await ending
  expect(onEnd).toHaveBeenCalledOnce()
})
