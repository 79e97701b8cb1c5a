import { createFramer, createResampler } from '@vaani/pcm-audio'
import type { SynthesisModelProfile } from './models.ts'

/** Format of a stream unless it asks for another rate: frames of 20 ms at 16 kHz. */
export const STREAM_SAMPLE_RATE_HZ = 16_000
export const STREAM_FRAME_SAMPLES = 320
export const FRAME_MS = 20

/** What distinguishes the stream of a synthesis model: its audio band and the quality of its resampling. */
export type StreamModel = Pick<SynthesisModelProfile, 'bandSampleRateHz' | 'resampler'>

/** Converts an engine's samples to frames of a stream. */
export interface FrameMaker {
  push(samples: Int16Array): Int16Array[]
  /** Returns the rest, the last frame padded with silence. Nothing may be pushed after it. */
  flush(): Int16Array[]
}

export function createFrameMaker(options: {
  fromHz: number
  /** Of which 20 ms are whole samples. Default 16,000. */
  toHz?: number
  model?: StreamModel | undefined
}): FrameMaker {
  const { fromHz, toHz = STREAM_SAMPLE_RATE_HZ, model } = options
  const profile = model?.resampler
  const bandHz = Math.min(model?.bandSampleRateHz ?? fromHz, fromHz)
  const rates = bandHz < toHz ? [fromHz, bandHz] : [fromHz]
  const resamplers = rates.map((rate, index) =>
    createResampler({ fromHz: rate, toHz: rates[index + 1] ?? toHz, ...(profile && { profile }) }),
  )
  const framer = createFramer({ samplesPerFrame: (toHz * FRAME_MS) / 1000 })
  const through = (samples: Int16Array, from: number): Int16Array =>
    resamplers.slice(from).reduce((given, resampler) => resampler.push(given), samples)
  return {
    push: (samples) => framer.push(through(samples, 0)),
    flush: () => [
      ...resamplers.flatMap((resampler, index) => framer.push(through(resampler.flush(), index + 1))),
      ...framer.flush(),
    ],
  }
}
