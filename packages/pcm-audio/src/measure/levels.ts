import { amplitudeToDbfs } from './dbfs.ts'

/** Levels of a section of audio. A level is `-Infinity` if all of it is silent, or nothing was pushed. */
export interface Levels {
  /** The largest sample, in dB below full scale (1.0, or 32768). */
  peakDbfs: number
  /** The root mean square, in dB below that of a full-scale sine: a sine's RMS and peak levels are the same. */
  rmsDbfs: number
  /** The mean of the samples, where 1 is full scale. Not 0 if a converter adds a constant. */
  offset: number
  /** Number of samples at full scale. Two or more in a row indicate clipping. */
  fullScaleSamples: number
  /** Number of samples measured. */
  samples: number
}

/** Measures the levels of a stream. */
export interface LevelMeter {
  /** Takes any number of samples; allocates nothing. */
  push(samples: Int16Array | Float32Array): void
  /** Returns the levels of all pushed samples and resets the meter. */
  flush(): Levels
}

/**
 * Creates a level meter. Chunk boundaries do not affect the result.
 *
 * RMS is relative to a sine, as AES17-2020 and IEC 61606 define dB FS, so a full-scale sine reads 0 dBFS and a full-scale
 * square wave +3.01. Meters without that reference read 3.01 dB less. Full scale of 16-bit samples is 32768, as in
 * conversion to floats, so the largest positive sample reads -0.0003 dBFS.
 *
 * @example
 * const meter = createLevelMeter()
 * meter.push(Float32Array.of(0.5, -0.5, 0.5, -0.5))
 * const { peakDbfs, rmsDbfs } = meter.flush()
 * console.log(peakDbfs.toFixed(2), rmsDbfs.toFixed(2)) // -6.02 -3.01
 */
export function createLevelMeter(): LevelMeter {
  let peak = 0
  let squares = 0
  let sum = 0
  let fullScaleSamples = 0
  let count = 0
  return {
    push(samples) {
      const isInteger = samples instanceof Int16Array
      const scale = isInteger ? 1 / 32_768 : 1
      const full = isInteger ? 32_767 / 32_768 : 1
      for (let index = 0; index < samples.length; index++) {
        const value = (samples[index] ?? 0) * scale
        const size = Math.abs(value)
        if (size > peak) peak = size
        if (size >= full) fullScaleSamples++
        squares += value * value
        sum += value
      }
      count += samples.length
    },
    flush() {
      const levels = {
        peakDbfs: amplitudeToDbfs(peak),
        rmsDbfs: count === 0 ? Number.NEGATIVE_INFINITY : 10 * Math.log10((2 * squares) / count),
        offset: count === 0 ? 0 : sum / count,
        fullScaleSamples,
        samples: count,
      }
      peak = squares = sum = fullScaleSamples = count = 0
      return levels
    },
  }
}

/**
 * Measures the levels of an array of samples; see {@link createLevelMeter} for the reference.
 *
 * @example
 * console.log(measureLevels(new Int16Array(160).fill(16_384)).peakDbfs.toFixed(2)) // -6.02
 */
export function measureLevels(samples: Int16Array | Float32Array): Levels {
  const meter = createLevelMeter()
  meter.push(samples)
  return meter.flush()
}
