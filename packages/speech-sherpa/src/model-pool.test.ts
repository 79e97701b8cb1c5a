import { afterEach, expect, test } from 'vitest'
import { createModelPool, type ModelPool } from './model-pool.ts'
import { children } from './test/children.ts'

const LIMITS = { stallMs: 60_000, loadMs: 60_000 }
const SETTINGS = { files: {}, threads: 1, sherpa: '' }

let pool: ModelPool | undefined
afterEach(() => pool?.close())

const open = (child: 'stuck' | 'failing' | 'endless', limits: Partial<typeof LIMITS> = {}): ModelPool =>
  (pool = createModelPool({
    settings: SETTINGS,
    processes: 1,
    limits: { ...LIMITS, ...limits },
    childUrl: new URL(`./test/${child}-child.ts`, import.meta.url),
  }))
const say = (text: string, signal?: AbortSignal) =>
  Array.fromAsync((pool as ModelPool).speak({ text, speaker: 0, speed: 1 }, signal ? { signal } : {}))

test('a process that stalls fails its segment at the limit and is replaced', async () => {
  await open('stuck', { stallMs: 500 }).load()
  const [stuck, next] = [say('stuck'), say('Hello')]
  await expect(stuck).rejects.toMatchObject({ name: 'SpeechError', code: 'engine_failed' })
  expect(await next).toHaveLength(1)
})

test('a process that stalls after its segment was aborted is replaced as well', async () => {
  await open('stuck', { stallMs: 500 }).load()
  const gone = new AbortController()
  const speech = (pool as ModelPool).speak({ text: 'stuck', speaker: 0, speed: 1 }, { signal: gone.signal })
  await speech.next()
  gone.abort()
  await expect(speech.next()).rejects.toMatchObject({ code: 'aborted' })
  expect(await say('Hello')).toHaveLength(1)
})

test('a reader that leaves a stuck process leaves it to the limit', async () => {
  await open('stuck', { stallMs: 500 }).load()
  for await (const _ of (pool as ModelPool).speak({ text: 'stuck', speaker: 0, speed: 1 }, {})) break
  expect(await say('Hello')).toHaveLength(1)
})

test('a model that never stops is stopped when its reader leaves, and serves the next one', async () => {
  await open('endless').load()
  const started = children.length
  for (let reader = 0; reader < 3; reader++)
    for await (const _ of (pool as ModelPool).speak({ text: 'Hello', speaker: 0, speed: 1 }, {})) break
  expect(children.length).toBe(started)
})

test('a model that never stops fails its segment after five minutes of audio', async () => {
  await open('endless').load()
  await expect(say('Hello')).rejects.toMatchObject({ code: 'engine_failed' })
})

test('a model that cannot be loaded is reported with what was printed, and tried again by the next request', async () => {
  const error = { code: 'engine_failed', message: 'The model cannot be loaded: No such model' }
  await expect(open('failing').load()).rejects.toMatchObject(error)
  await expect(say('Hello')).rejects.toMatchObject(error)
  await expect(say('Hello')).rejects.toMatchObject(error)
})

test('a model that takes too long to load fails at the limit', async () => {
  await expect(open('stuck', { loadMs: 1 }).load()).rejects.toMatchObject({ code: 'engine_failed' })
})

test('closing fails what speaks and what waits', async () => {
  await open('stuck').load()
  const speech = (pool as ModelPool).speak({ text: 'stuck', speaker: 0, speed: 1 }, {})
  await speech.next()
  const isClosed = expect.objectContaining({ code: 'engine_closed' })
  const both = Promise.allSettled([speech.next(), say('Hello')])
  await (pool as ModelPool).close()
  expect((await both).map((one) => one.status === 'rejected' && one.reason)).toEqual([isClosed, isClosed])
  await expect(say('Hello')).rejects.toEqual(isClosed)
})
