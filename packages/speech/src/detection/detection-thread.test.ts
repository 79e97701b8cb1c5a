import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodeWav } from '@vaani/pcm-audio'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AudioError } from '../decode-audio/audio-error.ts'
import { SpeechError } from '../speech-error.ts'
import { createDetectionThread, type DetectionThread } from './detection-thread.ts'

const STUCK = new URL('./test/stuck-worker.ts', import.meta.url)
const what = { keys: [new Uint8Array(32)], maxSeconds: 10 }
const isCode = (code: string) => (error: unknown) => error instanceof SpeechError && error.code === code

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'detection-'))
})
afterAll(() => rm(folder, { recursive: true }))
let thread: DetectionThread
afterEach(() => thread.close())

async function written(name: string, bytes: Uint8Array): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, bytes)
  return file
}

test('searches files one after another, and refuses one that is no recording', async () => {
  thread = createDetectionThread()
  const silence = await written('silence.wav', encodeWav(new Int16Array(8000), { sampleRateHz: 8000 }))
  const text = await written('text.wav', Buffer.from('not a recording'))
  const outcomes = await Promise.allSettled(
    [silence, text, silence].map((file) => thread.search({ file, ...what })),
  )
  expect(outcomes).toMatchObject([
    { value: { durationSeconds: 1, detections: [{ isPresent: false }] } },
    { reason: { code: 'unknown_type' } },
    { value: { durationSeconds: 1 } },
  ])
  expect(outcomes[1]).toHaveProperty('reason', expect.any(AudioError))
  await expect(thread.search({ file: path.join(folder, 'missing'), ...what })).rejects.toSatisfy(
    isCode('engine_failed'),
  )
})

test.each(['broken', 'stuck'])('replaces a thread that is %s', async (file) => {
  thread = createDetectionThread({ workerUrl: STUCK, searchLimitMs: 500 })
  await expect(thread.search({ file, ...what })).rejects.toSatisfy(isCode('engine_failed'))
  await expect(thread.search({ file: 'other', ...what })).resolves.toMatchObject({ detections: [] })
})

test('refuses a tenant that has too many searches waiting, but not others', async () => {
  thread = createDetectionThread({ workerUrl: STUCK })
  const request = { file: 'stuck', ...what }
  const aborted = new AbortController()
  const waiting = Array.from({ length: 11 }, () =>
    thread.search({ ...request, tenant: 'one', signal: aborted.signal }),
  )
  const outcomes = Promise.allSettled(waiting)
  await expect(thread.search({ ...request, tenant: 'one' })).rejects.toSatisfy(isCode('engine_busy'))
  const other = thread.search({ ...request, tenant: 'other' })
  const failed = expect(other).rejects.toSatisfy(isCode('engine_closed'))
  // Those that wait end at once; the one that runs ends with the thread.
  aborted.abort()
  await thread.close()
  await failed
  expect((await outcomes).map((one) => (one.status === 'rejected' ? one.reason.code : 'searched'))).toEqual([
    'engine_closed',
    ...Array.from({ length: 10 }, () => 'aborted'),
  ])
  await expect(thread.search(request)).rejects.toSatisfy(isCode('engine_closed'))
})
