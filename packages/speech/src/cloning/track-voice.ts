import { createFloatResampler } from '@vaani/pcm-audio'

/** Rate of all analysis. */
export const ANALYSIS_RATE_HZ = 16_000
/** Frames per second of all tracks. */
export const FRAMES_PER_SECOND = 100
/** Pitch needs no more, and its cost grows with the square of the rate. */
const PITCH_RATE_HZ = 8000
const PITCH_WINDOW = 0.04 * PITCH_RATE_HZ
const LOWEST_HZ = 60
const HIGHEST_HZ = 500
/** Normalized difference below which a window is periodic (de Cheveigné and Kawahara, "YIN", JASA 2002, step 4). */
const PERIODIC = 0.3
/** Frames this far below the loudest tenth are not voiced, whatever their period: hum and reverberation have one, too. */
const VOICED_BELOW_DB = 30

/** What changes in time, 100 times a second. */
export interface VoiceTrack {
  /** Fundamental frequency; 0 if the frame is not voiced. */
  pitchHz: Float32Array
  /** Level of the frame, in dB re full scale. */
  levelDb: Float32Array
}

/** Follows level and pitch, by the method YIN. @param samples at 16 kHz, from -1 to 1 */
export function trackVoice(samples: Float32Array): VoiceTrack {
  const levelDb = levelsOf(samples)
  const loudest = percentile(levelDb, 0.9)
  const resampler = createFloatResampler({ fromHz: ANALYSIS_RATE_HZ, toHz: PITCH_RATE_HZ, kernel: 'plain' })
  const half = [resampler.push(samples), resampler.flush()]
  const slow = new Float32Array((half[0]?.length ?? 0) + (half[1]?.length ?? 0))
  slow.set(half[0] ?? slow)
  slow.set(half[1] ?? [], half[0]?.length ?? 0)
  const step = PITCH_RATE_HZ / FRAMES_PER_SECOND
  const pitchHz = levelDb.map((level, frame) =>
    level < loudest - VOICED_BELOW_DB ? 0 : pitchAt(slow, frame * step),
  )
  return { pitchHz: withoutOutliers(pitchHz), levelDb }
}

function levelsOf(samples: Float32Array): Float32Array {
  const step = ANALYSIS_RATE_HZ / FRAMES_PER_SECOND
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, frame) => {
    let power = 0
    for (let index = frame * step; index < (frame + 1) * step; index++) power += (samples[index] ?? 0) ** 2
    return 10 * Math.log10(power / step + 1e-12)
  })
}

const LONGEST = Math.floor(PITCH_RATE_HZ / LOWEST_HZ)
const differences = new Float64Array(LONGEST + 1)

function pitchAt(samples: Float32Array, start: number): number {
  if (start + PITCH_WINDOW + LONGEST >= samples.length) return 0
  const window = samples.subarray(start, start + PITCH_WINDOW + LONGEST)
  let sum = 0
  let known = 0
  /** The normalized difference, which depends on those of shorter lags. Most periods are found before the longest. */
  function value(wanted: number): number {
    while (known < wanted) {
      const difference = differenceAt(window, ++known)
      sum += difference
      differences[known] = sum === 0 ? 1 : (difference * known) / sum
    }
    return differences[wanted] ?? 1
  }
  for (let lag = Math.floor(PITCH_RATE_HZ / HIGHEST_HZ); lag < LONGEST; lag++) {
    if (value(lag) >= PERIODIC) continue
    while (lag + 1 < LONGEST && value(lag + 1) < value(lag)) lag++
    const [before, at, after] = [value(lag - 1), value(lag), value(lag + 1)]
    const curve = before - 2 * at + after
    // The lowest point of a parabola through the three.
    return PITCH_RATE_HZ / (curve === 0 ? lag : lag + (before - after) / (2 * curve))
  }
  return 0
}

/** Compares the start of a window with what comes a lag later. */
function differenceAt(window: Float32Array, lag: number): number {
  let difference = 0
  for (let index = 0; index < PITCH_WINDOW; index++) {
    const step = (window[index] ?? 0) - (window[index + lag] ?? 0)
    difference += step * step
  }
  return difference
}

/** Drops frames that differ from both neighbours by a quarter: octave errors and clicks. */
const withoutOutliers = (pitchHz: Float32Array): Float32Array =>
  pitchHz.map((hz, frame) => {
    const isNear = (other = 0) => other > 0 && Math.abs(Math.log2(hz / other)) < 0.32
    return hz > 0 && (isNear(pitchHz[frame - 1]) || isNear(pitchHz[frame + 1])) ? hz : 0
  })

/** @returns the value below which this part of the values lies; NaN if there is none */
export function percentile(values: ArrayLike<number>, part: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
