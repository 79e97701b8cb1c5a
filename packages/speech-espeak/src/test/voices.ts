import { createFloatResampler, createResampler, int16ToFloat32 } from '@vaani/pcm-audio'
import { NEUTRAL, type SpeechEngine } from '@vaani/speech'
import { ANALYSIS_RATE_HZ } from '@vaani/speech/cloning'
import { type Espeak, loadEspeak } from '../load-espeak.ts'
import { SAMPLE_RATE_HZ } from '../messages.ts'

/** What the speakers of recordings read. The Rainbow Passage (Fairbanks 1960). */
const READ =
  'When the sunlight strikes raindrops in the air, they act as a prism and form a rainbow. The rainbow is a division of white light into many beautiful colors. These take the shape of a long round arch, with its path high above, and its two ends apparently beyond the horizon.'
/** What their clones say. */
export const SAID =
  'Your appointment with the doctor has moved to Thursday morning. Please bring the letter from the hospital, and take the bus to the new station, because there is no place to park a car. We look forward to seeing you again.'

export function concat<Samples extends Int16Array | Float32Array>(first: Samples, ...rest: Samples[]): Samples
export function concat(...parts: (Int16Array | Float32Array)[]): Int16Array | Float32Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const whole = parts[0] instanceof Float32Array ? new Float32Array(length) : new Int16Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Resamples speech of the engine for the analysis. */
export function toAnalysis(samples: Int16Array): Float32Array {
  const resampler = createFloatResampler({ fromHz: SAMPLE_RATE_HZ, toHz: ANALYSIS_RATE_HZ })
  return concat(resampler.push(int16ToFloat32(samples)), resampler.flush())
}

/** A speaker of recordings: a voice of eSpeak NG that the engine does not offer, with a longer or shorter vocal tract. */
export interface TestSpeaker {
  variant: string
  /** Factor of the formants, and of the pitch and the rate. */
  warp?: number
  rate?: number
}

let espeak: Promise<Espeak> | undefined
const recorded = new Map<string, Promise<Int16Array>>()

/** Speaks as a speaker, at the engine's rate, each text once. */
export function record(speaker: TestSpeaker, text = READ): Promise<Int16Array> {
  const key = JSON.stringify([speaker, text])
  const known = recorded.get(key) ?? speakAs(speaker, text)
  recorded.set(key, known)
  return known
}

async function speakAs({ variant, warp = 1, rate = 175 }: TestSpeaker, text: string): Promise<Int16Array> {
  const chunks: Int16Array[] = []
  ;(await (espeak ??= loadEspeak())).speak({
    markup: text,
    voice: `en-us+${variant}`,
    parameters: { rate: Math.round(rate / warp), pitch: 50, range: 50, volume: 85 },
    onSamples: (samples) => chunks.push(samples) > 0,
  })
  const speech = concat(new Int16Array(), ...chunks)
  if (warp === 1) return speech
  const resampler = createResampler({ fromHz: Math.round(warp * 10_000), toHz: 10_000 })
  return concat(resampler.push(speech), resampler.flush())
}

/** Speaks with an engine in its first voice. */
export async function say(engine: SpeechEngine, text = SAID, language = 'en-US'): Promise<Int16Array> {
  const voice = engine.capabilities().voices[0] ?? ''
  const request = { text, voice, language, prosody: NEUTRAL }
  return concat(new Int16Array(), ...(await Array.fromAsync(engine.synthesize(request))))
}
