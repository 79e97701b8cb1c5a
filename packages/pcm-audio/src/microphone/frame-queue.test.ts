import { expect, test } from 'vitest'
import { createFrameQueue } from './frame-queue.ts'

const frame = (value: number) => Int16Array.of(value)

test('frames are read in order, before and after they arrive, until the end', async () => {
  const queue = createFrameQueue({ capacity: 9 })
  queue.push(frame(1))
  const read: number[] = []
  const reading = (async () => {
    for await (const [value = Number.NaN] of queue.read()) read.push(value)
  })()
  queue.push(frame(2))
  await expect.poll(() => read).toEqual([1, 2])
  queue.push(frame(3))
  queue.end()
  queue.push(frame(4))
  await reading
  expect(read).toEqual([1, 2, 3])
})

test('a full queue drops its oldest frames and counts them', async () => {
  const queue = createFrameQueue({ capacity: 2 })
  for (let value = 0; value < 5; value++) queue.push(frame(value))
  queue.end()
  expect(await Array.fromAsync(queue.read())).toEqual([frame(3), frame(4)])
  expect(queue.dropped).toBe(3)
})
