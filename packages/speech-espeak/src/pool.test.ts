import type { SpeechError } from '@vaani/speech'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { createPool, type EspeakPool, type Task } from './pool.ts'

let pool: EspeakPool | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await pool?.close()
})

/** Ends each text at once, except one. */
const SILENT = new URL('./test/stuck-worker.ts', import.meta.url)
const TEXT = 'This is a sentence that is long enough to take its time. '
let lastId = 0

function task(text = TEXT, tenant = 'a'): Task & { chunks: number; ended: Promise<SpeechError | undefined> } {
  let onEnd: (error?: SpeechError) => void = () => undefined
  const ended = new Promise<SpeechError | undefined>((resolve) => (onEnd = resolve))
  const made = {
    job: {
      id: ++lastId,
      text,
      voice: 'en-us+f3',
      parameters: { rate: 175, pitch: 50, range: 50, volume: 100 },
      gainDb: 0,
    },
    tenant,
    chunks: 0,
    ended,
    onChunk: () => void made.chunks++,
    onEnd,
  }
  return made
}

test('a first segment overtakes later ones that were added earlier', async () => {
  // A stopped clock, so that the later ones do not become overdue while the thread starts.
  pool = createPool({ workers: 1, nowMs: () => 0, workerUrl: SILENT })
  const order: string[] = []
  const add = (name: string, priority: 'first' | 'later') => {
    const one = task()
    pool?.add(one, priority)
    return one.ended.then(() => order.push(name))
  }
  await Promise.all([add('later 1', 'later'), add('later 2', 'later'), add('first', 'first')])
  expect(order[0]).toBe('first')
})

test.each([
  ['no segment waits', 0, 0],
  ['one segment waits', 1, 1],
  ['several segments wait', 5, 3],
])(
  'a pool without warm workers has as many as it needs, and not more than it may: %s',
  async (_, segments, started) => {
    const worker = vi.spyOn(Worker.prototype, 'postMessage')
    pool = createPool({ workers: 3, warmWorkers: 0, workerUrl: SILENT })
    const tasks = Array.from({ length: segments }, () => task())
    for (const one of tasks) pool.add(one, 'first')
    expect(await Promise.all(tasks.map(({ ended }) => ended))).toEqual(tasks.map(() => undefined))
    expect(new Set(worker.mock.contexts).size).toBeLessThanOrEqual(started)
  },
)

test('canceling a task frees its worker midway', async () => {
  pool = createPool({ workers: 1 })
  const long = task(TEXT.repeat(100))
  pool.add(long, 'first')
  await vi.waitUntil(() => long.chunks > 0, { timeout: 300_000 })
  const next = task()
  pool.add(next, 'first')
  pool.cancel(long)
  expect(await next.ended).toBeUndefined()
  // The whole text would be about 3000 chunks.
  expect(long.chunks).toBeLessThan(2000)
})

test('a segment makes way for a stream that begins, and resumes without a seam', async () => {
  const speak = async (withOther: boolean) => {
    // A stopped clock, so that the rest of the segment does not become urgent however slow the machine is.
    pool = createPool({ workers: 1, sliceSamples: 2000, nowMs: () => 0 })
    const samples: number[] = []
    const order: string[] = []
    const long = task(TEXT.repeat(3))
    const other = task()
    // Both wait while the thread starts, so the other one waits when the first slice ends.
    pool.add({ ...long, onChunk: (chunk) => void samples.push(...chunk) }, 'first')
    if (withOther) pool.add(other, 'first')
    await Promise.all([
      long.ended.then(() => order.push('long')),
      withOther && other.ended.then(() => order.push('other')),
    ])
    await pool.close()
    return { samples, order }
  }
  const alone = await speak(false)
  const shared = await speak(true)
  expect(shared.order).toEqual(['other', 'long'])
  expect(shared.samples.length).toBeGreaterThan(22_050)
  expect(shared.samples.join() === alone.samples.join()).toBe(true)
})

test('a thread that dies fails its task and is replaced', async () => {
  const started: Worker[] = []
  const post = Worker.prototype.postMessage
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message) {
    started.push(this)
    return post.call(this, message)
  })
  pool = createPool({ workers: 1 })
  const broken = task(TEXT.repeat(100))
  pool.add(broken, 'first')
  await vi.waitUntil(() => broken.chunks > 0, { timeout: 300_000 })
  await started[0]?.terminate()
  expect((await broken.ended)?.code).toBe('engine_failed')
  const next = task()
  pool.add(next, 'first')
  expect(await next.ended).toBeUndefined()
  expect(started[1]).not.toBe(started[0])
})

test('a stuck thread fails its task at the limit and is replaced', async () => {
  pool = createPool({ workers: 1, jobLimitMs: 2000, workerUrl: SILENT })
  const [stuck, next] = [task('stuck'), task()]
  pool.add(stuck, 'first')
  pool.add(next, 'first')
  expect((await stuck.ended)?.code).toBe('engine_failed')
  expect(await next.ended).toBeUndefined()
})

test('a thread stuck in a canceled task is replaced as well', async () => {
  pool = createPool({ workers: 1, jobLimitMs: 2000, workerUrl: SILENT })
  const [before, stuck, next] = [task(), task('stuck'), task()]
  pool.add(before, 'first')
  pool.add(stuck, 'first')
  await before.ended
  pool.cancel(stuck)
  pool.add(next, 'first')
  expect(await next.ended).toBeUndefined()
})

test('if no thread can start, waiting tasks fail before the process ends', async () => {
  const file = fileURLToPath(new URL('./test/wait-for-failing.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=vaani-source', file])
  expect(stdout).toBe('engine_failed')
})

test('one tenant cannot fill the queue, and all tenants together cannot exceed its bound', () => {
  pool = createPool({ workers: 1, workerUrl: SILENT })
  const countUntilBusy = (tenant: string, priority: 'first' | 'later') => {
    for (let count = 0; ; count++)
      try {
        pool?.add(task('Hi.', tenant), priority)
      } catch (error) {
        expect(error).toMatchObject({ code: 'engine_busy' })
        return count
      }
  }
  expect(countUntilBusy('a', 'first')).toBe(500)
  expect(countUntilBusy('b', 'first')).toBe(500)
  expect(countUntilBusy('c', 'first')).toBe(500)
  expect(countUntilBusy('d', 'first')).toBe(500)
  expect(countUntilBusy('e', 'first')).toBe(0)
  // Speech that has begun continues.
  expect(countUntilBusy('a', 'later')).toBe(8000)
})
