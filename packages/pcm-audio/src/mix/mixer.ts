import { dbfsToAmplitude } from '../measure/dbfs.ts'
import { softLimit } from './soft-limit.ts'

export interface TrackOptions {
  /** Decibels; 0 by default, -Infinity is silence. */
  gainDb?: number
  /** While this track sounds, the others are turned down by so many decibels; 0 by default. */
  duckOthersByDb?: number
}

export interface MixerOptions {
  sampleRateHz: number
  /** How long a change of gain takes, so that it does not click; 20 by default. */
  rampMs?: number
  /** How fast others give way to a track that ducks them, and how slowly they come back; 50 and 400 by default. */
  duckAttackMs?: number
  duckReleaseMs?: number
  /** A track sounds where a sample is above this; -50 by default. */
  duckAboveDbfs?: number
}

/** Adds tracks up, with a gain for each. */
export interface Mixer<Name extends string> {
  /** Changes a gain, in a ramp. */
  setGain(track: Name, gainDb: number): void
  /**
   * Mixes one stretch of all tracks. A track that is not named is silent, one that is shorter is silent at its end.
   *
   * @param into where the mix is written; its length is that of the stretch. Nothing is allocated
   * @throws RangeError where a track is longer than `into`
   */
  mix<Samples extends Int16Array>(tracks: Readonly<Partial<Record<Name, Int16Array>>>, into: Samples): Samples
}

const SILENCE: Int16Array = new Int16Array(0)

const amplitudeOf = (decibels: number): number => {
  if (Number.isNaN(decibels) || decibels > 60) throw new RangeError('A gain must be at most 60 dB')
  return dbfsToAmplitude(decibels)
}

/**
 * Makes a mixer of named tracks, for streams of any stretches. Gains move in straight lines from sample to sample; the sum is
 * limited softly (see `softLimit`), so a single track at 0 dB under the knee comes out bit for bit.
 *
 * @throws RangeError where a rate, time or gain cannot be
 * @example
 * const mixer = createMixer({ sampleRateHz: 8000 }, { voice: { duckOthersByDb: 12 }, music: { gainDb: -6 } })
 * console.log(mixer.mix({ voice: Int16Array.of(1000, 2000) }, new Int16Array(2))) // Int16Array [1000, 2000]
 */
export function createMixer<Name extends string>(
  options: MixerOptions,
  tracks: Readonly<Record<Name, TrackOptions>>,
): Mixer<Name> {
  const { sampleRateHz, rampMs = 20, duckAttackMs = 50, duckReleaseMs = 400, duckAboveDbfs = -50 } = options
  /** The change of each sample for a change of one in a time. */
  const perSample = (ms: number): number => {
    const samples = (ms * sampleRateHz) / 1000
    if (!(samples >= 0 && samples < Number.POSITIVE_INFINITY))
      throw new RangeError('Rates and times of a mixer must be finite, and not negative')
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
      /** The gain that this track leaves to the others, and how far it holds them there, from 0 to 1. */
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
          throw new RangeError('A track is longer than the stretch that is mixed')
      }
      for (let index = 0; index < into.length; index++) {
        // The track that leaves the least to the others, and what the others leave to that one.
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
        for (const track of states) {
          const left = track.wanted - track.gain
          track.gain = Math.abs(left) <= track.step ? track.wanted : track.gain + Math.sign(left) * track.step
          sum += (track.samples[index] ?? 0) * track.gain * (track === strictest ? second : least)
        }
        into[index] = Math.min(32_767, Math.round(softLimit(sum / 32_768) * 32_768))
      }
      return into
    },
  }
}
