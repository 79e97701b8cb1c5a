import { CONTEXT_FRAMES, deviationsOf } from './deviations.ts'
import { addFold, addToFold, createFold, type Fold } from './fold.ts'
import { createKeySearches, type Hypothesis, UNCHANGED, type WatermarkDetection } from './key-search.ts'
import { createSpectralFrames } from './spectrogram.ts'
import { requireKey, requireSampleRate } from './watermark-error.ts'

/** Searches a recording of any length for the marks of some keys, in memory that does not grow. */
export interface WatermarkDetector {
  /** Takes any number of mono samples. */
  push(samples: Int16Array | Float32Array): void
  /** Returns the result of each key for all samples, and resets the detector. */
  finish(): WatermarkDetection[]
}

/** Recordings are searched in pairs of consecutive segments of 5.12 s, because a wrong speed adds up over time. */
const SEGMENT_FRAMES = 640
const SPEED_STEP = 0.0075
const SPEED_STEPS = 8

/** Other speeds, by resampling and with the pitch kept. */
const CHANGED: readonly Hypothesis[] = Array.from({ length: 2 * SPEED_STEPS + 1 }, (_, index) => {
  const timeFactor = 1 + (index - SPEED_STEPS) * SPEED_STEP
  return [timeFactor, 1].map((frequencyFactor) => ({ timeFactor, frequencyFactor }))
})
  .flat()
  .filter(({ timeFactor }) => timeFactor !== 1)

/** Evidence for one hypothesis: the folds of the last two segments. */
interface Track {
  hypothesis: Hypothesis
  older: Fold
  newer: Fold
}

const createTrack = (hypothesis: Hypothesis): Track => ({
  hypothesis,
  older: createFold(),
  newer: createFold(),
})

/**
 * Creates a detector for a stream. Chunk boundaries do not change the result. Several keys, such as those before a rotation,
 * take little longer than one.
 *
 * @param options.keys - the operator's secrets of 32 bytes
 * @param options.sampleRateHz - whole hertz, 8000 to 192,000
 * @throws WatermarkError if an option is out of range
 */
export function createWatermarkDetector(options: {
  keys: readonly Uint8Array[]
  sampleRateHz: number
}): WatermarkDetector {
  const { keys, sampleRateHz } = options
  for (const key of keys) requireKey(key)
  requireSampleRate(sampleRateHz)
  const starts = keys.map(createKeySearches)
  const sum = createFold()
  const sumOf = ({ older, newer }: Track): Fold => {
    sum.set(older)
    addFold(sum, newer)
    return sum
  }

  const initialState = () => ({
    frames: createSpectralFrames({
      sampleRateHz,
      capacity: SEGMENT_FRAMES + 2 * CONTEXT_FRAMES,
      onFull: () => takeSegment(SEGMENT_FRAMES),
    }),
    /** Number of the first frame in the buffer, and of the first that is in no fold yet. */
    buffered: 0,
    next: 0,
    whole: createFold(),
    unchanged: createTrack(UNCHANGED),
    /** Made when they are needed. */
    changed: [] as Track[],
    searches: starts.map((start) => start()),
  })
  let state = initialState()

  /** Folds the next frames, searches, and drops those that no later segment needs. */
  function takeSegment(count: number): void {
    const { frames, buffered: firstFrame, next: from, searches } = state
    const known = new Map<number, Float32Array>()
    const fold = ({ hypothesis, older, newer }: Track): Track => {
      const { timeFactor, frequencyFactor } = hypothesis
      const deviations = known.get(frequencyFactor) ?? deviationsOf(frames.levels(frequencyFactor))
      known.set(frequencyFactor, deviations)
      older.fill(0)
      addToFold(older, { deviations, firstFrame, from, to: from + count, timeFactor })
      return { hypothesis, older: newer, newer: older }
    }
    state.unchanged = fold(state.unchanged)
    addFold(state.whole, state.unchanged.newer)
    const recent = sumOf(state.unchanged)
    for (const search of searches) search.consider(UNCHANGED, recent)
    if (from > 0) for (const search of searches) search.consider(UNCHANGED, state.whole)
    const others = searches.filter((search) => !search.isReadUnchanged())
    if (others.length > 0) {
      if (state.changed.length === 0) state.changed = CHANGED.map(createTrack)
      state.changed = state.changed.map(fold)
      for (const track of state.changed) {
        const pair = sumOf(track)
        for (const search of others) search.consider(track.hypothesis, pair)
      }
    }
    state.next += count
    state.buffered = Math.max(0, state.next - CONTEXT_FRAMES)
    frames.drop(state.buffered - firstFrame)
  }

  return {
    push: (samples) => state.frames.push(samples),
    finish() {
      const rest = state.buffered + state.frames.count - state.next
      if (rest > 0) takeSegment(rest)
      const results = state.searches.map((search) => search.result())
      state = initialState()
      return results
    },
  }
}

/**
 * Searches mono samples for the mark of a key.
 *
 * @param options.key - the operator's secret of 32 bytes that marked the speech
 * @param options.sampleRateHz - whole hertz, 8000 to 192,000
 * @throws WatermarkError if an option is out of range
 * @example
 * const options = { key: new Uint8Array(32).fill(7), sampleRateHz: 16_000 }
 * console.log(detectWatermark(new Int16Array(80_000), options).isPresent) // false
 */
export function detectWatermark(
  samples: Int16Array | Float32Array,
  options: { key: Uint8Array; sampleRateHz: number },
): WatermarkDetection {
  const { key, sampleRateHz } = options
  const [result] = detectWatermarks(samples, { keys: [key], sampleRateHz })
  if (result === undefined) throw new Error('A detector of one key gave no result')
  return result
}

/**
 * Searches mono samples for the marks of several keys, and returns the result of each.
 *
 * @throws WatermarkError if an option is out of range
 */
export function detectWatermarks(
  samples: Int16Array | Float32Array,
  options: { keys: readonly Uint8Array[]; sampleRateHz: number },
): WatermarkDetection[] {
  const detector = createWatermarkDetector(options)
  detector.push(samples)
  return detector.finish()
}
