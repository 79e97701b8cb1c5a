import { createResampler } from '@vaani/pcm-audio'
import { FRAME_DURATION_MS } from '@vaani/telephony'

/** Turns frames of 20 ms at one rate into frames of 20 ms at another. */
export interface FrameResampler {
  /** Returns a view that is valid until the next call; the frame itself if the rates are the same. */
  convert(frame: Int16Array): Int16Array
}

export const samplesPerFrame = (rateHz: number): number => (rateHz * FRAME_DURATION_MS) / 1000

/**
 * Creates a resampler of whole frames. The latency of the filter is silence in front of the first of them.
 *
 * @param rates multiples of 50 Hz
 */
export function createFrameResampler(rates: {
  readonly fromHz: number
  readonly toHz: number
}): FrameResampler {
  if (rates.fromHz === rates.toHz) return { convert: (frame) => frame }
  const resampler = createResampler(rates)
  const frame = new Int16Array(samplesPerFrame(rates.toHz))
  const queue = new Int16Array(frame.length + resampler.maxOutputSamples(samplesPerFrame(rates.fromHz)))
  let held = 0
  return {
    convert(samples) {
      held += resampler.pushInto(samples, queue.subarray(held))
      const missing = Math.max(0, frame.length - held)
      frame.fill(0, 0, missing)
      const taken = frame.length - missing
      frame.set(queue.subarray(0, taken), missing)
      queue.copyWithin(0, taken, held)
      held -= taken
      return frame
    },
  }
}
