import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodeWav } from '@vaani/pcm-audio'
import type { Stretch } from './stream.ts'

/** Where Debian's package `pocketsphinx-en-us` puts the model. */
const MODEL = '/usr/share/pocketsphinx/model/en-us'

/** Returns whether the aligner and its model are installed. */
export function canAlign(): boolean {
  try {
    execFileSync('which', ['pocketsphinx_continuous'], { stdio: 'ignore' })
    return existsSync(path.join(MODEL, 'cmudict-en-us.dict'))
  } catch {
    return false
  }
}

/**
 * Returns when the words of a transcript are said, by pocketsphinx with a grammar of that sentence alone.
 *
 * @throws Error if pocketsphinx cannot find the words in the recording
 */
export async function align(samples: Int16Array, transcript: string): Promise<Stretch[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-align-'))
  try {
    const recording = path.join(folder, 'clip.wav')
    const grammar = path.join(folder, 'sentence.jsgf')
    await writeFile(recording, encodeWav(samples, { sampleRateHz: 16_000 }))
    await writeFile(grammar, `#JSGF V1.0;\ngrammar sentence;\npublic <sentence> = ${transcript};\n`)
    const options = {
      infile: recording,
      jsgf: grammar,
      hmm: path.join(MODEL, 'en-us'),
      dict: path.join(MODEL, 'cmudict-en-us.dict'),
      time: 'yes',
      logfn: '/dev/null',
    }
    const words = Object.entries(options).flatMap(([name, value]) => [`-${name}`, value])
    const lines = execFileSync('pocketsphinx_continuous', words, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    // Each line has a word, its start and end in seconds and a confidence; `<sil>` and `[NOISE]` are not words.
    const stretches = [...lines.matchAll(/^[a-z'.]+(?:\(\d+\))? ([\d.]+) ([\d.]+) [\d.]+$/gm)].map(
      ([, start, end]) => ({ startMs: Number(start) * 1000, endMs: Number(end) * 1000 + 10 }),
    )
    if (stretches.length !== transcript.split(' ').length)
      throw new Error(`pocketsphinx could not align “${transcript}”`)
    return stretches
  } finally {
    await rm(folder, { recursive: true })
  }
}
