/** Makes a frame of more or fewer samples than it has, so that the listener hears no difference. */
export interface TimeStretch {
  /** Returns how many more samples than a frame it used, 0 if it could not. */
  shorten(samples: Int16Array, frame: Int16Array, isUrgent: boolean): number
  /** Returns how many fewer samples than a frame it used, 0 if it could not. */
  lengthen(samples: Int16Array, frame: Int16Array, isUrgent: boolean): number
}

/** Likeness from which a period of sound is removed or repeated (WebRTC, NetEq, time_stretch.h: kCorrelationThreshold). */
const LIKE = 0.9
/** The same if it is urgent. Noise of any kind has such periods. */
const URGENT_LIKE = 0.2
/** A shift at which samples resemble themselves. */
interface Period {
  readonly samples: number
  /** Normalized correlation, from -1 to 1. */
  readonly likeness: number
}

/** Pitch periods of 66 to 400 Hz. Higher tones repeat within them (NetEq: kMinLag, kMaxLag). */
const SHORTEST_MS = 2.5
const LONGEST_MS = 15
/** The samples that are compared. */
const WINDOW_MS = 10
/** The first search is at a rate near 4 kHz (NetEq), the second around its result at full rate. */
const COARSE_HZ = 4000

/** Returns the likeness of the start of the samples to what follows a shift later. */
function likenessAt(samples: Int16Array, shift: number, options: { window: number; stride: number }): number {
  const end = Math.min(options.window, samples.length - shift)
  let product = 0
  // Not 0, so that silence does not divide by 0.
  let energy = 1
  let laterEnergy = 1
  for (let index = 0; index < end; index += options.stride) {
    const sample = samples[index] ?? 0
    const later = samples[index + shift] ?? 0
    product += sample * later
    energy += sample * sample
    laterEnergy += later * later
  }
  return product / Math.sqrt(energy * laterEnergy)
}

/**
 * Finds the shift of 2.5 to 15 ms at which the samples most resemble themselves.
 *
 * @param longest maximum shift in samples
 * @returns undefined if the samples are too short
 */
function findPeriod(
  samples: Int16Array,
  options: { sampleRateHz: number; longest: number },
): Period | undefined {
  const toSamples = (ms: number) => Math.round((ms * options.sampleRateHz) / 1000)
  const shortest = toSamples(SHORTEST_MS)
  // Compares at least as much as the shortest period.
  const longest = Math.min(toSamples(LONGEST_MS), options.longest, samples.length - shortest)
  if (longest < shortest) return undefined
  const stride = Math.max(1, Math.round(options.sampleRateHz / COARSE_HZ))
  const search = (from: number, to: number, step: number): Period => {
    let best = { samples: from, likeness: -1 }
    for (let shift = from; shift <= to; shift += step) {
      const likeness = likenessAt(samples, shift, { window: toSamples(WINDOW_MS), stride: step })
      if (likeness > best.likeness) best = { samples: shift, likeness }
    }
    return best
  }
  const coarse = search(shortest, longest, stride).samples
  return search(Math.max(shortest, coarse - stride + 1), Math.min(longest, coarse + stride - 1), 1)
}

/** Fills a frame from samples of which the first period is left out, by fading into those one period later. */
function shortenByPeriod(samples: Int16Array, period: number, frame: Int16Array): void {
  const overlap = Math.min(period, frame.length)
  for (let index = 0; index < frame.length; index++) {
    const later = samples[index + period] ?? 0
    const share = (index + 1) / (overlap + 1)
    frame[index] = index < overlap ? Math.round((samples[index] ?? 0) * (1 - share) + later * share) : later
  }
}

/** Fills a frame from samples whose first period comes twice, by fading into those one period earlier. */
function lengthenByPeriod(samples: Int16Array, period: number, frame: Int16Array): void {
  const overlap = Math.min(period, frame.length - period)
  for (let index = 0; index < frame.length; index++) {
    const sample = samples[index] ?? 0
    const earlier = samples[index - period] ?? 0
    const share = (index - period + 1) / (overlap + 1)
    frame[index] =
      index < period
        ? sample
        : index < period + overlap
          ? Math.round(sample * (1 - share) + earlier * share)
          : earlier
  }
}

/**
 * Creates a time-stretch, which removes and repeats quiet frames and, if `isSoundStretched`, periods of sound.
 *
 * @param options.quiet level below which all samples of a quiet frame are
 */
export function createTimeStretch(options: {
  sampleRateHz: number
  samplesPerFrame: number
  quiet: number
  isSoundStretched: boolean
}): TimeStretch {
  const { sampleRateHz, samplesPerFrame, quiet, isSoundStretched } = options
  function isQuiet(samples: Int16Array): boolean {
    for (let index = 0; index < samplesPerFrame; index++)
      if (Math.abs(samples[index] ?? 0) >= quiet) return false
    return true
  }
  function periodOf(samples: Int16Array, longest: number, isUrgent: boolean): number {
    const period = isSoundStretched ? findPeriod(samples, { sampleRateHz, longest }) : undefined
    return period !== undefined && period.likeness >= (isUrgent ? URGENT_LIKE : LIKE) ? period.samples : 0
  }
  return {
    shorten(samples, frame, isUrgent) {
      if (samples.length >= 2 * samplesPerFrame && isQuiet(samples)) {
        frame.set(samples.subarray(samplesPerFrame, 2 * samplesPerFrame))
        return samplesPerFrame
      }
      const period = periodOf(samples, samples.length - samplesPerFrame, isUrgent)
      if (period > 0) shortenByPeriod(samples, period, frame)
      return period
    },
    lengthen(samples, frame, isUrgent) {
      if (isQuiet(samples)) {
        frame.set(samples.subarray(0, samplesPerFrame))
        return samplesPerFrame
      }
      // What is left of the frame is for the fade.
      const fade = Math.round((SHORTEST_MS * sampleRateHz) / 1000)
      const period = periodOf(samples, samplesPerFrame - fade, isUrgent)
      if (period > 0) lengthenByPeriod(samples, period, frame)
      return period
    },
  }
}
