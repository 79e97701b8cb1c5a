import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { streamToReceiver } from './stream-to-receiver.ts'

const CHUNK_BYTES = 640
const chunk = () => new Uint8Array(CHUNK_BYTES)

async function* chunks(count: number, onEnd: () => void = () => undefined) {
  try {
    for (let index = 0; index < count; index++) yield chunk()
  } finally {
    onEnd()
  }
}

function open(source: AsyncGenerator<Uint8Array, void, undefined>) {
  const onStuck = vi.fn()
  const stream = streamToReceiver(source, {
    bufferedBytes: CHUNK_BYTES,
    idleMs: 1000,
    limitMs: 60_000,
    onStuck,
  })
  return { stream, onStuck }
}

/** Reads what is buffered, or waits for the next chunk. */
async function take(stream: ReturnType<typeof streamToReceiver>): Promise<void> {
  if (stream.read() !== null) return
  await new Promise((resolve) => stream.once('readable', resolve))
  stream.read()
}

test('all chunks arrive in their order, and the source ends', async () => {
  const onEnd = vi.fn()
  const source = (async function* () {
    try {
      for (const text of ['a', 'bc', 'd']) yield Buffer.from(text)
    } finally {
      onEnd()
    }
  })()
  const { stream } = open(source)
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('abcd')
  expect(onEnd).toHaveBeenCalledOnce()
})

test('no more is made in advance than the buffer holds', async () => {
  let made = 0
  const source = (async function* () {
    for (; made < 25; made++) yield chunk()
  })()
  const { stream } = open(source)
  await take(stream)
  await new Promise(setImmediate)
  expect(made).toBeLessThanOrEqual(2)
  stream.destroy()
})

test('a receiver that leaves ends the source before the stream closes', async () => {
  const onEnd = vi.fn()
  const { stream } = open(chunks(25, onEnd))
  await take(stream)
  stream.destroy()
  await new Promise((resolve) => stream.once('close', resolve))
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a fault of the source is that of the stream', async () => {
  const fault = new Error('The engine failed')
  const source = (async function* () {
    yield chunk()
    throw fault
  })()
  const { stream } = open(source)
  await expect(stream.toArray()).rejects.toBe(fault)
})

describe('time-outs', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('a receiver that reads nothing is reported', async () => {
    const { stream, onStuck } = open(chunks(25))
    await take(stream)
    // The next chunk fills the buffer.
    await new Promise(setImmediate)
    vi.advanceTimersByTime(999)
    expect(onStuck).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onStuck.mock.calls).toEqual([['idle']])
    stream.destroy()
  })

  test('a receiver that waits for a busy engine is not reported', async () => {
    const more = Promise.withResolvers<void>()
    const source = (async function* () {
      yield chunk()
      await more.promise
      yield chunk()
    })()
    const { stream, onStuck } = open(source)
    await take(stream)
    vi.advanceTimersByTime(30_000)
    more.resolve()
    expect(await stream.toArray()).toHaveLength(1)
    await new Promise(setImmediate)
    expect(onStuck).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a receiver that reads each chunk late is reported at the limit', async () => {
    const { stream, onStuck } = open(chunks(10_000))
    for (let taken = 0; taken < 66; taken++) {
      await take(stream)
      await new Promise(setImmediate)
      vi.advanceTimersByTime(900)
    }
    expect(onStuck).not.toHaveBeenCalled()
    await take(stream)
    vi.advanceTimersByTime(600)
    expect(onStuck.mock.calls).toEqual([['limit']])
    stream.destroy()
    expect(vi.getTimerCount()).toBe(0)
  })
})
