import type { EngineLanguage, Prosody } from '@vaani/speech'
import type { FliteVoice, Job } from './messages.ts'

/** The languages. Words are pronounced as in America, even by the Scottish speaker `awb`. */
export const LANGUAGES: readonly EngineLanguage[] = [
  { tag: 'en-US', quality: 'native' },
  { tag: 'en-GB', quality: 'fallback', note: 'Spoken with an American accent' },
  { tag: 'en-AU', quality: 'fallback', note: 'Spoken with an American accent' },
]

interface Voice {
  flite: FliteVoice
  /** Semitones above the speaker's own pitch. */
  semitones?: number
  /** Factor that gives the voices the same loudness. */
  gain: number
}

/** Mean and standard deviation of the speakers' pitch in Hz, as their models have them. */
const PITCH_HZ: Readonly<Record<FliteVoice, readonly [mean: number, deviation: number]>> = {
  slt: [172, 27],
  awb: [132, 25],
  kal16: [95, 11],
}

/**
 * The voices: nova, default and alt2 are female, atlas and alt1 male. Each is a speaker at a pitch. Flite also has the male speaker
 * `rms`, which is understood better than `awb` and follows neither pitch nor range.
 */
export const VOICES: Readonly<Record<string, Voice>> = {
  nova: { flite: 'slt', gain: 0.63 },
  atlas: { flite: 'awb', gain: 1 },
  default: { flite: 'slt', semitones: -1, gain: 0.7 },
  alt1: { flite: 'awb', semitones: -3, gain: 1 },
  alt2: { flite: 'slt', semitones: 2, gain: 0.52 },
}

/** Converts a voice and prosody to what Flite takes. */
export function toManner(
  { flite, semitones = 0, gain }: Voice,
  { rate, pitchSemitones, range, energy }: Prosody,
): Pick<Job, 'voice' | 'stretch' | 'pitchHz' | 'deviationHz' | 'gain'> {
  const [mean, deviation] = PITCH_HZ[flite]
  const factor = 2 ** ((semitones + pitchSemitones) / 12)
  return {
    voice: flite,
    stretch: 1 / rate,
    pitchHz: mean * factor,
    deviationHz: deviation * factor * range,
    gain: gain * energy,
  }
}
