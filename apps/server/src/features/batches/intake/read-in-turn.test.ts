import { setImmediate as nextRound } from 'node:timers/promises'
import { createTurns } from '@vaani/turns'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readInTurn } from './read-in-turn.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Uploads that are read by turns. */
function start() {
  const turns = createTurns({ places: Infinity, placesPerTenant: 1 })
  const read: string[] = []
  /** Begins an upload, whose chunks arrive when they are written. */
  function upload(name: string, accountId = 'one') {
    const { readable, writable } = new TransformStream<number, number>(undefined, { highWaterMark: 9 })
    const source = readable.values({ preventCancel: true })
    const ended = (async () => {
      for await (const chunk of readInTurn(source, { turns, accountId })) read.push(`${name}${chunk}`)
    })()
    return { writer: writable.getWriter(), ended }
  }
  return { read, upload }
}

/** Lets everything happen that needs no time. */
async function settle() {
  for (let round = 0; round < 5; round++) await nextRound()
}

test('one upload of an account is read at a time, and those of others beside it', async () => {
  const { read, upload } = start()
  const [a, b, other] = [upload('a'), upload('b'), upload('x', 'two')]
  await a.writer.write(1)
  await settle()
  await b.writer.write(1)
  await other.writer.write(1)
  await settle()
  await a.writer.write(2)
  await settle()
  expect(read).toEqual(['a1', 'x1', 'a2'])
  await a.writer.close()
  await a.ended
  await settle()
  expect(read).toEqual(['a1', 'x1', 'a2', 'b1'])
})

test('an upload that pauses lets others of its account go on', async () => {
  const { read, upload } = start()
  const [a, b] = [upload('a'), upload('b')]
  await a.writer.write(1)
  await settle()
  await b.writer.write(1)
  await settle()
  expect(read).toEqual(['a1'])
  vi.advanceTimersByTime(5)
  await settle()
  expect(read).toEqual(['a1', 'b1'])
  await b.writer.close()
  await a.writer.write(2)
  await settle()
  expect(read).toEqual(['a1', 'b1', 'a2'])
})

test('an upload that fails, or that nobody reads on, hands its turn on', async () => {
  const { read, upload } = start()
  const [a, b] = [upload('a'), upload('b')]
  await a.writer.write(1)
  await settle()
  await b.writer.write(1)
  await a.writer.abort(new Error('cut'))
  await expect(a.ended).rejects.toThrow('cut')
  await settle()
  expect(read).toEqual(['a1', 'b1'])

  const turns = createTurns({ places: Infinity, placesPerTenant: 1 })
  async function* endless() {
    for (;;) yield 1
  }
  for await (const chunk of readInTurn(endless(), { turns, accountId: 'one' })) if (chunk === 1) break
  await expect(turns.take({ tenant: 'one', maxWaitMs: 0 })).resolves.toBeDefined()
})
