import { availableParallelism } from 'node:os'
import { type SpeechEngine, SpeechError, type SynthesisOptions, type SynthesisRequest } from '@vaani/speech'
import { type FliteVoice, SAMPLE_RATE_HZ, type Spoken } from './messages.ts'
import { type Phrase, phrasesOf } from './phrases.ts'
import { createPool, type FlitePool } from './pool.ts'
import { LANGUAGES, type Method, toManner, type Voice, VOICES } from './voices.ts'
import { type Pause, wordsOf } from './words.ts'

/** A phrase is passed on in chunks of 100 ms, between which an abort ends it. */
const CHUNK_SAMPLES = SAMPLE_RATE_HZ / 10
/** Pauses at a rate of 1; slower speech has longer ones. After a text that goes on, one without a mark ends like a paragraph. */
const PAUSE_SECONDS: Readonly<Record<Pause, number>> = { none: 0, clause: 0.15, sentence: 0.29 }

type Voices = Readonly<Record<string, Voice>>

export interface FliteOptions {
  /** Default: `diphone`. */
  method?: Method
  /** Most worker threads; default: one fewer than the machine's cores, at least two. Each takes about 75 MB. */
  workers?: number
  /** Worker threads that start at once; the others start when speech waits. Default 1. */
  warmWorkers?: number
}

/**
 * Creates the engine.
 * @example
 * const engine = createEngine()
 * for await (const samples of engine.synthesize({ text: 'Good morning', voice: 'nova', language: 'en-US', prosody: NEUTRAL }))
 *   console.log(samples.length)
 * await engine.close()
 */
export function createEngine(options: FliteOptions = {}): SpeechEngine {
  const { method = 'diphone', workers = Math.max(2, availableParallelism() - 1), warmWorkers = 1 } = options
  const voices = VOICES[method]
  const pool = createPool({ workers, warmWorkers, warms: speakersOf(voices) })
  const capabilities = {
    languages: LANGUAGES,
    voices: Object.keys(voices),
    sampleRateHz: SAMPLE_RATE_HZ,
    pauses: true,
    words: true,
  }
  return {
    id: 'flite',
    // The second is that of Flite and its voices, by the file COPYING of its package, whose package.json says BSD-4-Clause.
    license: 'Apache-2.0 AND MIT-Festival',
    capabilities: () => capabilities,
    synthesize(request, synthesisOptions = {}) {
      return speak({ pool, voices }, request, synthesisOptions)
    },
    close: () => pool.close(),
  }
}

/** The speakers of Flite that some voices need. */
const speakersOf = (voices: Voices): FliteVoice[] => [
  ...new Set(Object.values(voices).map(({ flite }) => flite)),
]

function requireVoice(voices: Voices, { language, voice }: SynthesisRequest): Voice {
  if (!LANGUAGES.some(({ tag }) => tag === language))
    throw new SpeechError('language_not_supported', 'The engine does not speak this language')
  const found = Object.hasOwn(voices, voice) ? voices[voice] : undefined
  if (found === undefined) throw new SpeechError('voice_not_found', 'The engine has no such voice')
  return found
}

async function* speak(
  { pool, voices }: { pool: FlitePool; voices: Voices },
  request: SynthesisRequest,
  options: SynthesisOptions,
): AsyncGenerator<Int16Array, void, undefined> {
  const { text, prosody, continues = false } = request
  const manner = toManner(requireVoice(voices, request), prosody)
  const { signal, onWord } = options
  const phrases = phrasesOf(wordsOf(text))
  const startedMs = performance.now()
  let made = 0
  for (const [index, phrase] of phrases.entries()) {
    const job = { ...manner, words: phrase.map(({ spoken }) => spoken), marksWords: onWord !== undefined }
    const heardMs = (made / SAMPLE_RATE_HZ) * 1000 - (performance.now() - startedMs)
    const spoken = await pool.speak(job, index === 0 ? options : laterOptions(options, heardMs))
    const isLast = index === phrases.length - 1
    const pause = isLast && !continues ? 0 : pauseAfter(phrase, isLast) / prosody.rate
    for (const { samples, words } of chunksOf(phrase, spoken, Math.round(pause * SAMPLE_RATE_HZ))) {
      pool.throwIfClosed()
      if (signal?.aborted === true) throw new SpeechError('aborted', 'The speech was aborted')
      for (const { start, end, sample } of words)
        onWord?.({ start, end, atSeconds: (made + sample) / SAMPLE_RATE_HZ })
      made += samples.length
      yield samples
    }
  }
}

/** Options for a phrase whose listener has audio in hand, in milliseconds, beside what it had before. */
function laterOptions({ aheadMs, ...options }: SynthesisOptions, heardMs: number): SynthesisOptions {
  if (aheadMs === undefined) return { ...options, priority: 'later' }
  return { ...options, priority: 'later', aheadMs: Math.max(0, aheadMs + heardMs) }
}

function pauseAfter(phrase: Phrase, isLast: boolean): number {
  const { pause } = phrase[phrase.length - 1] ?? phrase[0]
  return PAUSE_SECONDS[isLast && pause === 'none' ? 'sentence' : pause]
}

interface Chunk {
  samples: Int16Array
  /** The words that begin in it, each with its sample of the chunk. */
  words: { start: number; end: number; sample: number }[]
}

/** Cuts a phrase and the pause after it into chunks. */
function* chunksOf(phrase: Phrase, { samples, starts }: Spoken, pauseSamples: number): Generator<Chunk> {
  for (let from = 0; from < samples.length; from += CHUNK_SAMPLES) {
    const words = phrase.flatMap(({ start, end }, index) => {
      const sample = (starts[index] ?? -1) - from
      return sample >= 0 && sample < CHUNK_SAMPLES ? [{ start, end, sample }] : []
    })
    yield { samples: samples.subarray(from, from + CHUNK_SAMPLES), words }
  }
  if (pauseSamples > 0) yield { samples: new Int16Array(pauseSamples), words: [] }
}
