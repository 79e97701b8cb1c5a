import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { gatherFrames } from './gather-frames.ts'

test('frames of one turn leave in one write, in their order, and all before the end', async () => {
  const writes: string[] = []
  const connection = new Duplex({
    read: () => undefined,
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      done()
    },
  })
  gatherFrames(connection)
  /** As `ws` sends a frame. */
  const send = (frame: string) => {
    connection.cork()
    connection.write(`[${frame}`)
    connection.write(']')
    connection.uncork()
  }
  for (const frame of ['a', 'b', 'c']) send(frame)
  expect(writes).toEqual([])
  await Promise.resolve()
  send('d')
  await new Promise((resolve) => setImmediate(resolve))
  expect(writes).toEqual(['[a][b][c][d]'])
  send('e')
  connection.end('f')
  await once(connection, 'finish')
  expect(writes.join('')).toBe('[a][b][c][d][e]f')
})
