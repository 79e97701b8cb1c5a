import { expect, test } from 'vitest'
import { createCopy } from './copy.ts'
import { createMemoryBudget } from './memory-budget.ts'

const open = (maxBytes = 100, total = 1000) => {
  const memory = createMemoryBudget(total)
  return { memory, copy: createCopy({ maxBytes, memory }) }
}

test('passes on what was pushed, before and while it is read', async () => {
  const { copy } = open()
  copy.push(Buffer.from('a'))
  const reading = Array.fromAsync(copy.chunks())
  copy.push(Buffer.from('b'))
  await Promise.resolve()
  copy.push(Buffer.from('c'))
  copy.end()
  expect(Buffer.concat(await reading).toString()).toBe('abc')
})

test('is dropped when more waits than it may hold, and frees its memory', async () => {
  const { copy, memory } = open(100, 100)
  expect(copy.push(Buffer.alloc(60))).toBe(true)
  expect(copy.push(Buffer.alloc(60))).toBe(false)
  expect(copy.push(Buffer.alloc(1))).toBe(false)
  expect(memory.take(100)).toBe(true)
  await expect(copy.chunks().next()).rejects.toThrow('dropped')
})

test('is dropped when all copies together hold too much', () => {
  const memory = createMemoryBudget(100)
  const [one, other] = [createCopy({ maxBytes: 100, memory }), createCopy({ maxBytes: 100, memory })]
  expect(one.push(Buffer.alloc(80))).toBe(true)
  expect(other.push(Buffer.alloc(40))).toBe(false)
  one.drop()
  expect(memory.take(100)).toBe(true)
})

test('a part that was read makes room for the next', async () => {
  const { copy, memory } = open(100, 100)
  const chunks = copy.chunks()
  for (let i = 0; i < 10; i++) {
    expect(copy.push(Buffer.alloc(90))).toBe(true)
    await chunks.next()
    const next = chunks.next()
    copy.push(Buffer.alloc(1))
    await next
  }
  copy.end()
  await chunks.next()
  expect(memory.take(100)).toBe(true)
})

test('dropping it fails a reader that waits, also after its end', async () => {
  const { copy } = open()
  const waiting = copy.chunks().next()
  copy.drop()
  await expect(waiting).rejects.toThrow('dropped')
  const ended = open().copy
  ended.push(Buffer.from('a'))
  ended.end()
  ended.drop()
  await expect(ended.chunks().next()).rejects.toThrow('dropped')
})
