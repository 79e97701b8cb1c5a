/** Measures the true peak of a stream. */
export interface TruePeakMeter {
  /** Takes any number of samples, interleaved if there are two channels; allocates nothing. */
  push(samples: Int16Array | Float32Array): void
  /** Returns the true peak of all pushed samples in dBTP, `-Infinity` for silence, and resets the meter. */
  flush(): number
}

/** The first two phases of the interpolator of order 48 in ITU-R BS.1770-5, Annex 2. The other two are these reversed. */
const FIRST_PHASE = [
  0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625,
  0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
]
const SECOND_PHASE = [
  -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625, 0.77978515625,
  -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
]
const TAPS = 12
const HISTORY = TAPS - 1
const BLOCK = 64

/**
 * Creates a true-peak meter. It includes values between samples, as a converter will reproduce them, by four-fold
 * oversampling (ITU-R BS.1770-5, Annex 2), and the samples themselves. It reads sines up to a quarter of the rate within
 * +0.2 and -0.4 dB, as EBU Tech 3341 requires; higher tones can read lower. The filter scales with the rate, so it works at
 * any rate. Chunk boundaries do not affect the result.
 *
 * @throws RangeError if the number of channels is neither 1 nor 2
 * @example
 * const meter = createTruePeakMeter({ channels: 1 })
 * meter.push(Float32Array.from({ length: 480 }, (_, n) => Math.sin((Math.PI * n) / 2 + Math.PI / 4)))
 * console.log(meter.flush().toFixed(1)) // 0.1, although the largest sample is at -3.0 dBFS
 */
export function createTruePeakMeter(options: { channels: 1 | 2 }): TruePeakMeter {
  const { channels } = options
  if (channels !== 1 && channels !== 2) throw new RangeError('A true peak is measured over 1 or 2 channels')
  const first = Float64Array.from(FIRST_PHASE)
  const second = Float64Array.from(SECOND_PHASE)
  // Upper bound of a value between samples, relative to the largest of the samples around it.
  const largestGain = second.reduce((sum, tap) => sum + Math.abs(tap), 0) * 1.000001
  const windows = Array.from({ length: channels }, () => new Float64Array(HISTORY + BLOCK))
  let peak = 0
  /** Channel of the next sample. */
  let next = 0

  function interpolate(window: Float64Array, count: number): void {
    let largest = peak
    for (let index = 0; index < count; index++) {
      let eighth = 0
      let threeEighths = 0
      let fiveEighths = 0
      let sevenEighths = 0
      for (let tap = 0; tap < TAPS; tap++) {
        const newer = window[index + HISTORY - tap] ?? 0
        const a = first[tap] ?? 0
        const b = second[tap] ?? 0
        const c = second[HISTORY - tap] ?? 0
        const d = first[HISTORY - tap] ?? 0
        eighth += a * newer
        threeEighths += b * newer
        fiveEighths += c * newer
        sevenEighths += d * newer
      }
      largest = Math.max(
        largest,
        Math.abs(eighth),
        Math.abs(threeEighths),
        Math.abs(fiveEighths),
        Math.abs(sevenEighths),
      )
    }
    peak = largest
  }

  function takeBlock(window: Float64Array, count: number): void {
    let largest = 0
    for (let index = 0; index < HISTORY + count; index++)
      largest = Math.max(largest, Math.abs(window[index] ?? 0))
    if (largest > peak) peak = largest
    if (largest * largestGain > peak) interpolate(window, count)
    window.copyWithin(0, count, count + HISTORY)
  }

  return {
    push(samples) {
      const scale = samples instanceof Int16Array ? 1 / 32_768 : 1
      for (const [channel, window] of windows.entries()) {
        let index = (channel - next + channels) % channels
        while (index < samples.length) {
          let count = 0
          for (; count < BLOCK && index < samples.length; index += channels, count++)
            window[HISTORY + count] = (samples[index] ?? 0) * scale
          takeBlock(window, count)
        }
      }
      next = (next + samples.length) % channels
    },
    flush() {
      // Push silence, so that the filter outputs the points around the last samples.
      for (const window of windows) {
        window.fill(0, HISTORY)
        takeBlock(window, HISTORY)
        window.fill(0)
      }
      const level = 20 * Math.log10(peak)
      peak = next = 0
      return level
    },
  }
}

/**
 * Measures the true peak of an array of samples in dBTP, interleaved if there are two channels. See
 * {@link createTruePeakMeter}.
 *
 * @throws RangeError if the number of channels is neither 1 nor 2
 * @example
 * console.log(measureTruePeak(Int16Array.of(0, 16_384, 0), { channels: 1 }).toFixed(1)) // -6.0
 */
export function measureTruePeak(samples: Int16Array | Float32Array, options: { channels: 1 | 2 }): number {
  const meter = createTruePeakMeter(options)
  meter.push(samples)
  return meter.flush()
}
