import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, samplesOf } from './test/recordings.ts'
import { createWavRecorder } from './wav-recorder.ts'

const format = { sampleRateHz: 16_000, frameSamples: 320 }

test('an empty recording is a valid file', async () => {
  const path = join(await makeFolder(), 'empty.wav')
  expect(await createWavRecorder({ path, ...format }).finish()).toEqual({})
  expect(await samplesOf(path)).toHaveLength(0)
})

test('only its owner may read a recording', async () => {
  const path = join(await makeFolder(), 'private.wav')
  await createWavRecorder({ path, ...format }).finish()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a disk that does not keep up fails the recording instead of filling the memory', async () => {
  const folder = await makeFolder()
  const recorder = createWavRecorder({ path: join(folder, 'slow.wav'), ...format })
  // Without a turn of the event loop in between, no write completes.
  for (let frame = 0; frame < 50 * 120; frame += 1) {
    recorder.hear(null)
    recorder.flush()
  }
  expect(await recorder.finish()).toEqual({ failure: 'DISK_TOO_SLOW' })
  expect(await readdir(folder)).toEqual([])
})
