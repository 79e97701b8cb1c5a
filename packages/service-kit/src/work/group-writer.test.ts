import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGroupWriter } from './group-writer.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function openWriter(max = 3) {
  const groups: (readonly string[])[] = []
  let written = Promise.withResolvers<void>()
  const writer = createGroupWriter<string>(
    async (group) => {
      groups.push(group)
      written = Promise.withResolvers()
      await written.promise
    },
    { max, gatherMs: 10 },
  )
  return { writer, groups, end: () => written.resolve(), fail: (error: Error) => written.reject(error) }
}

test('writes what arrives within a while together, and what arrives during a write next', async () => {
  const { writer, groups, end } = openWriter()
  const first = writer.write('a')
  await vi.advanceTimersByTimeAsync(9)
  const second = writer.write('b')
  expect(groups).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(groups).toEqual([['a', 'b']])
  void writer.write('c')
  expect(writer.size()).toBe(3)
  end()
  await Promise.all([first, second])
  expect(writer.size()).toBe(1)
  await vi.advanceTimersByTimeAsync(10)
  expect(groups).toEqual([['a', 'b'], ['c']])
})

test('writes no more than the maximum at a time', async () => {
  const { writer, groups, end } = openWriter(2)
  for (const value of ['a', 'b', 'c']) void writer.write(value)
  await vi.advanceTimersByTimeAsync(10)
  end()
  await vi.advanceTimersByTimeAsync(10)
  expect(groups).toEqual([['a', 'b'], ['c']])
})

test('rejects the values of a group that cannot be written, and writes the next', async () => {
  const { writer, groups, end, fail } = openWriter()
  const lost = expect(writer.write('a')).rejects.toThrow('Away')
  await vi.advanceTimersByTimeAsync(10)
  fail(new Error('Away'))
  await lost
  const kept = writer.write('b')
  await vi.advanceTimersByTimeAsync(10)
  end()
  await kept
  expect(groups).toEqual([['a'], ['b']])
  expect(writer.size()).toBe(0)
})
