import { createFrameMarker, FRAME_SECONDS } from './frame-marker.ts'
import { createPattern, signsOf } from './pattern.ts'
import { requireKey, requireSampleRate, WatermarkError } from './watermark-error.ts'

/** What speech is marked with. */
export interface Watermark {
  /** The operator's secret of 32 bytes. Detection needs the same. */
  key: Uint8Array
  /** Identifies the speech: a whole number from 0 to 2^32 - 1. */
  payload: number
}

export interface WatermarkerOptions extends Watermark {
  /** Whole hertz, 8000 to 192,000. Below 16,000 the bands above half the rate are missing, and the mark is weaker. */
  sampleRateHz: number
}

/** Marks a stream of mono samples. */
export interface Watermarker<Samples extends Int16Array | Float32Array = Int16Array> {
  /** Takes any number of samples and returns the marked samples available so far in a new array. */
  push(samples: Samples): Samples
  /** Returns the remaining samples, so that as many came out as went in, and resets the stage. */
  flush(): Samples
  /** Largest lag of the output behind the input until `flush`, in samples: 32 ms. The marked samples are not shifted. */
  readonly latencySamples: number
}

/**
 * Creates a stage that marks 16-bit samples with a payload. Chunk boundaries change no bit of the result. Levels rise by at
 * most 2 dB and samples beyond the range are clamped, so leave that much headroom, or limit afterwards.
 *
 * The mark is a hint that can be removed on purpose, not a proof of origin.
 *
 * @throws WatermarkError if an option is out of range
 * @example
 * const watermarker = createWatermarker({ key: new Uint8Array(32).fill(7), payload: 42, sampleRateHz: 16_000 })
 * const head = watermarker.push(new Int16Array(16_000))
 * const tail = watermarker.flush()
 * console.log(head.length + tail.length) // 16000
 */
export const createWatermarker = (options: WatermarkerOptions): Watermarker =>
  createStage(
    options,
    (length) => new Int16Array(length),
    (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample))),
  )

/**
 * Creates a stage that marks floats like `createWatermarker`. It neither rounds nor clamps.
 *
 * @throws WatermarkError if an option is out of range
 */
export const createFloatWatermarker = (options: WatermarkerOptions): Watermarker<Float32Array> =>
  createStage(
    options,
    (length) => new Float32Array(length),
    (sample) => sample,
  )

function createStage<Samples extends Int16Array | Float32Array>(
  options: WatermarkerOptions,
  create: (length: number) => Samples,
  store: (sample: number) => number,
): Watermarker<Samples> {
  const { key, payload, sampleRateHz } = options
  requireOptions(options)
  const marker = createFrameMarker({ signs: signsOf(createPattern(key), payload), sampleRateHz })
  /** Frames overlap by half. They start at whole samples nearest to multiples of 16 ms, so that no rate drifts. */
  const boundary = (index: number) => Math.round(index * FRAME_SECONDS * sampleRateHz)
  const latencySamples = 2 * Math.ceil(FRAME_SECONDS * sampleRateHz)
  /** Input of the current frame, from `boundary(frame - 1)` on. */
  const input = new Float64Array(latencySamples)
  /** Falling half of the last frame. */
  const carried = new Float64Array(latencySamples)
  let frame = 0
  let filled = 0
  let owed = 0
  const reset = () => {
    // The first frame is centred at the first sample.
    frame = 0
    input.fill(0)
    carried.fill(0)
    filled = boundary(0) - boundary(-1)
    owed = 0
  }
  reset()

  /** Marks the current frame, and writes its rising half, added to the last frame's falling half. */
  function advance(into: Samples, at: number): number {
    const rising = boundary(frame) - boundary(frame - 1)
    const falling = boundary(frame + 1) - boundary(frame)
    const marked = marker.mark(input, { frame, rising, falling })
    // Nothing precedes the first frame's centre.
    const count = frame === 0 ? 0 : Math.min(rising, into.length - at)
    for (let index = 0; index < count; index++)
      into[at + index] = store((carried[index] ?? 0) + (marked[index] ?? 0))
    for (let index = 0; index < falling; index++) carried[index] = marked[rising + index] ?? 0
    input.copyWithin(0, rising, rising + falling)
    filled = falling
    frame++
    return count
  }

  /** Takes samples, silence if undefined, until `into` is full or the samples are used. */
  function run(samples: Samples | undefined, count: number, into: Samples): void {
    let written = 0
    for (let taken = 0; taken < count;) {
      const length = boundary(frame + 1) - boundary(frame - 1)
      const more = Math.min(length - filled, count - taken)
      for (let index = 0; index < more; index++) input[filled + index] = samples?.[taken + index] ?? 0
      taken += more
      filled += more
      if (filled === length) written += advance(into, written)
    }
  }

  return {
    latencySamples,
    push(samples) {
      owed += samples.length
      // After the last complete frame f, everything before its centre is out.
      let last = frame
      const end = boundary(frame - 1) + filled + samples.length
      while (boundary(last + 1) <= end) last++
      const ready = Math.max(0, boundary(last - 1)) - Math.max(0, boundary(frame - 1))
      const output = create(ready)
      run(samples, samples.length, output)
      owed -= ready
      return output
    },
    flush() {
      const output = create(owed)
      run(undefined, 2 * latencySamples, output)
      reset()
      return output
    },
  }
}

function requireOptions({ key, payload, sampleRateHz }: WatermarkerOptions): void {
  requireKey(key)
  requireSampleRate(sampleRateHz)
  if (!Number.isInteger(payload) || payload < 0 || payload > 0xff_ff_ff_ff)
    throw new WatermarkError('payload', 'The payload must be a whole number from 0 to 4294967295')
}
