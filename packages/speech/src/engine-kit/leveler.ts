import { dbfsToAmplitude, float32ToInt16 } from '@vaani/pcm-audio'
import { createGainCurve } from './gain-curve.ts'

const FULL_SCALE = 32_768
/**
 * Highest sample. The true peak, between samples, stays below -1 dBTP at every rate of a stream: of 41 languages and five voices of
 * eSpeak NG it lay at most 0.4 dB above the samples.
 */
const CEILING_DBFS = -1.6
/** Below every voice. */
const HIGH_PASS_HZ = 20

/** Brings the samples of an engine to a level, in as many samples by the end of `flush`. */
export interface Leveler {
  push(samples: Int16Array): Int16Array<ArrayBuffer>
  flush(): Int16Array<ArrayBuffer>
}

/**
 * Creates a stage that takes the direct current away, applies a gain and keeps peaks below -1 dBTP, 5 ms late. The same samples give the
 * same result, in whatever pieces.
 *
 * @example
 * const leveler = createLeveler({ sampleRateHz: 22_050, gainDb: 2 })
 * const loud = [...pieces.map((samples) => leveler.push(samples)), leveler.flush()]
 */
export function createLeveler(options: { sampleRateHz: number; gainDb: number }): Leveler {
  const { sampleRateHz } = options
  const gain = dbfsToAmplitude(options.gainDb) / FULL_SCALE
  const ceiling = dbfsToAmplitude(CEILING_DBFS)
  const curve = createGainCurve(sampleRateHz)
  const pole = Math.exp((-2 * Math.PI * HIGH_PASS_HZ) / sampleRateHz)
  let [lastIn, lastOut] = [0, 0]
  /** Samples whose gains are not known yet. */
  let waiting = new Float32Array(0)

  /** Appends samples, at their gain, to those that wait. Returns the loudest. */
  function append(samples: Int16Array): number {
    const wave = new Float32Array(waiting.length + samples.length)
    wave.set(waiting)
    const offset = waiting.length
    let [before, value, loudest] = [lastIn, lastOut, 0]
    for (let index = 0; index < samples.length; index++) {
      const sample = (samples[index] ?? 0) * gain
      value = sample - before + pole * value
      before = sample
      wave[offset + index] = value
      if (value > loudest) loudest = value
      else if (-value > loudest) loudest = -value
    }
    lastIn = before
    lastOut = value
    waiting = wave
    return loudest
  }

  /** Lowers the peaks of what waits, of which the last `fresh` samples are new. */
  function limit(fresh: number): void {
    for (let index = waiting.length - fresh; index < waiting.length; index++) {
      const reduction = curve.next(Math.min(1, ceiling / Math.abs(waiting[index] ?? 0)))
      const at = index - curve.delay
      if (at >= 0) waiting[at] = (waiting[at] ?? 0) * reduction
    }
  }

  function advance(samples: Int16Array): Int16Array<ArrayBuffer> {
    const loudest = append(samples)
    if (loudest > ceiling || !curve.isFlat()) limit(samples.length)
    const output = new Int16Array(Math.max(0, waiting.length - curve.delay))
    float32ToInt16(waiting.subarray(0, output.length), output)
    waiting = waiting.slice(output.length)
    return output
  }
  return { push: advance, flush: () => advance(new Int16Array(curve.delay)) }
}
