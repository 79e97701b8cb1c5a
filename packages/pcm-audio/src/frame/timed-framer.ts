import { createFramer } from './framer.ts'

/** A frame and its position in the stream. */
export interface TimedFrame {
  samples: Int16Array<ArrayBuffer>
  /** Position of the first sample in the stream, counted from the framer's `startSample`: an unwrapped RTP timestamp. */
  startSample: number
  /** The same in milliseconds, computed from the count, so that it does not drift. */
  timestampMs: number
  /** Number of samples of silence that `flush` added at the end. */
  paddedSamples: number
}

/** Cuts a stream into timestamped frames. */
export interface TimedFramer {
  readonly samplesPerFrame: number
  /** Takes any number of samples and returns the completed frames. Each frame is a copy. */
  push(samples: Int16Array): TimedFrame[]
  /** Returns the remaining samples, padded with silence to a whole frame; empty if there are none. Time continues after it. */
  flush(): TimedFrame[]
}

/**
 * Creates a framer with timestamped frames.
 *
 * @param options.startSample position of the first sample; 0 by default
 * @throws RangeError if the length is not a whole number of samples above 0
 * @example
 * const framer = createTimedFramer({ sampleRateHz: 8000, durationMs: 20 })
 * console.log(framer.push(new Int16Array(480)).map((frame) => frame.timestampMs)) // [0, 20, 40]
 */
export function createTimedFramer(options: {
  sampleRateHz: number
  durationMs: number
  startSample?: number
}): TimedFramer {
  const { sampleRateHz, startSample = 0 } = options
  if (!Number.isSafeInteger(startSample)) throw new RangeError('A stream must start at a whole sample')
  const framer = createFramer(options)
  const { samplesPerFrame } = framer
  let pushed = 0
  let given = 0
  const timed = (samples: Int16Array<ArrayBuffer>): TimedFrame => {
    const first = startSample + given
    given += samplesPerFrame
    const paddedSamples = Math.max(0, given - pushed)
    return { samples, startSample: first, timestampMs: (first / sampleRateHz) * 1000, paddedSamples }
  }
  return {
    samplesPerFrame,
    push(samples) {
      pushed += samples.length
      return framer.push(samples).map(timed)
    },
    flush() {
      const frames = framer.flush().map(timed)
      pushed = given
      return frames
    },
  }
}
