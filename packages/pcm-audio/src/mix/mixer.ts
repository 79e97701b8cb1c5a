import { dbfsToAmplitude } from '../measure/dbfs.ts'
import { LIMIT_KNEE, softLimit } from './soft-limit.ts'

export interface TrackOptions {
  /** 0 by default; -Infinity is silence. */
  gainDb?: number
  /** Attenuation of the other tracks while this one is audible; 0 by default. */
  duckOthersByDb?: number
}

export interface MixerOptions {
  sampleRateHz: number
  /** Duration of a gain change, so that it does not click; 20 by default. */
  rampMs?: number
  /** Time over which the others are ducked, and time over which they recover; 50 and 400 by default. */
  duckAttackMs?: number
  duckReleaseMs?: number
  /** A track is audible while its samples are above this level; -50 by default. */
  duckAboveDbfs?: number
}

/** Sums tracks, each with its gain. */
export interface Mixer<Name extends string> {
  /** Changes the gain of a track over the duration of the ramp. */
  setGain(track: Name, gainDb: number): void
  /**
   * Mixes one chunk of all tracks. A missing track is silent, and a shorter one is padded with silence. Allocates nothing.
   *
   * @param into destination; its length determines that of the chunk
   * @throws RangeError if a track is longer than `into`
   */
  mix<Samples extends Int16Array>(tracks: Readonly<Partial<Record<Name, Int16Array>>>, into: Samples): Samples
}

const SILENCE: Int16Array = new Int16Array(0)

const amplitudeOf = (decibels: number): number => {
  if (Number.isNaN(decibels) || decibels > 60) throw new RangeError('A gain must be at most 60 dB')
  return dbfsToAmplitude(decibels)
}

/**
 * Creates a mixer of named tracks, for streams with chunks of any length. Gains change linearly from sample to sample. The
 * sum is limited softly (see `softLimit`), with a knee that rises to the loudest track, so that a track at 0 dB passes bit
 * for bit up to full scale while the others are silent.
 *
 * @throws RangeError if a rate, time or gain is out of range
 * @example
 * const mixer = createMixer({ sampleRateHz: 8000 }, { voice: { duckOthersByDb: 12 }, music: { gainDb: -6 } })
 * console.log(mixer.mix({ voice: Int16Array.of(1000, 2000) }, new Int16Array(2))) // Int16Array [1000, 2000]
 */
export function createMixer<Name extends string>(
  options: MixerOptions,
  tracks: Readonly<Record<Name, TrackOptions>>,
): Mixer<Name> {
  const { sampleRateHz, rampMs = 20, duckAttackMs = 50, duckReleaseMs = 400, duckAboveDbfs = -50 } = options
  /** Returns the change per sample for a total change of 1 over a time. */
  const perSample = (ms: number): number => {
    const samples = (ms * sampleRateHz) / 1000
    if (!(samples >= 0 && samples < Number.POSITIVE_INFINITY))
      throw new RangeError('Rates and times of a mixer must be finite and not negative')
    return 1 / Math.max(1, samples)
  }
  const ramp = perSample(rampMs)
  const attack = perSample(duckAttackMs)
  const release = perSample(duckReleaseMs)
  const audible = 32_768 * dbfsToAmplitude(duckAboveDbfs)

  const names: string[] = []
  const states = Object.entries<TrackOptions>(tracks).map(([name, { gainDb = 0, duckOthersByDb = 0 }]) => {
    names.push(name)
    return {
      gain: amplitudeOf(gainDb),
      wanted: amplitudeOf(gainDb),
      step: 0,
      /** Gain of the others when this track fully ducks them, and the current degree of ducking, from 0 to 1. */
      leaves: amplitudeOf(-Math.abs(duckOthersByDb)),
      hold: 0,
      samples: SILENCE,
    }
  })

  return {
    setGain(name, gainDb) {
      const track = states[names.indexOf(name)]
      if (track === undefined) throw new RangeError('There is no such track')
      track.wanted = amplitudeOf(gainDb)
      track.step = Math.abs(track.wanted - track.gain) * ramp
    },
    mix(given, into) {
      const parts: Readonly<Partial<Record<string, Int16Array>>> = given
      for (const [index, track] of states.entries()) {
        track.samples = parts[names[index] ?? ''] ?? SILENCE
        if (track.samples.length > into.length)
          throw new RangeError('A track is longer than the array to fill')
      }
      for (let index = 0; index < into.length; index++) {
        // The track that ducks the most, and the gain that the others leave to it.
        let strictest: (typeof states)[number] | undefined
        let least = 1
        let second = 1
        for (const track of states) {
          const sounds = Math.abs(track.samples[index] ?? 0) > audible
          track.hold = sounds ? Math.min(1, track.hold + attack) : Math.max(0, track.hold - release)
          const leaves = 1 + (track.leaves - 1) * track.hold
          if (leaves < least) {
            second = least
            least = leaves
            strictest = track
          } else if (leaves < second) second = leaves
        }
        let sum = 0
        // The loudest track, without amplification: only what is added to it is limited.
        let knee = LIMIT_KNEE
        for (const track of states) {
          const left = track.wanted - track.gain
          track.gain = Math.abs(left) <= track.step ? track.wanted : track.gain + Math.sign(left) * track.step
          const sample = (track.samples[index] ?? 0) / 32_768
          const gain = track.gain * (track === strictest ? second : least)
          sum += sample * gain
          knee = Math.max(knee, Math.abs(sample) * Math.min(1, gain))
        }
        into[index] = Math.min(32_767, Math.round(softLimit(sum, knee) * 32_768))
      }
      return into
    },
  }
}
