import { createFloatResampler, dbfsToAmplitude } from '@vaani/pcm-audio'
import { createGainCurve } from '../engine-kit/gain-curve.ts'
import type { SampleStage } from './sample-stage.ts'

/** BS.1770-5, Annex 2: values between samples are found by four-fold oversampling. */
const OVERSAMPLING = 4

/**
 * Creates a stage that applies a gain and keeps the true peak below a ceiling. Around each peak above it, the gain sinks
 * smoothly. Everything else passes at the gain.
 */
export function createTruePeakLimiter(options: {
  sampleRateHz: number
  gainDb: number
  ceilingDbtp: number
}): SampleStage {
  const { sampleRateHz } = options
  const gain = dbfsToAmplitude(options.gainDb)
  const ceiling = dbfsToAmplitude(options.ceilingDbtp) / gain
  const curve = createGainCurve(sampleRateHz)
  const oversampler = createFloatResampler({
    fromHz: sampleRateHz,
    toHz: OVERSAMPLING * sampleRateHz,
  })
  /** Samples whose peaks are not known yet, or that wait for the look-ahead. */
  let waiting = new Float32Array(0)
  let peaks = new Float32Array(0)
  let known = 0
  let given = 0

  function advance(samples: Float32Array, oversampled: Float32Array, isLast: boolean): Float32Array {
    waiting = joined(waiting, samples)
    peaks = joined(peaks, oversampled)
    const whole = Math.floor(peaks.length / OVERSAMPLING)
    const total = given + waiting.length
    const end = isLast ? total + curve.delay : known + whole
    const output = new Float32Array(Math.max(0, end - curve.delay - given))
    let written = 0
    for (let index = 0; known < end; index++, known++) {
      let peak = Math.abs(waiting[known - given] ?? 0)
      for (let part = 0; part < OVERSAMPLING; part++)
        peak = Math.max(peak, Math.abs(peaks[index * OVERSAMPLING + part] ?? 0))
      const reduction = curve.next(peak > ceiling ? ceiling / peak : 1)
      if (known < curve.delay) continue
      output[written] = (waiting[written] ?? 0) * gain * reduction
      written++
    }
    peaks = peaks.slice(whole * OVERSAMPLING)
    waiting = waiting.slice(written)
    given += written
    return output
  }
  return {
    push: (samples) => advance(samples, oversampler.push(samples), false),
    flush: () => advance(new Float32Array(0), oversampler.flush(), true),
  }
}

function joined(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const both = new Float32Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
