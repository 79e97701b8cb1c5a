import type { EngineLanguage, Prosody } from '@vaani/speech'
import { type FliteVoice, type Job, SAMPLE_RATE_HZ } from './messages.ts'

/** The languages. Words are pronounced as in America, even by the Scottish speaker `awb`. */
export const LANGUAGES: readonly EngineLanguage[] = [
  { tag: 'en-US', quality: 'native' },
  { tag: 'en-GB', quality: 'fallback', note: 'Spoken with an American accent' },
  { tag: 'en-AU', quality: 'fallback', note: 'Spoken with an American accent' },
]

/**
 * How Flite makes the sound: `diphone` joins recorded pairs of sounds; `clustergen` computes it from a model of the speaker, which takes
 * about fifteen times as long.
 */
export type Method = 'diphone' | 'clustergen'

export interface Voice {
  flite: FliteVoice
  /** Semitones above the speaker's own pitch. */
  semitones?: number
  /** See `Job`. Default: the speaker's own vocal tract. */
  takenAtHz?: number
  /** Gives the voices the same loudness, that of `speech-espeak`. */
  gainDb: number
}

/**
 * The speakers as their models have them: mean and standard deviation of their pitch in Hz, and the factor of their durations, without which
 * `kal16` hurries and more of its words are misheard. And how far their pitch moves for each semitone that is asked for, measured from
 * -6 to 18.
 */
const SPEAKERS: Readonly<
  Record<FliteVoice, { meanHz: number; deviationHz: number; stretch: number; slope: number }>
> = {
  slt: { meanHz: 172, deviationHz: 27, stretch: 1, slope: 1 },
  rms: { meanHz: 98, deviationHz: 24, stretch: 1, slope: 1 },
  awb: { meanHz: 132, deviationHz: 25, stretch: 1, slope: 1 },
  kal16: { meanHz: 95, deviationHz: 11, stretch: 1.1, slope: 1.1 },
}

/**
 * The voices: nova, default and alt2 are female, atlas and alt1 male. Each is a speaker at a pitch; those of `kal16`, a man, also differ in
 * their vocal tracts.
 */
export const VOICES: Readonly<Record<Method, Readonly<Record<string, Voice>>>> = {
  diphone: {
    nova: { flite: 'kal16', semitones: 12, takenAtHz: 17_000, gainDb: 6.5 },
    atlas: { flite: 'kal16', semitones: 1, gainDb: 8.9 },
    default: { flite: 'kal16', semitones: 10, takenAtHz: 17_000, gainDb: 7.0 },
    alt1: { flite: 'kal16', semitones: -1, takenAtHz: 15_500, gainDb: 9.4 },
    alt2: { flite: 'kal16', semitones: 14, takenAtHz: 17_500, gainDb: 6.4 },
  },
  clustergen: {
    nova: { flite: 'slt', gainDb: -3.0 },
    atlas: { flite: 'rms', gainDb: 2.4 },
    default: { flite: 'slt', semitones: -1, gainDb: -1.9 },
    alt1: { flite: 'awb', semitones: -3, gainDb: 0.9 },
    alt2: { flite: 'slt', semitones: 2, gainDb: -4.5 },
  },
}

/** Converts a voice and prosody to what Flite takes. */
export function toManner(
  { flite, semitones = 0, takenAtHz = SAMPLE_RATE_HZ, gainDb }: Voice,
  { rate, pitchSemitones, range, energy }: Prosody,
): Pick<Job, 'voice' | 'stretch' | 'pitchHz' | 'deviationHz' | 'takenAtHz' | 'gainDb'> {
  const { meanHz, deviationHz, stretch, slope } = SPEAKERS[flite]
  const factor = 2 ** ((semitones + pitchSemitones) / 12 / slope)
  return {
    voice: flite,
    stretch: stretch / rate,
    pitchHz: meanHz * factor,
    deviationHz: deviationHz * factor * range,
    takenAtHz,
    gainDb: gainDb + 20 * Math.log10(energy),
  }
}
