import { availableParallelism } from 'node:os'
import { type SpeechEngine, SpeechError, type SynthesisOptions, type SynthesisRequest } from '@vaani/speech'
import { LANGUAGES, VOICES } from './languages.ts'
import { gainDbOf } from './loudness.ts'
import { type MarkedWord, SAMPLE_RATE_HZ } from './messages.ts'
import { isFarRate } from './pace.ts'
import { toParameters } from './parameters.ts'
import { createPool, type EspeakPool, type Task } from './pool.ts'
import { separateKana, toContinuedMarkup, toMarkup } from './to-markup.ts'
import { createWordFinder } from './word-finder.ts'

/** Tenant of requests that name none. */
const NO_TENANT = ''

/**
 * Creates the engine.
 *
 * @param options.workers - most worker threads; default: one fewer than the machine's cores, at least two. Each takes
 * about 60 MB, and up to 16 MB for voices that it keeps ready.
 * @param options.warmWorkers - worker threads that start at once; the others start when speech waits. Default 1
 * @example
 * const engine = createEngine()
 * for await (const samples of engine.synthesize({ text: 'Namaste', voice: 'nova', language: 'ne-NP', prosody: NEUTRAL }))
 *   console.log(samples.length)
 * await engine.close()
 */
export function createEngine(options: { workers?: number; warmWorkers?: number } = {}): SpeechEngine {
  const { workers = Math.max(2, availableParallelism() - 1), warmWorkers = 1 } = options
  const pool = createPool({ workers, warmWorkers })
  const languages = LANGUAGES.map(({ espeak: _, ...language }) => language)
  let lastId = 0
  return {
    id: 'espeak-ng',
    license: 'GPL-3.0-or-later',
    capabilities: () => ({
      languages,
      voices: Object.keys(VOICES),
      sampleRateHz: SAMPLE_RATE_HZ,
      pauses: true,
      words: true,
    }),
    synthesize: (request, synthesisOptions = {}) =>
      speak({
        pool,
        job: () => toJob(request, (lastId = (lastId % 0x7f_ff_ff_ff) + 1)),
        text: request.text,
        options: synthesisOptions,
      }),
    close: () => pool.close(),
  }
}

function toJob(request: SynthesisRequest, id: number): Task['job'] {
  const language = LANGUAGES.find(({ tag }) => tag === request.language)
  const variant = Object.hasOwn(VOICES, request.voice) ? VOICES[request.voice] : undefined
  if (language === undefined)
    throw new SpeechError('language_not_supported', 'The engine does not speak this language')
  if (variant === undefined) throw new SpeechError('voice_not_found', 'The engine has no such voice')
  const text = language.espeak === 'ja' ? separateKana(request.text) : request.text
  return {
    id,
    text: request.continues === true ? toContinuedMarkup(text) : toMarkup(text),
    voice: `${language.espeak}+${variant.name}`,
    parameters: toParameters(request.prosody, { espeak: language.espeak, variant }),
    ...(isFarRate(request.prosody.rate) && { hold: { rate: request.prosody.rate, trials: [] } }),
    gainDb: gainDbOf(language.espeak, request.voice),
  }
}

async function* speak(options: {
  pool: EspeakPool
  job: () => Task['job']
  text: string
  options: SynthesisOptions
}): AsyncGenerator<Int16Array, void, undefined> {
  const {
    pool,
    options: { signal, priority = 'later', tenant = NO_TENANT, aheadMs, onWord },
  } = options
  const chunks: [Int16Array, readonly MarkedWord[]][] = []
  let end: { error?: SpeechError } | undefined
  let wake: (() => void) | undefined
  const finish = (error?: SpeechError) => {
    end ??= error === undefined ? {} : { error }
    wake?.()
  }
  const onAbort = () => finish(new SpeechError('aborted', 'The speech was aborted'))
  const job = options.job()
  const findWord = createWordFinder(options.text, job.text)
  const task: Task = {
    job,
    tenant,
    onChunk(samples, words) {
      chunks.push([samples, onWord ? words : []])
      wake?.()
    },
    onEnd: finish,
  }
  if (signal?.aborted === true) throw new SpeechError('aborted', 'The speech was aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    pool.add(task, priority, aheadMs)
    for (;;) {
      // An abort takes precedence over queued chunks.
      if (end?.error?.code === 'aborted') throw end.error
      const [chunk, words = []] = chunks.shift() ?? []
      for (const word of words) {
        const found = findWord(word)
        if (found !== undefined) onWord?.({ ...found, atSeconds: word.sample / SAMPLE_RATE_HZ })
      }
      if (chunk !== undefined) yield chunk
      else if (end !== undefined) {
        if (end.error) throw end.error
        return
      } else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    pool.cancel(task)
  }
}
