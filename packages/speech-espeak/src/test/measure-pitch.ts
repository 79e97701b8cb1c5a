const WINDOW_SECONDS = 0.04
const HOP_SECONDS = 0.01
const LOWEST_HZ = 55
const HIGHEST_HZ = 500
/** Mean square below which a window is silent. */
const SILENCE = 200 ** 2
/** Normalized difference below which a window is periodic (de Cheveigné and Kawahara, "YIN", JASA 2002, step 4). */
const PERIODIC = 0.15

export interface MeasuredPitch {
  /** Geometric mean, without the lowest and the highest tenth. */
  meanHz: number
  /** From the 10th to the 90th percentile. */
  rangeSemitones: number
}

export const semitones = (ratio: number): number => 12 * Math.log2(ratio)

/** Measures the fundamental frequency of the voiced parts of speech by the method YIN. */
export function measurePitch(samples: Int16Array, sampleRateHz: number): MeasuredPitch {
  const window = Math.round(WINDOW_SECONDS * sampleRateHz)
  const longest = Math.floor(sampleRateHz / LOWEST_HZ)
  const found: number[] = []
  for (let at = 0; at + window + longest < samples.length; at += Math.round(HOP_SECONDS * sampleRateHz)) {
    const period = periodOf(samples.subarray(at, at + window + longest), window, sampleRateHz)
    if (period !== undefined) found.push(sampleRateHz / period)
  }
  found.sort((one, other) => one - other)
  const percentile = (part: number) => found[Math.floor(found.length * part)] ?? Number.NaN
  const middle = found.slice(Math.floor(found.length * 0.1), Math.ceil(found.length * 0.9))
  const meanHz = 2 ** (middle.reduce((sum, hz) => sum + Math.log2(hz), 0) / middle.length)
  return { meanHz, rangeSemitones: semitones(percentile(0.9) / percentile(0.1)) }
}

function periodOf(samples: Int16Array, window: number, sampleRateHz: number): number | undefined {
  const longest = samples.length - window
  let energy = 0
  for (let index = 0; index < window; index++) energy += (samples[index] ?? 0) ** 2
  if (energy / window < SILENCE) return undefined
  const differences = [1]
  let sum = 0
  /** The normalized difference, which depends on those of shorter lags. Most periods are found before the longest. */
  function value(wanted: number): number {
    for (let lag = differences.length; lag <= wanted; lag++) {
      let difference = 0
      for (let index = 0; index < window; index += 4) {
        const step = (samples[index] ?? 0) - (samples[index + lag] ?? 0)
        difference += step * step
      }
      sum += difference
      differences.push((difference * lag) / sum)
    }
    return differences[wanted] ?? 1
  }
  for (let lag = Math.floor(sampleRateHz / HIGHEST_HZ); lag < longest; lag++) {
    if (value(lag) >= PERIODIC) continue
    while (lag + 1 < longest && value(lag + 1) < value(lag)) lag++
    const [before, at, after] = [value(lag - 1), value(lag), value(lag + 1)]
    // The lowest point of a parabola through the three.
    return lag + (before - after) / (2 * (before - 2 * at + after))
  }
  return undefined
}
