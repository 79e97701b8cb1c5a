import { createGatedBlocks, powerToLufs } from './gated-blocks.ts'
import { createWeighting } from './k-weighting.ts'

/** A reading of a loudness meter, ten times a second. The time before the first sample counts as silence. */
export interface LoudnessReading {
  /** End of the windows, in milliseconds from the first sample. */
  atMs: number
  /** Loudness of the last 400 ms. */
  momentaryLufs: number
  /** Loudness of the last 3 s. */
  shortTermLufs: number
}

/** Loudness of a whole programme. A level is `-Infinity` if nothing was louder than -70 LUFS for 400 ms. */
export interface Loudness {
  /** Gated loudness of the whole programme. */
  integratedLufs: number
  /** Loudness range; 0 for a programme shorter than 3 s. EBU Tech 3342 calls it unsettled within the first minute. */
  rangeLu: number
  maxMomentaryLufs: number
  maxShortTermLufs: number
}

/** Measures the loudness of a stream. */
export interface LoudnessMeter {
  /** Takes any number of samples, interleaved if there are two channels, and returns a reading for each 100 ms. */
  push(samples: Int16Array | Float32Array): LoudnessReading[]
  /** Returns the loudness so far. */
  measured(): Loudness
  /** Returns the loudness of all pushed samples and resets the meter. */
  flush(): Loudness
}

export interface LoudnessOptions {
  /** From 8000 to 384000. */
  sampleRateHz: number
  /** A single channel counts once: the same signal in two channels is 3 LU louder. */
  channels: 1 | 2
}

/** Windows move by 10 ms, so that the largest momentary value is found regardless of its start (EBU Tech 3341, case 13). */
const STEPS_PER_SECOND = 100
const MOMENTARY_STEPS = 40
const SHORT_TERM_STEPS = 300
/** Gating blocks overlap by 75 % (BS.1770-5, Annex 1), short-term ones by 2.9 s (EBU Tech 3342, 3.1). */
const STEPS_PER_BLOCK = 10

function createState(sampleRateHz: number, channels: number) {
  const weightings = Array.from({ length: channels }, () => createWeighting(sampleRateHz))
  const blocks = createGatedBlocks()
  const shortTermBlocks = createGatedBlocks()
  /** The power of each of the last 300 steps. */
  const powers = new Float64Array(SHORT_TERM_STEPS)
  let steps = 0
  let position = 0
  let stepEnd = Math.round(sampleRateHz / STEPS_PER_SECOND)
  let maxMomentary = 0
  let maxShortTerm = 0

  function meanPower(count: number): number {
    let sum = 0
    for (let back = 1; back <= count; back++)
      sum += powers[(steps + SHORT_TERM_STEPS - back) % SHORT_TERM_STEPS] ?? 0
    return (sum * STEPS_PER_SECOND) / (count * sampleRateHz)
  }

  function finishStep(readings: LoudnessReading[]): void {
    powers[steps % SHORT_TERM_STEPS] = weightings.reduce((sum, weighting) => sum + weighting.takePower(), 0)
    steps++
    stepEnd = Math.round(((steps + 1) * sampleRateHz) / STEPS_PER_SECOND)
    const momentary = meanPower(MOMENTARY_STEPS)
    const shortTerm = meanPower(SHORT_TERM_STEPS)
    maxMomentary = Math.max(maxMomentary, momentary)
    maxShortTerm = Math.max(maxShortTerm, shortTerm)
    if (steps % STEPS_PER_BLOCK !== 0) return
    if (steps >= MOMENTARY_STEPS) blocks.add(momentary)
    if (steps >= SHORT_TERM_STEPS) shortTermBlocks.add(shortTerm)
    readings.push({
      atMs: (steps * 1000) / STEPS_PER_SECOND,
      momentaryLufs: powerToLufs(momentary),
      shortTermLufs: powerToLufs(shortTerm),
    })
  }

  return {
    take(samples: Int16Array | Float32Array, start: number, frames: number, readings: LoudnessReading[]) {
      for (let taken = 0; taken < frames;) {
        const count = Math.min(frames - taken, stepEnd - position)
        for (const [channel, weighting] of weightings.entries())
          weighting.take(samples, start + taken * channels + channel, channels, count)
        taken += count
        position += count
        if (position === stepEnd) finishStep(readings)
      }
    },
    measured: (): Loudness => ({
      integratedLufs: blocks.integratedLufs(),
      rangeLu: shortTermBlocks.rangeLu(),
      maxMomentaryLufs: powerToLufs(maxMomentary),
      maxShortTermLufs: powerToLufs(maxShortTerm),
    }),
  }
}

/**
 * Creates a loudness meter in EBU mode: momentary, short-term and gated integrated loudness (ITU-R BS.1770-5, Annex 1; EBU
 * R 128; EBU Tech 3341) and loudness range (EBU Tech 3342), for one or two channels. Its memory does not grow with the
 * input; it allocates one reading per 100 ms. Chunk boundaries do not affect the result.
 *
 * @throws RangeError if the rate or the number of channels is out of range
 * @example
 * const meter = createLoudnessMeter({ sampleRateHz: 48_000, channels: 1 })
 * meter.push(Float32Array.from({ length: 48_000 }, (_, n) => 0.1 * Math.sin((2 * Math.PI * 997 * n) / 48_000)))
 * console.log(meter.flush().integratedLufs.toFixed(1)) // -23.0
 */
export function createLoudnessMeter(options: LoudnessOptions): LoudnessMeter {
  const { sampleRateHz, channels } = options
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < 8000 || sampleRateHz > 384_000)
    throw new RangeError('A sample rate must be a whole number of hertz from 8000 to 384000')
  if (channels !== 1 && channels !== 2) throw new RangeError('Loudness is measured over 1 or 2 channels')
  let state = createState(sampleRateHz, channels)
  /** Holds a left sample until its right one arrives. */
  const pair = new Float32Array(2)
  let half = false
  return {
    push(samples) {
      const readings: LoudnessReading[] = []
      const scale = samples instanceof Int16Array ? 1 / 32_768 : 1
      let start = 0
      if (half && samples.length > 0) {
        pair[1] = (samples[0] ?? 0) * scale
        state.take(pair, 0, 1, readings)
        half = false
        start = 1
      }
      const frames = Math.floor((samples.length - start) / channels)
      state.take(samples, start, frames, readings)
      const taken = start + frames * channels
      if (taken < samples.length) {
        pair[0] = (samples[taken] ?? 0) * scale
        half = true
      }
      return readings
    },
    measured: () => state.measured(),
    flush() {
      const measured = state.measured()
      state = createState(sampleRateHz, channels)
      half = false
      return measured
    },
  }
}

/**
 * Measures the loudness of an array of samples, interleaved if there are two channels. See {@link createLoudnessMeter}.
 *
 * @throws RangeError if the rate or the number of channels is out of range
 * @example
 * const { integratedLufs } = measureLoudness(new Int16Array(16_000), { sampleRateHz: 16_000, channels: 1 })
 * console.log(integratedLufs) // -Infinity
 */
export function measureLoudness(samples: Int16Array | Float32Array, options: LoudnessOptions): Loudness {
  const meter = createLoudnessMeter(options)
  meter.push(samples)
  return meter.flush()
}
