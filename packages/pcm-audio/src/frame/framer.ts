/** Cuts a stream of samples into frames of one length. */
export interface Framer {
  readonly samplesPerFrame: number
  /** Takes any number of samples and returns the completed frames. Each frame is a copy. */
  push(samples: Int16Array): Int16Array<ArrayBuffer>[]
  /** Returns the remaining samples, padded with silence to a whole frame; empty if there are none. */
  flush(): Int16Array<ArrayBuffer>[]
}

/** Either the length of a frame, or the rate and the duration that determine it. */
export type FramerOptions = { samplesPerFrame: number } | { sampleRateHz: number; durationMs: number }

/**
 * Returns the number of samples in a frame of `durationMs`.
 *
 * @throws RangeError if it is not a whole number above 0, as with 10 ms at 11,025 Hz
 * @example
 * console.log(frameSamples({ sampleRateHz: 16_000, durationMs: 20 })) // 320
 */
export function frameSamples(options: { sampleRateHz: number; durationMs: number }): number {
  const samples = (options.sampleRateHz * options.durationMs) / 1000
  if (!Number.isInteger(samples) || samples < 1)
    throw new RangeError('A frame must have a whole number of samples, at least 1')
  return samples
}

/**
 * Creates a framer.
 *
 * @throws RangeError if the length is not a whole number of samples above 0
 * @example
 * const framer = createFramer({ sampleRateHz: 16_000, durationMs: 20 })
 * console.log(framer.push(new Int16Array(700)).length, framer.flush().length) // 2 1
 */
export function createFramer(options: FramerOptions): Framer {
  const samplesPerFrame = 'samplesPerFrame' in options ? options.samplesPerFrame : frameSamples(options)
  if (!Number.isInteger(samplesPerFrame) || samplesPerFrame < 1)
    throw new RangeError('A frame must have a whole number of samples, at least 1')
  let frame = new Int16Array(samplesPerFrame)
  let filled = 0
  const next = () => {
    const full = frame
    frame = new Int16Array(samplesPerFrame)
    filled = 0
    return full
  }
  return {
    samplesPerFrame,
    push(samples) {
      const frames: Int16Array<ArrayBuffer>[] = []
      for (let offset = 0; offset < samples.length;) {
        const part = samples.subarray(offset, offset + samplesPerFrame - filled)
        frame.set(part, filled)
        filled += part.length
        offset += part.length
        if (filled === samplesPerFrame) frames.push(next())
      }
      return frames
    },
    // A new frame is all zeros, so the rest of it is padded already.
    flush: () => (filled === 0 ? [] : [next()]),
  }
}
