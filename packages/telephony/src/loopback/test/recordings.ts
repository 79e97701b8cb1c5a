import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeWav } from '@vaani/pcm-audio'
import { onTestFinished } from 'vitest'

/** A folder for the recordings of the test that runs; it is removed after it. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'telephony-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** The samples of a WAV file of ours. */
export async function samplesOf(path: string): Promise<Int16Array> {
  return decodeWav(await readFile(path)).samples
}
