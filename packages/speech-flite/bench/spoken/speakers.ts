import { NEUTRAL, type SpeechEngine } from '@vaani/speech'
import { createEngine as createEspeak } from '@vaani/speech-espeak'
import { loadPhonemes, voiceTag } from '@vaani/speech-espeak/phonemes'
import { createEngine as createFlite } from '../../src/create-engine.ts'
import { loadProgram } from '../../src/load-program.ts'
import { SAMPLE_RATE_HZ } from '../../src/messages.ts'
import { phrasesOf } from '../../src/phrases.ts'
import { readSegments, SILENCE } from '../../src/segments.ts'
import { createWasiProgram } from '../../src/wasi-program.ts'
import { wordsOf } from '../../src/words.ts'

const VOICE = 'nova'

/** What an engine makes of a text in a language. */
interface Speaker {
  /** Without stress and pauses. */
  phonemesOf(text: string, language: string): string[]
  samplesOf(text: string, language: string): Promise<number>
}

/** Loads the engines that speak by default: Flite speaks English, and eSpeak NG the other languages. */
export async function loadSpeakers(): Promise<{ of(language: string): Speaker; close(): Promise<void> }> {
  const [flite, espeak] = [createFlite({ workers: 1 }), createEspeak({ workers: 1 })]
  const english = { phonemesOf: await loadPhones(), samplesOf: counterOf(flite) }
  const others = { phonemesOf: await loadPhonemes(VOICE), samplesOf: counterOf(espeak) }
  return {
    of: (language) => (language.startsWith('en-') ? english : others),
    close: async () => void (await Promise.all([flite.close(), espeak.close()])),
  }
}

/** Returns a function that counts the samples of a text. */
const counterOf = (engine: SpeechEngine) => async (text: string, language: string) => {
  const request = { text, language: voiceTag(language), voice: VOICE, prosody: NEUTRAL }
  let samples = 0
  for await (const chunk of engine.synthesize(request)) samples += chunk.length
  return samples
}

/** Returns a function that lists the phones of Flite, which pronounces all English as in America. */
async function loadPhones(): Promise<(text: string) => string[]> {
  const flite = createWasiProgram(await loadProgram())
  const options = 'flite -voice kal16 -psdur -o /speech.wav -t'.split(' ')
  return (text) =>
    phrasesOf(wordsOf(text)).flatMap((phrase) =>
      readSegments(
        flite.run([...options, phrase.map(({ spoken }) => spoken).join(' ')]).printed,
        SAMPLE_RATE_HZ,
      )
        .map(({ phone }) => phone)
        .filter((phone) => phone !== SILENCE),
    )
}
