import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pcm16Bytes } from '@vaani/pcm-audio'

/** Rate of the speech that the listener takes. */
export const LISTENING_RATE_HZ = 16_000
/** Where Debian's package `pocketsphinx-en-us` puts the model. */
const MODEL = '/usr/share/pocketsphinx/model/en-us'

/** Returns whether the listener and its model are installed. */
export function canListen(): boolean {
  try {
    execFileSync('which', ['pocketsphinx_batch'], { stdio: 'ignore' })
    return existsSync(path.join(MODEL, 'en-us.lm.bin'))
  } catch {
    return false
  }
}

/** Returns the words that pocketsphinx hears in each recording, one after the other. */
export async function listen(recordings: readonly Int16Array[]): Promise<string[][]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-heard-'))
  try {
    const names = recordings.map((_, index) => String(index))
    for (const [index, samples] of recordings.entries())
      await writeFile(path.join(folder, `${index}.raw`), pcm16Bytes(samples))
    await writeFile(path.join(folder, 'names'), `${names.join('\n')}\n`)
    const options = {
      adcin: 'yes',
      cepdir: folder,
      cepext: '.raw',
      ctl: path.join(folder, 'names'),
      hyp: path.join(folder, 'heard'),
      hmm: path.join(MODEL, 'en-us'),
      lm: path.join(MODEL, 'en-us.lm.bin'),
      dict: path.join(MODEL, 'cmudict-en-us.dict'),
      logfn: '/dev/null',
    }
    const words = Object.entries(options).flatMap(([name, value]) => [`-${name}`, value])
    execFileSync('pocketsphinx_batch', words, { stdio: 'ignore' })
    const heard = await readFile(path.join(folder, 'heard'), 'utf8')
    // Each line ends with the name and the score: `the boy was there (10 -2384)`.
    return heard
      .trimEnd()
      .split('\n')
      .map((line) => wordsIn(line.replace(/\([^()]*\)$/, '')))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the words of a text as the listener writes them. */
export const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? []
