import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeWav } from '@vaani/pcm-audio'
import { onTestFinished } from 'vitest'

/** Creates a folder for recordings and removes it after the current test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'telephony-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Reads the samples of a recorded WAV file. */
export async function samplesOf(path: string): Promise<Int16Array> {
  return decodeWav(await readFile(path)).samples
}
