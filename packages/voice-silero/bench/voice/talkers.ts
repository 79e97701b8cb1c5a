import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { decodeInt16, decodeWav, s16le } from '@vaani/pcm-audio'
import { NEUTRAL } from '@vaani/speech'
import { createEngine } from '@vaani/speech-flite'
import { align, canAlign } from './align.ts'
import type { Clip } from './stream.ts'

/** Where Debian's package `pocketsphinx-testdata` puts its recordings. */
const RECORDINGS = '/usr/share/pocketsphinx/test/data'

/** Clips of each talker. */
export type Talkers = Readonly<Record<string, readonly Clip[]>>

/** Returns whether the recordings of people, and what finds their words, are installed. */
export const hasPeople = (): boolean => canAlign() && existsSync(path.join(RECORDINGS, 'librivox'))

/** People of `pocketsphinx-testdata`. The words of `numbers.raw` are nowhere written, so it serves as babble only. */
export async function people(): Promise<{ talkers: Talkers; others: Talkers }> {
  const [reader, player, commander, caller] = await Promise.all([
    transcribed('librivox', 'transcription'),
    transcribed('cards', 'cards.transcription'),
    Promise.all([
      aligned('goforward.raw', 'go forward ten meters'),
      aligned('something.raw', 'go somewhere and do something'),
    ]),
    aligned('tidigits/dhd.2934z.raw', 'two nine three four zero'),
  ])
  const numbers = [{ samples: await read('numbers.raw'), words: [] }]
  return { talkers: { reader, player, commander, caller: [caller] }, others: { numbers } }
}

async function transcribed(folder: string, file: string): Promise<Clip[]> {
  const text = await readFile(path.join(RECORDINGS, folder, file), 'utf8')
  const clips = [...text.matchAll(/^<s> (.*?) +<\/s> \((.+)\)$/gm)]
  return Promise.all(
    clips.map(([, words = '', name]) => aligned(path.join(folder, `${name}.wav`), words.trim())),
  )
}

async function aligned(file: string, transcript: string): Promise<Clip> {
  const samples = await read(file)
  return { samples, words: await align(samples, transcript) }
}

async function read(file: string): Promise<Int16Array> {
  const bytes = await readFile(path.join(RECORDINGS, file))
  return file.endsWith('.wav') ? decodeWav(bytes).samples : decodeInt16(bytes, s16le)
}

const SENTENCES = [
  'The birch canoe slid on the smooth planks.',
  'Glue the sheet to the dark blue background.',
  'It is easy to tell the depth of a well.',
  'These days a chicken leg is a rare dish.',
  'Four hours of steady work faced us.',
]

/** Voices of Flite, by speaker and pitch: in front, slt and awb as they are. Two of its voices are slt too, and alt1 is awb, lower by 3. */
const IN_FRONT = { slt: { voice: 'nova', pitchSemitones: 0 }, awb: { voice: 'alt1', pitchSemitones: 3 } }
const BEHIND = {
  default: { voice: 'default', pitchSemitones: 0 },
  alt1: { voice: 'alt1', pitchSemitones: 0 },
  alt2: { voice: 'alt2', pitchSemitones: 0 },
}

/** Speaks the sentences. The pauses of these voices are digital silence, so their level says where they speak. */
export async function machines(): Promise<{ talkers: Talkers; others: Talkers }> {
  const engine = createEngine({ method: 'clustergen' })
  const speak = async (voice: string, pitchSemitones: number): Promise<Clip[]> =>
    Promise.all(
      SENTENCES.map(async (text) => {
        const prosody = { ...NEUTRAL, pitchSemitones }
        const chunks = await Array.fromAsync(engine.synthesize({ text, voice, language: 'en-US', prosody }))
        const samples = Int16Array.from(chunks.flatMap((chunk) => [...chunk]))
        return { samples, words: loudStretches(samples) }
      }),
    )
  const speakAll = async (voices: typeof IN_FRONT | typeof BEHIND): Promise<Talkers> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(voices).map(async ([name, { voice, pitchSemitones }]) => [
          name,
          await speak(voice, pitchSemitones),
        ]),
      ),
    )
  const [talkers, others] = await Promise.all([speakAll(IN_FRONT), speakAll(BEHIND)])
  await engine.close()
  return { talkers, others }
}

/** Returns where the level within 20 ms is at most 40 dB below its peak. */
function loudStretches(samples: Int16Array): Clip['words'] {
  const hop = 320
  const powers = Array.from({ length: Math.floor(samples.length / hop) }, (_, index) =>
    samples.subarray(index * hop, (index + 1) * hop).reduce((sum, value) => sum + value * value, 0),
  )
  const least = Math.max(...powers) / 10_000
  return powers.flatMap((power, index) =>
    power > least ? [{ startMs: index * 20, endMs: (index + 1) * 20 }] : [],
  )
}
