import { NEUTRAL, type SpeechEngine, type SynthesisOptions, type SynthesisRequest } from '@vaani/speech'
import { afterEach, beforeEach, expect } from 'vitest'
import { createOpenAiEngine, type Effects } from '../create-engine.ts'
import type { OpenAiEngineOptions } from '../options.ts'
import { type SpeechServer, startSpeechServer } from './speech-server.ts'

const KEY = 'sk-secret-of-the-test'
export const TEXT = 'Good morning.'
export const REQUEST: SynthesisRequest = {
  text: TEXT,
  voice: 'nova',
  language: 'en-US',
  prosody: { ...NEUTRAL, energy: 1 },
}
const VOICES = { nova: 'alloy', atlas: 'onyx' }
const LANGUAGES = ['en-US', { tag: 'hi-IN', voices: { nova: 'hf_alpha' }, body: { lang_code: 'h' } }] as const

export interface Vendor {
  readonly server: SpeechServer
  /** Waits before repetitions, which pass at once, in ms. */
  readonly waits: readonly number[]
  /** Opens an engine of the server. With `realWaits` it really waits before repetitions. */
  open(options?: Partial<OpenAiEngineOptions>, realWaits?: boolean): SpeechEngine
}

/** Starts a server before each test of the file, and closes it and the engines after it. */
export function useVendor(): Vendor {
  let server: SpeechServer
  let waits: number[]
  const opened: SpeechEngine[] = []
  beforeEach(async () => {
    server = await startSpeechServer()
    waits = []
  })
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close()
    await server[Symbol.asyncDispose]()
  })
  return {
    get server() {
      return server
    },
    get waits() {
      return waits
    },
    open(options = {}, realWaits = false) {
      // A random number of 1 gives the longest delay.
      const effects: Effects = { random: () => 1, wait: async (ms) => void waits.push(ms) }
      const { baseUrl } = server
      const all = { baseUrl, apiKey: KEY, model: 'tts', voices: VOICES, languages: LANGUAGES, ...options }
      const engine = realWaits ? createOpenAiEngine(all) : createOpenAiEngine(all, effects)
      opened.push(engine)
      return engine
    },
  }
}

export async function say(
  engine: SpeechEngine,
  request: Partial<SynthesisRequest> = {},
  options?: SynthesisOptions,
): Promise<Int16Array> {
  const chunks = await Array.fromAsync(engine.synthesize({ ...REQUEST, ...request }, options))
  return Int16Array.from(chunks.flatMap((chunk) => [...chunk]))
}

/** Speaks until it fails, and returns the error with what was heard before it. */
export async function fails(engine: SpeechEngine, options?: SynthesisOptions) {
  let samples = 0
  try {
    for await (const chunk of engine.synthesize(REQUEST, options)) samples += chunk.length
  } catch (error) {
    return { error, samples }
  }
  throw new Error('It did not fail')
}

export const speechError = (code: string, more: object = {}): unknown =>
  expect.objectContaining({ name: 'SpeechError', code, ...more })
