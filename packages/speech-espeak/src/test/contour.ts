/** What a listener hears of the prosody: pitch every 10 ms, and pauses. */
export interface Contour {
  /** Hz; 0 without a voice. */
  pitchHz: number[]
  pauses: { startMs: number; durationMs: number }[]
}

const STEP_SECONDS = 0.01
const WINDOW_SECONDS = 0.04
const LOWEST_HZ = 60
const HIGHEST_HZ = 500
/** YIN (de Cheveigné and Kawahara, 2002), equation 8: the first dip of the normalized difference below this is the period. */
const DIP = 0.15
const SILENT_RMS = 200
const SILENT_PEAK = 100
const SHORTEST_PAUSE_MS = 60

export function contourOf(samples: Int16Array, sampleRateHz: number): Contour {
  const step = Math.round(STEP_SECONDS * sampleRateHz)
  const window = Math.round(WINDOW_SECONDS * sampleRateHz)
  const longest = Math.floor(sampleRateHz / LOWEST_HZ)
  const pitchHz: number[] = []
  for (let start = 0; start + window + longest < samples.length; start += step)
    pitchHz.push(pitchAt({ samples, start, window, longest, sampleRateHz }))
  return { pitchHz, pauses: pausesOf(samples, sampleRateHz) }
}

function pitchAt(options: {
  samples: Int16Array
  start: number
  window: number
  longest: number
  sampleRateHz: number
}): number {
  const { samples, start, window, longest, sampleRateHz } = options
  let energy = 0
  for (let index = start; index < start + window; index++) energy += (samples[index] ?? 0) ** 2
  if (energy / window < SILENT_RMS ** 2) return 0
  const shortest = Math.floor(sampleRateHz / HIGHEST_HZ)
  let sum = 0
  let previous = 1
  let found = 0
  for (let shift = 1; shift <= longest; shift++) {
    let difference = 0
    for (let index = start; index < start + window; index += 2)
      difference += ((samples[index] ?? 0) - (samples[index + shift] ?? 0)) ** 2
    sum += difference
    const normalized = sum === 0 ? 1 : (difference * shift) / sum
    // The dip ends at its lowest point.
    if (found > 0 && normalized >= previous) break
    if (shift >= shortest && normalized < DIP) found = shift
    previous = normalized
  }
  return found === 0 ? 0 : sampleRateHz / found
}

function pausesOf(samples: Int16Array, sampleRateHz: number): Contour['pauses'] {
  const pauses: Contour['pauses'] = []
  let start: number | undefined
  for (let index = 0; index <= samples.length; index++) {
    const isSilent = index < samples.length && Math.abs(samples[index] ?? 0) < SILENT_PEAK
    if (isSilent) start ??= index
    else if (start !== undefined) {
      const durationMs = ((index - start) / sampleRateHz) * 1000
      if (durationMs >= SHORTEST_PAUSE_MS) pauses.push({ startMs: (start / sampleRateHz) * 1000, durationMs })
      start = undefined
    }
  }
  return pauses
}

/** Differences in semitones of the pitch at moments that have a voice in both; `at` finds the moment in the other. */
export function pitchDifferences(one: Contour, other: Contour, at: (ms: number) => number): number[] {
  return one.pitchHz.flatMap((hz, index) => {
    const otherHz = other.pitchHz[Math.round(at(index * 10) / 10)] ?? 0
    return hz > 0 && otherHz > 0 ? [12 * Math.abs(Math.log2(hz / otherHz))] : []
  })
}
