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

test('chunks hold whole frames, the first frame is alone, and none is lost', async () => {
  const onEnd = vi.fn()
  expect(await framesOfChunks(await open(frames(25, onEnd)))).toEqual([1, 10, 10, 4])
  expect(onEnd).toHaveBeenCalledOnce()
})

test('chunks grow to a second while the listener has twice as much in hand', async () => {
  expect(await framesOfChunks(await open(frames(300, () => {})))).toEqual([
    1, 10, 10, 11, 16, 24, 36, 50, 50, 50, 42,
  ])
  // Each look at the clock is 20 ms later, so the listener plays each frame when it is made.
  let nowMs = 0
  const chunks = await framesOfChunks(
    await open(
      frames(300, () => {}),
      () => (nowMs += 20),
    ),
  )
  expect(chunks.slice(0, -1)).toEqual([1, ...Array.from({ length: 29 }, () => 10)])
})

test('a reader that stops frees the source', async () => {
  const onEnd = vi.fn()
  const chunks = await open(frames(25, onEnd))
  await chunks.next()
  await chunks.return(undefined)
  expect(onEnd).toHaveBeenCalledOnce()
})
