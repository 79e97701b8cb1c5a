import { createFloatResampler, dbfsToAmplitude } from '@vaani/pcm-audio'
import type { SampleStage } from './sample-stage.ts'

/** BS.1770-5, Annex 2: values between samples are found by four-fold oversampling. */
const OVERSAMPLING = 4
/** The gain falls over this time before a peak, fast enough to leave the sound before it alone, and without a click. */
const LOOK_AHEAD_SECONDS = 0.005
/** Time constant of the rise after a peak: some periods of the lowest voice, so that the gain does not follow its waves. */
const RELEASE_SECONDS = 0.08

/**
 * Creates a stage that applies a gain and keeps the true peak below a ceiling. Around each peak above it, the gain sinks
 * smoothly: it is the mean, over the look-ahead, of the lowest gain that any sample within the look-ahead needs, so it is
 * never above what the sample itself needs. Everything else passes at the gain.
 */
export function createTruePeakLimiter(options: {
  sampleRateHz: number
  gainDb: number
  ceilingDbtp: number
}): SampleStage {
  const { sampleRateHz } = options
  const gain = dbfsToAmplitude(options.gainDb)
  const ceiling = dbfsToAmplitude(options.ceilingDbtp) / gain
  const length = Math.round(LOOK_AHEAD_SECONDS * sampleRateHz)
  const rise = 1 - Math.exp(-1 / (RELEASE_SECONDS * sampleRateHz))
  const oversampler = createFloatResampler({
    fromHz: sampleRateHz,
    toHz: OVERSAMPLING * sampleRateHz,
  })
  const lowest = createSlidingMinimum(length)
  /** The last gains before smoothing, and their sum. */
  const held = new Float64Array(length).fill(1)
  let sum = length
  let smoothed = 0
  let last = 1
  /** Samples whose peaks are not known yet, or that wait for the look-ahead. */
  let waiting = new Float32Array(0)
  let peaks = new Float32Array(0)
  let known = 0
  let given = 0

  /** Takes what one sample needs and returns the gain of the sample a look-ahead earlier. */
  function smooth(needed: number): number {
    const wanted = lowest(needed)
    last = Math.min(wanted, last + (1 - last) * rise)
    sum += last - (held[smoothed % length] ?? 0)
    held[smoothed % length] = last
    smoothed++
    return sum / length
  }

  function advance(samples: Float32Array, oversampled: Float32Array, isLast: boolean): Float32Array {
    waiting = joined(waiting, samples)
    peaks = joined(peaks, oversampled)
    const whole = Math.floor(peaks.length / OVERSAMPLING)
    const total = given + waiting.length
    const end = isLast ? total + length - 1 : known + whole
    const output = new Float32Array(Math.max(0, end - (length - 1) - given))
    let written = 0
    for (let index = 0; known < end; index++, known++) {
      let peak = Math.abs(waiting[known - given] ?? 0)
      for (let part = 0; part < OVERSAMPLING; part++)
        peak = Math.max(peak, Math.abs(peaks[index * OVERSAMPLING + part] ?? 0))
      const reduction = smooth(peak > ceiling ? ceiling / peak : 1)
      if (known < length - 1) continue
      output[written] = (waiting[written] ?? 0) * gain * reduction
      written++
    }
    peaks = peaks.slice(whole * OVERSAMPLING)
    waiting = waiting.slice(written)
    given += written
    return output
  }
  return {
    push: (samples) => advance(samples, oversampler.push(samples), false),
    flush: () => advance(new Float32Array(0), oversampler.flush(), true),
  }
}

function joined(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const both = new Float32Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** Returns a function that takes values one by one and returns the lowest of the last `length`, in constant time on average. */
function createSlidingMinimum(length: number): (value: number) => number {
  // A queue of the values that are lower than all later ones, in ascending order.
  const values = new Float64Array(length)
  const times = new Float64Array(length)
  let head = 0
  let size = 0
  let time = 0
  return (value) => {
    if (size > 0 && (times[head % length] ?? 0) <= time - length) {
      head++
      size--
    }
    while (size > 0 && (values[(head + size - 1) % length] ?? 0) >= value) size--
    values[(head + size) % length] = value
    times[(head + size) % length] = time
    size++
    time++
    return values[head % length] ?? value
  }
}
