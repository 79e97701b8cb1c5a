import { SpeechError } from '@vaani/speech'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { toParameters } from './parameters.ts'
import { createPool, type EspeakPool, type Task } from './pool.ts'

let pool: EspeakPool | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await pool?.close()
})

const TEXT = 'This is a sentence that is long enough to take its time. '
let lastId = 0

function task(text = TEXT): Task & { chunks: number; ended: Promise<SpeechError | undefined> } {
  let onEnd: (error?: SpeechError) => void = () => undefined
  const ended = new Promise<SpeechError | undefined>((resolve) => (onEnd = resolve))
  const made = {
    job: {
      id: ++lastId,
      text,
      voice: 'en-us+f3',
      parameters: toParameters({ rate: 1, pitchSemitones: 0, range: 1, energy: 1 }),
    },
    chunks: 0,
    ended,
    onChunk: () => void made.chunks++,
    onEnd,
  }
  return made
}

test('a first segment goes before later ones that came earlier', async () => {
  pool = createPool(1)
  const order: string[] = []
  const add = (name: string, priority: 'first' | 'later') => {
    const one = task()
    pool?.add(one, priority)
    return one.ended.then(() => order.push(name))
  }
  await Promise.all([add('later 1', 'later'), add('later 2', 'later'), add('first', 'first')])
  expect(order[0]).toBe('first')
})

test('a canceled task gives up its worker in the middle', async () => {
  pool = createPool(1)
  const long = task(TEXT.repeat(100))
  pool.add(long, 'first')
  await vi.waitUntil(() => long.chunks > 0)
  const next = task()
  pool.add(next, 'first')
  pool.cancel(long)
  expect(await next.ended).toBeUndefined()
  // All of it would have been some 3000 chunks.
  expect(long.chunks).toBeLessThan(2000)
})

test('a thread that dies fails its task, and is replaced', async () => {
  const started: Worker[] = []
  const post = Worker.prototype.postMessage
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, message) {
    started.push(this)
    return post.call(this, message)
  })
  pool = createPool(1)
  const broken = task(TEXT.repeat(100))
  pool.add(broken, 'first')
  await vi.waitUntil(() => broken.chunks > 0)
  await started[0]?.terminate()
  expect((await broken.ended)?.code).toBe('engine_failed')
  const next = task()
  pool.add(next, 'first')
  expect(await next.ended).toBeUndefined()
  expect(started[1]).not.toBe(started[0])
})

test('the queue has a bound', () => {
  pool = createPool(1)
  const fill = () => {
    for (let index = 0; index < 3000; index++) pool?.add(task(), 'later')
  }
  expect(fill).toThrow(SpeechError)
})
