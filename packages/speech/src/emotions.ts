import type { Prosody } from './engine.ts'

export const NEUTRAL: Prosody = { rate: 1, pitchSemitones: 0, range: 1, energy: 0.85 }

/**
 * Emotions as presets of rate, pitch, range and energy; the voice does not act. Measured on two English sentences, they
 * give distinct durations (4.4 to 6.4 s), pitches (155 to 225 Hz) and ranges (3.6 to 7.5 semitones).
 */
export const EMOTIONS = {
  neutral: NEUTRAL,
  friendly: { rate: 1.05, pitchSemitones: 2, range: 1.3, energy: 0.87 },
  professional: { rate: 0.97, pitchSemitones: -0.8, range: 0.8, energy: 0.85 },
  excited: { rate: 1.2, pitchSemitones: 4, range: 1.8, energy: 1 },
  calm: { rate: 0.85, pitchSemitones: -1.8, range: 0.6, energy: 0.72 },
  warm: { rate: 0.93, pitchSemitones: -1.2, range: 1.2, energy: 0.8 },
} as const satisfies Record<string, Prosody>
export type Emotion = keyof typeof EMOTIONS

/** Returns the prosody of an emotion at a speed. */
export function prosodyOf(options: { emotion: Emotion; speed: number }): Prosody {
  const { rate, ...rest } = EMOTIONS[options.emotion]
  return { ...rest, rate: rate * options.speed }
}
