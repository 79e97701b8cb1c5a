import { ENVELOPE_POINTS, envelopeHz } from './long-term-envelope.ts'
import { formantRatio, type VoiceMeasure } from './measure-voice.ts'
import { tiltGainDb, type VoiceShape } from './shape-voice.ts'

/** How a voice is made of a voice of an engine. */
export interface VoiceMatch extends VoiceShape {
  /** Voice of the engine. */
  base: string
  /** Semitones from the pitch of that voice. */
  pitchSemitones: number
  /** Factor of the range of its pitch. */
  range: number
  /** Factor of its rate. */
  rate: number
}

/** A voice that is imitated by its pitch, range, rate, tilt and formants. */
export interface ParametricVoice {
  kind: 'parametric'
  /** The nearest voice first; others speak languages that it does not. */
  matches: readonly VoiceMatch[]
}

/** Beyond these, the engine's voice sounds unnatural, or its own limits are reached. */
const BOUNDS = {
  pitchSemitones: [-9, 9],
  range: [0.5, 1.8],
  rate: [0.75, 1.33],
  tiltDbPerOctave: [-4, 4],
} as const
/** Two texts differ this much in their syllables per second when the same voice reads them: 4.3 and 5.0 were measured. */
const RATE_OF_TEXTS = 1.15

const within = (value: number, [least, most]: readonly [number, number]): number =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : Math.min(most, Math.max(least, 1))

/**
 * Computes how to make a measured voice of each of an engine's voices.
 *
 * @param bases voices of the engine and their measures, of a text of about the same language
 */
export function matchVoice(
  voice: VoiceMeasure,
  bases: readonly { name: string; measure: VoiceMeasure }[],
): ParametricVoice {
  const matches = bases.map(({ name, measure }) => matchOne(voice, name, measure))
  return { kind: 'parametric', matches: matches.toSorted((one, other) => costOf(one) - costOf(other)) }
}

/** The less a voice is changed, the better it sounds. Formants count twice, because their change is heard more. */
const costOf = ({ pitchSemitones, warp }: VoiceMatch): number =>
  Math.abs(pitchSemitones) + 2 * Math.abs(12 * Math.log2(warp))

function matchOne(voice: VoiceMeasure, base: string, measure: VoiceMeasure): VoiceMatch {
  const ratio = voice.syllablesPerSecond / measure.syllablesPerSecond
  const rate = ratio > 1 ? Math.max(1, ratio / RATE_OF_TEXTS) : Math.min(1, ratio * RATE_OF_TEXTS)
  const tiltDbPerOctave = round(
    within(voice.tiltDbPerOctave - measure.tiltDbPerOctave, BOUNDS.tiltDbPerOctave),
  )
  return {
    base,
    pitchSemitones: round(within(12 * Math.log2(voice.pitchHz / measure.pitchHz), BOUNDS.pitchSemitones)),
    range: round(within(voice.rangeSemitones / measure.rangeSemitones, BOUNDS.range)),
    rate: round(within(rate, BOUNDS.rate)),
    warp: formantRatio(voice, measure),
    tiltDbPerOctave,
    gainDb: round(-levelChange(measure, tiltDbPerOctave)),
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

/** How much louder a tilt makes a voice, by its average spectrum. */
function levelChange({ formantsDb, tiltDbPerOctave }: VoiceMeasure, tilt: number): number {
  let [before, after] = [0, 0]
  for (let point = 0; point < ENVELOPE_POINTS; point++) {
    const hz = envelopeHz(point)
    // Points are evenly spaced in octaves, so each stands for a band as wide as its frequency.
    const level = (formantsDb[point] ?? 0) + tiltDbPerOctave * Math.log2(hz)
    before += hz * 10 ** (level / 10)
    after += hz * 10 ** ((level + tiltGainDb(tilt, hz)) / 10)
  }
  return 10 * Math.log10(after / before)
}
