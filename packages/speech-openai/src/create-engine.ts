import { setTimeout as sleep } from 'node:timers/promises'
import { type SpeechEngine, speakableText, SpeechError, type SynthesisRequest } from '@vaani/speech'
import { createTurns, withEnergy } from '@vaani/speech/engine-kit'
import { type CheckedOptions, checkOptions, type OpenAiEngineOptions } from './options.ts'
import { receiveAudio, RefusedError } from './receive-audio.ts'
import { retryDelayMs } from './refusal.ts'

/** Effects that tests replace. */
export interface Effects {
  random: () => number
  /** Waits before a repetition. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Range of `speed` in the API. */
const SPEED = { min: 0.25, max: 4 }
/** Text that has a sound. Servers refuse other text, or charge for it. */
const AUDIBLE = /[\p{L}\p{N}\p{S}]/u
/** Text that must have a sound, in every language. */
const SPOKEN = /[\p{L}\p{N}]/u

export function createOpenAiEngine(
  options: OpenAiEngineOptions,
  effects: Effects = { random: Math.random, wait: (ms, signal) => sleep(ms, undefined, { signal }) },
): SpeechEngine {
  const checked = checkOptions(options)
  const { languages, voices, sampleRateHz, repeatable } = checked
  const turns = createTurns({ places: checked.maxConcurrent })
  /** Ends each request in progress. A signal that outlives them all would collect what listens to it. */
  const active = new Set<AbortController>()
  let closed = false
  const capabilities = {
    languages: languages.map(({ tag, quality, note }) => ({
      tag,
      quality,
      ...(note !== undefined && { note }),
    })),
    voices: Object.keys(voices),
    sampleRateHz,
    repeatable,
    pitch: false,
    instructions: true,
    wideRates: true,
  }
  return {
    id: 'openai',
    license: 'Apache-2.0',
    capabilities: () => capabilities,
    async *synthesize(request, synthesisOptions = {}) {
      const { signal } = synthesisOptions
      const body = toBody(checked, request)
      const running = new AbortController()
      const onAbort = () => running.abort()
      active.add(running)
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        using _place = await turns.take(synthesisOptions)
        if (!AUDIBLE.test(body.input)) return
        for await (const samples of repeat(checked, body, running.signal, effects)) {
          yield withEnergy(samples, request.prosody.energy)
          running.signal.throwIfAborted()
        }
      } catch (error) {
        if (closed) throw new SpeechError('engine_closed', 'The engine is closed')
        if (signal?.aborted === true) throw new SpeechError('aborted', 'The speech was aborted')
        throw error
      } finally {
        signal?.removeEventListener('abort', onAbort)
        active.delete(running)
      }
    },
    close() {
      closed = true
      turns.close()
      for (const running of active) running.abort()
      return Promise.resolve()
    },
  }
}

/** Repeats a request that failed before its first sample. */
async function* repeat(
  options: CheckedOptions,
  body: Readonly<Record<string, unknown>> & { input: string },
  signal: AbortSignal,
  { random, wait }: Effects,
): AsyncGenerator<Int16Array, void, undefined> {
  for (let attempt = 0; ; attempt++) {
    let isHeard = false
    try {
      for await (const samples of receiveAudio(options, body, signal)) {
        isHeard = true
        yield samples
      }
      if (!isHeard && SPOKEN.test(body.input))
        throw new SpeechError('engine_failed', 'The speech server sent no audio')
      return
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      const delayMs = retryDelayMs(error.refusal, { ...options, attempt, random })
      if (delayMs === undefined) throw error.refusal.error
      await wait(delayMs, signal)
    }
  }
}

function toBody(
  { languages, voices, model, format, body }: CheckedOptions,
  { text, language, voice, prosody, instructions }: SynthesisRequest,
): Readonly<Record<string, unknown>> & { input: string } {
  const row = languages.find(({ tag }) => tag === language)
  if (row === undefined)
    throw new SpeechError('language_not_supported', 'The engine does not speak this language')
  const own = { ...voices, ...row.voices }
  if (!Object.hasOwn(own, voice)) throw new SpeechError('voice_not_found', 'The engine has no such voice')
  return {
    ...body,
    ...row.body,
    // In place of those of the operator.
    ...(instructions !== undefined && { instructions }),
    model,
    input: speakableText(text),
    voice: own[voice],
    response_format: format,
    speed: Math.min(SPEED.max, Math.max(SPEED.min, prosody.rate)),
  }
}
