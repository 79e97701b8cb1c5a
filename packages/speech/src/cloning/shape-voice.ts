import { createResampler, softLimit } from '@vaani/pcm-audio'

/** How the sound of a voice differs from that of an engine's voice. */
export interface VoiceShape {
  /** Factor of all frequencies and of the speed, a multiple of 0.02 from 0.72 to 1.28. */
  warp: number
  /** Slope that is added to the spectrum from 250 Hz on, in dB per octave. */
  tiltDbPerOctave: number
  gainDb: number
}

/** Steps of `warp` in 1. */
const WARP_STEPS = 50
const RESAMPLER_UNIT_HZ = 1000
/** Corners of the shelves, an octave apart. Together they make an almost straight slope. */
const CORNERS_HZ = [250, 500, 1000, 2000, 4000]
/** Just below the largest sample. */
const FULL_SCALE = 32_700

/** Changes samples as they pass. Chunk boundaries change nothing. */
export interface VoiceShaper {
  push(samples: Int16Array): Int16Array
  flush(): Int16Array
}

/** A first-order section: `y = b0 x + b1 x' - a1 y'`. */
interface Shelf {
  b0: number
  b1: number
  a1: number
}

/**
 * Creates the stage that shapes the sound of a voice: a resampler moves all frequencies, which leaves no artefact, because the
 * engine was asked for the inverse pitch and rate; a cascade of first-order shelves tilts the spectrum (Smith and Smith,
 * "Closed form fractional integration and differentiation via real exponentially spaced pole-zero pairs", 2016).
 */
export function shapeVoice(shape: VoiceShape, sampleRateHz: number): VoiceShaper {
  const resampler = createResampler({
    fromHz: Math.round(shape.warp * WARP_STEPS) * RESAMPLER_UNIT_HZ,
    toHz: WARP_STEPS * RESAMPLER_UNIT_HZ,
  })
  const shelves = tiltShelves(shape.tiltDbPerOctave, sampleRateHz)
  const inputs = new Float64Array(shelves.length)
  const outputs = new Float64Array(shelves.length)
  const gain = 10 ** (shape.gainDb / 20)

  function tilt(samples: Int16Array): Int16Array {
    for (let index = 0; index < samples.length; index++) {
      let value = (samples[index] ?? 0) * gain
      for (let place = 0; place < shelves.length; place++) {
        const { b0, b1, a1 } = shelves[place] ?? PASS
        const output = b0 * value + b1 * (inputs[place] ?? 0) - a1 * (outputs[place] ?? 0)
        inputs[place] = value
        outputs[place] = output
        value = output
      }
      // A brighter voice may have higher peaks.
      samples[index] = Math.round(FULL_SCALE * softLimit(value / FULL_SCALE))
    }
    return samples
  }
  return { push: (samples) => tilt(resampler.push(samples)), flush: () => tilt(resampler.flush()) }
}

const PASS: Shelf = { b0: 1, b1: 0, a1: 0 }

function tiltShelves(dbPerOctave: number, sampleRateHz: number): Shelf[] {
  if (dbPerOctave === 0) return []
  const ratio = 2 ** (-dbPerOctave / 6.02)
  return CORNERS_HZ.filter((hz) => hz * Math.max(1, ratio) < 0.45 * sampleRateHz).map((hz) => {
    // The bilinear transform of (s / zero + 1) / (s / pole + 1).
    const pole = Math.tan((Math.PI * hz) / sampleRateHz)
    const zero = Math.tan((Math.PI * hz * ratio) / sampleRateHz)
    const scale = pole / zero / (1 + pole)
    return { b0: (1 + zero) * scale, b1: (zero - 1) * scale, a1: (pole - 1) / (pole + 1) }
  })
}

/** Gain of the tilt at a frequency, in dB, at a rate far above it. */
export const tiltGainDb = (dbPerOctave: number, hz: number): number => {
  const ratio = 2 ** (-dbPerOctave / 6.02)
  return CORNERS_HZ.reduce(
    (sum, corner) => sum + 10 * Math.log10((1 + (hz / (corner * ratio)) ** 2) / (1 + (hz / corner) ** 2)),
    0,
  )
}
