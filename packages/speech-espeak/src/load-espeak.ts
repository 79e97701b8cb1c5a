import load, { type EspeakModule, type EspeakWorker } from '@echogarden/espeak-ng-emscripten'
import { type EngineMemory, openMemory } from './engine-memory.ts'
import type { MarkedWord } from './messages.ts'
import type { EspeakParameters } from './parameters.ts'

/** An instance of eSpeak NG, which speaks in the calling thread. */
export interface Espeak {
  /**
   * Speaks. The same arguments give the same samples, regardless of earlier speech.
   *
   * @returns false if there is no such voice
   */
  speak(speech: {
    /** Escaped, because the engine always parses its input as markup. */
    markup: string
    /** Language and variant, as in `ne+f3`. */
    voice: string
    parameters: EspeakParameters
    /** Receives samples and the words that begin in them. Returns false to stop the speech. */
    onSamples: (samples: Int16Array<ArrayBuffer>, words: MarkedWord[]) => boolean
  }): boolean
  /** Resets the engine now, so that the next `speak` need not do it first. */
  forget(): void
}

/** An image takes about 1.2 MB, or with a large dictionary 2.6 MB (Mandarin) to 10 MB (Russian). */
const VOICE_IMAGES_BYTES = 16 * 1024 * 1024

export async function loadEspeak(): Promise<Espeak> {
  // The name is kept in the engine's memory, so it must not depend on the command that started the process.
  const module = await load({ thisProgram: 'espeak-ng' })
  const engine = startEngine(module)
  let onSamples: Parameters<Espeak['speak']>[0]['onSamples'] = () => false
  const callback = module.addFunction((address, samples, events) => {
    if (samples === 0) return 0
    const start = address / Int16Array.BYTES_PER_ELEMENT
    const copy = new Int16Array(module.HEAP16.subarray(start, start + samples))
    return onSamples(copy, readWords(module, events)) ? 0 : 1
  })
  const encoder = new TextEncoder()
  const synthesize = (markup: string) => {
    const bytes = encoder.encode(`${markup}\0`)
    const ptr = module._malloc(bytes.length)
    module.HEAPU8.set(bytes, ptr)
    engine.synth_({ ptr }, callback)
  }

  // The first use takes about 25 ms. Spend them here, not in a request.
  engine.set_voice('en-us', '')
  synthesize('.')
  const voices = openVoices(engine, openMemory(module))
  let hasSpoken = false
  return {
    speak({ markup, voice, parameters, onSamples: receive }) {
      if ((hasSpoken || voice !== voices.current()) && !voices.set(voice)) return false
      hasSpoken = true
      engine.set_rate(parameters.rate)
      engine.set_pitch(parameters.pitch)
      engine.set_range(parameters.range)
      engine.set_volume(parameters.volume)
      onSamples = receive
      synthesize(markup)
      return true
    },
    forget() {
      const voice = voices.current()
      if (hasSpoken && voice !== undefined) hasSpoken = !voices.set(voice)
    },
  }
}

/** `espeak_EVENT` of speak_lib.h, as 32-bit words of which a list ends with one of type 0. */
const EVENT = { words: 9, type: 0, position: 2, length: 3, sample: 5 } as const
const WORD_EVENT = 1

function readWords({ HEAP32 }: EspeakModule, address: number): MarkedWord[] {
  const words: MarkedWord[] = []
  const at = (event: number, field: number): number => HEAP32[event + field] ?? 0
  for (let event = address / Int32Array.BYTES_PER_ELEMENT; at(event, EVENT.type) !== 0; event += EVENT.words)
    if (at(event, EVENT.type) === WORD_EVENT)
      words.push({
        // Counted from 1.
        position: at(event, EVENT.position) - 1,
        length: at(event, EVENT.length),
        sample: at(event, EVENT.sample),
      })
  return words
}

/** Starts the engine with a fixed time, because it seeds its noise with the time, and samples must be reproducible. */
function startEngine(module: EspeakModule): EspeakWorker {
  const { now } = Date
  Date.now = () => 0
  try {
    return new module.eSpeakNGWorker()
  } finally {
    Date.now = now
  }
}

interface Voices {
  /** Resets the engine to its state just after it started and set this voice. @returns false if there is no such voice */
  set(voice: string): boolean
  /** Returns the voice that was set last; undefined if that failed. */
  current(): string | undefined
}

function openVoices(engine: EspeakWorker, memory: EngineMemory): Voices {
  const fresh = memory.save()
  /** Ordered by last use, the oldest first. */
  const images = new Map<string, Uint8Array>()
  let imageBytes = 0
  let current: string | undefined

  function keep(voice: string, image: Uint8Array): void {
    images.set(voice, image)
    imageBytes += image.length
    for (const [oldest, { length }] of images) {
      if (imageBytes <= VOICE_IMAGES_BYTES || oldest === voice) return
      images.delete(oldest)
      imageBytes -= length
    }
  }
  return {
    set(voice) {
      const image = images.get(voice)
      current = undefined
      if (image === undefined) {
        memory.restore(fresh)
        if (engine.set_voice(voice, '') !== 0) return false
        keep(voice, memory.save())
      } else {
        memory.restore(image)
        images.delete(voice)
        images.set(voice, image)
      }
      current = voice
      return true
    },
    current: () => current,
  }
}
