import type { Prosody } from '@vaani/speech'

/** Parameters of eSpeak NG: words per minute, the others 0 to 100. */
export interface EspeakParameters {
  rate: number
  pitch: number
  range: number
  volume: number
}

const WORDS_PER_MINUTE = 175
const MIDDLE = 50
/** Measured: actual speed relative to 175 words per minute, and the factor of the rate parameter that gives it. */
const RATE_CORRECTION: readonly (readonly [actual: number, factor: number])[] = [
  [0.479, 0.5],
  [0.731, 0.75],
  [1, 1],
  [1.247, 1.25],
  [1.477, 1.5],
  [1.937, 2],
  [2.218, 2.5],
]
/** Measured: semitones from the middle pitch, and the pitch parameter that gives them. */
const PITCH_CORRECTION: readonly (readonly [semitones: number, parameter: number])[] = [
  [-7, 0],
  [-5, 10],
  [-3.1, 25],
  [0, 50],
  [4.1, 75],
  [6.9, 90],
  [8.5, 100],
]

/** Interpolates linearly between the points of a table, and extrapolates beyond its ends. */
function interpolate(table: readonly (readonly [number, number])[], x: number): number {
  const right = Math.max(
    1,
    Math.min(
      table.length - 1,
      table.findIndex(([at]) => at >= x),
    ),
  )
  const index = x > (table.at(-1)?.[0] ?? 0) ? table.length - 1 : right
  const [x0, y0] = table[index - 1] ?? [0, 0]
  const [x1, y1] = table[index] ?? [1, 1]
  return y0 + ((x - x0) * (y1 - y0)) / (x1 - x0)
}

const clamp = (value: number, min: number, max: number): number =>
  Math.round(Math.max(min, Math.min(max, value)))

/** Converts prosody to the engine's parameters, corrected by measurements because the engine is not exact at its extremes. */
export function toParameters(prosody: Prosody): EspeakParameters {
  return {
    rate: clamp(WORDS_PER_MINUTE * interpolate(RATE_CORRECTION, prosody.rate), 60, 450),
    pitch: clamp(interpolate(PITCH_CORRECTION, prosody.pitchSemitones), 0, 100),
    range: clamp(MIDDLE * prosody.range, 0, 100),
    volume: clamp(100 * prosody.energy, 0, 100),
  }
}
