import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { audioChunks } from './audio-chunks.ts'

const frame = (value: number) => new Int16Array(320).fill(value)
const toBytes = (samples: Int16Array) => new Uint8Array(samples.buffer)

async function* frames(count: number, onEnd: () => void) {
  try {
    for (let index = 0; index < count; index++) yield frame(index)
  } finally {
    onEnd()
  }
}

async function open(rest: AsyncIterator<Int16Array>) {
  const onStuck = vi.fn()
  const chunks = audioChunks({
    first: await rest.next(),
    rest,
    header: undefined,
    toBytes,
    idleMs: 1000,
    limitMs: 60_000,
    onStuck,
  })
  return { chunks, onStuck }
}

test('chunks hold whole frames, the first frame is alone, and none is lost', async () => {
  const onEnd = vi.fn()
  const { chunks } = await open(frames(25, onEnd))
  const lengths: number[] = []
  for await (const chunk of chunks) lengths.push(chunk.length)
  expect(lengths).toEqual([640, 6400, 6400, 2560])
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a reader that stops frees the source', async () => {
  const onEnd = vi.fn()
  const { chunks } = await open(frames(25, onEnd))
  await chunks.next()
  await chunks.return(undefined)
  expect(onEnd).toHaveBeenCalledOnce()
})

describe('timeouts', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('a reader that reads nothing is reported', async () => {
    const { chunks, onStuck } = await open(frames(25, vi.fn()))
    await chunks.next()
    vi.advanceTimersByTime(999)
    expect(onStuck).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onStuck.mock.calls).toEqual([['idle']])
    await chunks.return(undefined)
  })

  test('a reader that waits for a busy engine is not reported', async () => {
    const more = Promise.withResolvers<void>()
    const { chunks, onStuck } = await open(
      (async function* () {
        yield frame(1)
        await more.promise
        yield frame(2)
      })(),
    )
    await chunks.next()
    const waiting = chunks.next()
    await vi.advanceTimersByTimeAsync(30_000)
    more.resolve()
    expect((await waiting).value).toHaveLength(640)
    expect((await chunks.next()).done).toBe(true)
    expect(onStuck).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a reader that reads each chunk late is reported at the limit', async () => {
    const { chunks, onStuck } = await open(frames(10_000, vi.fn()))
    for (let taken = 0; taken < 66; taken++) {
      await chunks.next()
      vi.advanceTimersByTime(900)
    }
    expect(onStuck).not.toHaveBeenCalled()
    await chunks.next()
    vi.advanceTimersByTime(600)
    expect(onStuck.mock.calls).toEqual([['limit']])
    await chunks.return(undefined)
    expect(vi.getTimerCount()).toBe(0)
  })
})
