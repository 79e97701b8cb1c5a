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

const open = async (rest: AsyncIterator<Int16Array>, nowMs = () => 0) =>
  audioChunks({ first: await rest.next(), rest, header: undefined, toBytes, nowMs })

async function framesOfChunks(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const counts: number[] = []
  for await (const { length } of chunks) counts.push(length / 640)
  return counts
}

test('chunks hold whole frames, and none is lost', async () => {
  const onEnd = vi.fn()
  expect(await framesOfChunks(await open(frames(25, onEnd)))).toEqual([10, 10, 5])
  expect(onEnd).toHaveBeenCalledOnce()
})

test('the first chunk waits for no frame', async () => {
  const third = Promise.withResolvers<void>()
  async function* slow() {
    yield frame(0)
    yield frame(1)
    await third.promise
    yield frame(2)
  }
  const chunks = await open(slow())
  expect((await chunks.next()).value).toHaveLength(2 * 640)
  third.resolve()
  expect(await framesOfChunks(chunks)).toEqual([1])
})

test('chunks grow to a second while the listener has twice as much in hand', async () => {
  expect(await framesOfChunks(await open(frames(300, () => {})))).toEqual([
    10, 10, 10, 15, 23, 34, 50, 50, 50, 48,
  ])
  // Each look at the clock is 200 ms later, so the listener plays each chunk while the next is made.
  let nowMs = 0
  const chunks = await framesOfChunks(
    await open(
      frames(300, () => {}),
      () => (nowMs += 200),
    ),
  )
  expect(chunks.slice(0, -1)).toEqual(Array.from({ length: 29 }, () => 10))
})

test('a reader that stops frees the source', async () => {
  const onEnd = vi.fn()
  const chunks = await open(frames(25, onEnd))
  await chunks.next()
  await chunks.return(undefined)
  expect(onEnd).toHaveBeenCalledOnce()
})
