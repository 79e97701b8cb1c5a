import { NEUTRAL, type Prosody } from '@vaani/speech'
import { createEngine } from '../../src/index.ts'
import { TEXTS } from './texts.ts'

/** Speech of one voice in one language: a few sentences, with the pauses of the engine. */
export interface Recording {
  language: string
  voice: string
  samples: Float32Array
}

/** Voices of the engine at other pitches and speeds differ in F0 (70 to 260 Hz) and in the pace of the syllables. */
const VOICES: readonly { name: string; voice: string; prosody: Prosody }[] = [
  { name: 'nova', voice: 'nova', prosody: NEUTRAL },
  { name: 'atlas', voice: 'atlas', prosody: NEUTRAL },
  { name: 'nova, high', voice: 'nova', prosody: { ...NEUTRAL, pitchSemitones: 4, rate: 1.1, range: 1.3 } },
  { name: 'atlas, low', voice: 'atlas', prosody: { ...NEUTRAL, pitchSemitones: -4, rate: 0.9, range: 0.8 } },
]

/** Speaks the texts with every voice, mono at the rate of the engine. */
export async function speakTexts(
  set: keyof typeof TEXTS,
): Promise<{ sampleRateHz: number; recordings: Recording[] }> {
  const engine = createEngine({ workers: 1 })
  const recordings: Recording[] = []
  for (const [language, texts] of Object.entries<readonly string[]>(TEXTS[set]))
    for (const { name, voice, prosody } of VOICES) {
      const chunks: Int16Array[] = []
      for (const text of texts)
        for await (const chunk of engine.synthesize({ text, voice, language, prosody })) chunks.push(chunk)
      recordings.push({ language, voice: name, samples: joinAsFloats(chunks) })
    }
  const { sampleRateHz } = engine.capabilities()
  await engine.close()
  return { sampleRateHz, recordings }
}

function joinAsFloats(chunks: readonly Int16Array[]): Float32Array {
  const samples = new Float32Array(chunks.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const chunk of chunks) for (const sample of chunk) samples[at++] = sample / 32_768
  return samples
}
