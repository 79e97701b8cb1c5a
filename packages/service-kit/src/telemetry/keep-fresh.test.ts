import { expect, test } from 'vitest'
import { keepFresh } from './keep-fresh.ts'

const FRESH_MS = 5000

function createReading() {
  let nowMs = 0
  let count = 0
  const results: (() => Promise<number>)[] = []
  const read = keepFresh(
    async () => {
      count++
      return await (results.shift()?.() ?? Promise.resolve(count))
    },
    { nowMs: () => nowMs, waitMs: 1 },
  )
  return { read, results, count: () => count, pass: (ms: number) => void (nowMs += ms) }
}

test('reads again only after the value has expired', async () => {
  const { read, count, pass } = createReading()
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  pass(FRESH_MS - 1)
  expect(await read()).toBe(1)
  pass(1)
  expect(await read()).toBe(2)
  expect(count()).toBe(2)
})

test('a failure is cached like a value, so that a database in trouble gets no extra load', async () => {
  const { read, results, count, pass } = createReading()
  results.push(() => Promise.reject(new Error('away')))
  await expect(read()).rejects.toThrow('away')
  await expect(read()).rejects.toThrow('away')
  expect(count()).toBe(1)
  pass(FRESH_MS)
  expect(await read()).toBe(2)
})

test('stops waiting for a hanging read, and starts no second one', async () => {
  const { read, results, count, pass } = createReading()
  const hanging = Promise.withResolvers<number>()
  results.push(() => hanging.promise)
  await expect(read()).rejects.toThrow('takes too long')
  pass(FRESH_MS)
  await expect(read()).rejects.toThrow('takes too long')
  expect(count()).toBe(1)
  hanging.resolve(7)
  await expect.poll(read).toBe(2)
})
