import { expect, test, vi } from 'vitest'
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

async function open(count: number, options: { idleMs?: number } = {}) {
  const onEnd = vi.fn()
  const onIdle = vi.fn()
  const rest = frames(count, onEnd)
  const chunks = audioChunks({
    first: await rest.next(),
    rest,
    header: undefined,
    toBytes,
    idleMs: options.idleMs ?? 1000,
    onIdle,
  })
  return { chunks, onEnd, onIdle }
}

test('chunks hold whole frames, the first alone, and nothing is lost', async () => {
  const { chunks, onEnd } = await open(25)
  const lengths: number[] = []
  for await (const chunk of chunks) lengths.push(chunk.length)
  expect(lengths).toEqual([640, 6400, 6400, 2560])
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a reader that stops frees the source', async () => {
  const { chunks, onEnd } = await open(25)
  await chunks.next()
  await chunks.return(undefined)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a reader that takes nothing is reported', async () => {
  vi.useFakeTimers()
  try {
    const { chunks, onIdle } = await open(25)
    await chunks.next()
    vi.advanceTimersByTime(1001)
    expect(onIdle).toHaveBeenCalledOnce()
    await chunks.return(undefined)
  } finally {
    vi.useRealTimers()
  }
})
