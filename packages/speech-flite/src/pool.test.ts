import { afterEach, expect, test, vi } from 'vitest'
import { Worker } from 'node:worker_threads'
import { SAMPLE_RATE_HZ } from './messages.ts'
import { createPool, type FlitePool, type PoolOptions } from './pool.ts'

let pool: FlitePool | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await pool?.close()
})

const open = (options: Partial<PoolOptions> = {}): FlitePool =>
  (pool = createPool({
    workers: 1,
    warmWorkers: 1,
    warms: [],
    workerUrl: new URL('./test/stuck-worker.ts', import.meta.url),
    ...options,
  }))
const MANNER = {
  voice: 'slt',
  stretch: 1,
  pitchHz: 172,
  deviationHz: 27,
  takenAtHz: SAMPLE_RATE_HZ,
  gainDb: 0,
  marksWords: false,
} as const
const say = (word: string, signal?: AbortSignal) =>
  (pool ?? open()).speak({ ...MANNER, words: [word] }, signal ? { signal } : {})

test('a thread that is stuck fails its phrase at the limit and is replaced', async () => {
  open({ jobLimitMs: 500 })
  const [stuck, next] = [say('stuck'), say('Hello')]
  await expect(stuck).rejects.toMatchObject({ name: 'SpeechError', code: 'engine_failed' })
  expect((await next).samples).toHaveLength(1)
})

test.each(['exit', 'fail'])('a thread that fails by “%s” fails its phrase only', async (word) => {
  open()
  await expect(say(word)).rejects.toMatchObject({ name: 'SpeechError', code: 'engine_failed' })
  expect((await say('Hello')).samples).toHaveLength(1)
})

test('a phrase that waits is dropped on an abort', async () => {
  open({ jobLimitMs: 500 })
  const gone = new AbortController()
  const [stuck, waiting] = [say('stuck'), say('Hello', gone.signal)]
  gone.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  await expect(stuck).rejects.toMatchObject({ code: 'engine_failed' })
})

test('never has more threads than it may', async () => {
  const posted = vi.spyOn(Worker.prototype, 'postMessage')
  open({ workers: 2 })
  await Promise.all(Array.from({ length: 8 }, () => say('Hello')))
  expect(new Set(posted.mock.contexts).size).toBeLessThanOrEqual(2)
})

test('a closed pool fails what is said and what waits', async () => {
  const closing = open()
  const speaking = [say('stuck'), say('Hello')]
  await Promise.all([
    closing.close(),
    ...speaking.map((one) => expect(one).rejects.toMatchObject({ code: 'engine_closed' })),
  ])
  await expect(say('Hello')).rejects.toMatchObject({ code: 'engine_closed' })
})
