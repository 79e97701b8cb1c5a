import { afterEach, expect, test, vi } from 'vitest'
import { createExamineThreads, type ExamineThreads } from './examine-threads.ts'

const workerUrl = new URL('./test/naming-worker.ts', import.meta.url)

let threads: ExamineThreads
afterEach(() => threads.close())

/** Returns the id of the thread that examined a file. */
async function threadOf(file = 'other'): Promise<number | null | undefined> {
  const reply = await threads.examine({ type: 'recordings', files: [file] })
  return reply.type === 'refused' ? reply.problems[0]?.recording : undefined
}

test('examinations share an idle thread, and concurrent ones have their own', async () => {
  threads = createExamineThreads({ workerUrl })
  const first = await threadOf()
  expect(await threadOf()).toBe(first)
  const both = await Promise.all([threadOf(), threadOf()])
  expect(both).toContain(first)
  expect(new Set(both).size).toBe(2)
  expect(both).toContain(await threadOf())
})

test('a thread ends once it has been idle for its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    threads = createExamineThreads({ workerUrl, idleMs: 1000 })
    const first = await threadOf()
    vi.advanceTimersByTime(999)
    expect(await threadOf()).toBe(first)
    vi.advanceTimersByTime(1000)
    expect(await threadOf()).not.toBe(first)
  } finally {
    vi.useRealTimers()
  }
})

test.each(['broken', 'stuck'])('replaces a thread that is %s', async (file) => {
  threads = createExamineThreads({ workerUrl, limitMs: 500 })
  await expect(threadOf(file)).rejects.toThrow(/This thread fails|ended before it replied/)
  expect(await threadOf()).toBeTypeOf('number')
})

test('replaces a thread in which an examination failed', async () => {
  threads = createExamineThreads({ workerUrl })
  const first = await threadOf()
  expect(await threadOf('failing')).toBeUndefined()
  expect(await threadOf()).not.toBe(first)
})

test('closing ends running examinations, and refuses others', async () => {
  threads = createExamineThreads({ workerUrl })
  const failed = expect(threadOf('stuck')).rejects.toThrow('ended before it replied')
  await threads.close()
  await failed
  await expect(threadOf()).rejects.toThrow('The threads are closed')
})
