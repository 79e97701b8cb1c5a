import { createFramer } from './framer.ts'

/** A frame, and where it lies in its stream. */
export interface TimedFrame {
  samples: Int16Array<ArrayBuffer>
  /** The place of the first sample in the stream, counted from `startSample`: what RTP calls a timestamp, unwrapped. */
  startSample: number
  /** The same in milliseconds, computed from the count, so that it does not drift. */
  timestampMs: number
  /** How many samples at the end are the silence that `flush` padded with. */
  paddedSamples: number
}

/** Cuts a stream into frames that tell their time. */
export interface TimedFramer {
  readonly samplesPerFrame: number
  /** Takes any number of samples, gives the frames that are full. Each frame is a copy. */
  push(samples: Int16Array): TimedFrame[]
  /** Gives what is left, padded with silence to a whole frame; empty where nothing is. Time goes on after it. */
  flush(): TimedFrame[]
}

/**
 * Makes a framer whose frames tell their time.
 *
 * @param options.startSample the place of the first sample; 0 by default
 * @throws RangeError where the length is no whole number of samples above 0
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
