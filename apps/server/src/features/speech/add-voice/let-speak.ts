import { streamSpeech } from '@vaani/speech'
import type { SherpaModel } from '@vaani/speech-sherpa'
import { createSherpa } from '../engine.ts'
import { AddVoiceError, reasonOf } from './add-voice-error.ts'

/** Digits, which the rules of each language put into words. */
const SENTENCE = '1, 2, 3.'
/** Quieter than this, of 32,768, is silence. */
const AUDIBLE = 300

/**
 * Loads a model, and speaks a sentence in each of its voices.
 *
 * @param directory where the adapter is, unless the server finds it anyway
 * @throws AddVoiceError if it cannot be loaded, fails or is silent
 */
export async function letSpeak(
  model: SherpaModel,
  { directory, signal }: { directory: string | undefined; signal: AbortSignal },
): Promise<void> {
  try {
    const engine = await createSherpa({ models: [model], directory })
    try {
      const [{ tag: language } = { tag: '' }] = engine.capabilities().languages
      for (const voice of Object.keys(model.voices)) {
        const words = { text: SENTENCE, voice, language, emotion: 'neutral', speed: 1 } as const
        let peak = 0
        for await (const frame of streamSpeech({ engine, ...words, signal }))
          for (const sample of frame) peak = Math.max(peak, Math.abs(sample))
        if (peak < AUDIBLE) throw new Error(`${voice} is silent`)
      }
    } finally {
      await engine.close()
    }
  } catch (error) {
    throw new AddVoiceError(`The model cannot speak: ${reasonOf(error)}`)
  }
}
