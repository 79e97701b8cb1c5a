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

const open = async (rest: AsyncIterator<Int16Array>) =>
  audioChunks({ first: await rest.next(), rest, header: undefined, toBytes })

test('chunks hold whole frames, the first frame is alone, and none is lost', async () => {
  const onEnd = vi.fn()
  const chunks = await open(frames(25, onEnd))
  const lengths: number[] = []
  for await (const chunk of chunks) lengths.push(chunk.length)
  expect(lengths).toEqual([640, 6400, 6400, 2560])
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a reader that stops frees the source', async () => {
  const onEnd = vi.fn()
  const chunks = await open(frames(25, onEnd))
  await chunks.next()
  await chunks.return(undefined)
  expect(onEnd).toHaveBeenCalledOnce()
})
