import type { Prosody } from '@vaani/speech'
import type { VoiceVariant } from './languages.ts'
import { wordsPerMinute } from './pace.ts'

/** Parameters of eSpeak NG: words per minute, the others 0 to 100. */
export interface EspeakParameters {
  rate: number
  pitch: number
  range: number
  volume: number
}

const MIDDLE = 50
const MAX_RANGE = 99
/** Scale of `pitch` and `pitch_range` in the engine: per Hz, and per Hz and half a step of its pitch contour. */
const BASE_UNITS = 4096
const RANGE_UNITS = 108
/** Half steps of the contour at which the engine holds the pitch if the range changes. */
const ENGINE_PIVOT = 18
/** At 100, the engine clips the tones of Vietnamese. */
export const FULL_VOLUME = 70
/** Measured in English and Nepali: half steps of the contour at the median pitch. */
const MEDIAN = 31

const clamp = (value: number, min: number, max: number): number =>
  Math.round(Math.max(min, Math.min(max, value)))

/**
 * Converts prosody to the engine's parameters. The pitch is the inverse of the engine's formulas (`SetPitch2` in
 * wavegen.c, `LoadVoice` in voices.c), because its parameter moves only the base of the pitch, and its range is in Hz: the
 * mean moves by the semitones, within 0.5, and the range stays in proportion to it.
 * The range is limited to a factor of 1.98 at the voice's own pitch, and of 1.4 six semitones above it.
 */
export function toParameters(
  prosody: Prosody,
  voice: { espeak: string; variant: VoiceVariant },
): EspeakParameters {
  const [low, high] = voice.variant.pitchHz
  const base = (low - 9) * BASE_UNITS
  const width = (high - low) * RANGE_UNITS
  const factor = 2 ** (prosody.pitchSemitones / 12)
  const range = clamp(MIDDLE * factor * prosody.range, 0, MAX_RANGE)
  const stretch = range / MIDDLE
  const baseFactor = factor + (width / base) * (MEDIAN * (factor - stretch) + ENGINE_PIVOT * (stretch - 1))
  return {
    rate: wordsPerMinute(voice.espeak, prosody.rate),
    // The engine multiplies the base by 2^(pitch / 50 - 1), with a lower bound of a half.
    pitch: clamp(MIDDLE + MIDDLE * Math.log2(Math.max(0.5, baseFactor)), 0, 100),
    range,
    volume: clamp(FULL_VOLUME * prosody.energy, 0, 100),
  }
}
