import type { EngineLanguage, SpeechEngine } from './engine.ts'
import { SpeechError } from './speech-error.ts'

const SAMPLE_RATE_HZ = 16_000
const SAMPLES_PER_CHARACTER = 960
const CHUNK_SAMPLES = 1600
const VOICE_HZ: Readonly<Record<string, number>> = {
  nova: 440,
  atlas: 220,
  default: 330,
  alt1: 165,
  alt2: 550,
}

/**
 * Creates an engine that hums 60 ms of a tone for each character. It is not speech, but lets you test code that uses an
 * engine without installing one.
 */
export function createToneEngine(options: { languages?: readonly string[] } = {}): SpeechEngine {
  const languages: EngineLanguage[] = (options.languages ?? ['en-US']).map((tag) => ({
    tag,
    quality: 'degraded',
    note: 'A tone, not speech',
  }))
  let closed = false
  return {
    id: 'tone',
    license: 'Apache-2.0',
    capabilities: () => ({
      languages,
      voices: Object.keys(VOICE_HZ),
      sampleRateHz: SAMPLE_RATE_HZ,
      words: true,
    }),
    async *synthesize({ text, voice, language, prosody }, { signal, onWord } = {}) {
      const hz = VOICE_HZ[voice]
      if (closed) throw new SpeechError('engine_closed', 'The engine is closed')
      if (hz === undefined) throw new SpeechError('voice_not_found', 'The engine has no such voice')
      if (!languages.some(({ tag }) => tag === language))
        throw new SpeechError('language_not_supported', 'The engine does not speak this language')
      const samplesOf = (part: string) =>
        Math.round(([...part].length * SAMPLES_PER_CHARACTER) / prosody.rate)
      const length = samplesOf(text)
      const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index: start }) => ({
        start,
        end: start + word.length,
        at: samplesOf(text.slice(0, start)),
      }))
      const step = (2 * Math.PI * hz * 2 ** (prosody.pitchSemitones / 12)) / SAMPLE_RATE_HZ
      for (let start = 0; start < length; start += CHUNK_SAMPLES) {
        if (signal?.aborted === true) throw new SpeechError('aborted', 'The speech was aborted')
        if (closed) throw new SpeechError('engine_closed', 'The engine was closed')
        for (const { at, ...word } of words)
          if (at >= start && at < start + CHUNK_SAMPLES) onWord?.({ ...word, atSeconds: at / SAMPLE_RATE_HZ })
        yield Int16Array.from({ length: Math.min(CHUNK_SAMPLES, length - start) }, (_, index) =>
          Math.round(10_000 * prosody.energy * Math.sin(step * (start + index))),
        )
        // Yield to the event loop, as an engine in its own thread would.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    close() {
      closed = true
      return Promise.resolve()
    },
  }
}
