import { expect, test } from 'vitest'
import { createEventStream } from './event-stream.ts'

const makeStream = () =>
  createEventStream<number | string>({ limit: 3, mayDrop: (event) => typeof event === 'number' })

test('a full stream drops the oldest droppable event, and grows if there is none', async () => {
  const stream = makeStream()
  for (const event of ['a', 1, 2, 3, 'b', 'c', 'd', 'e']) stream.push(event)
  stream.end()
  stream.push('too late')
  expect(await Array.fromAsync(stream)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a reader waits for events, and may stop and resume', async () => {
  const stream = makeStream()
  const first = (async () => {
    for await (const event of stream) return event
    return undefined
  })()
  stream.push('a')
  stream.push('b')
  expect(await first).toBe('a')
  const rest = Array.fromAsync(stream)
  stream.push('c')
  stream.end()
  expect(await rest).toEqual(['b', 'c'])
})
