import { formantRatio, measureTracked, type VoiceMeasure } from './measure-voice.ts'
import {
  ANALYSIS_RATE_HZ,
  FRAMES_PER_SECOND,
  percentile,
  trackVoice,
  type VoiceTrack,
} from './track-voice.ts'

/** Why a recording does not do as a sample of a voice. */
export const RECORDING_FAULTS = [
  'too_short',
  'too_long',
  'too_quiet',
  'clipped',
  'too_noisy',
  'too_little_speech',
  'several_speakers',
  'other_speaker',
] as const
export type RecordingFault = (typeof RECORDING_FAULTS)[number]

/** Bounds of a recording. */
export const RECORDING_BOUNDS = {
  seconds: { min: 3, max: 60 },
  /**
   * Speech below this is near the noise of most microphones. Telephone speech has about -26 dBFS (ITU-T P.56), and each
   * 6 dB less costs a bit of the samples.
   */
  speechDbfs: -46,
  /** Share of the samples near the highest level. Clean speech has 0.003 to 0.006, overloaded by 12 dB 0.045 to 0.1. */
  clipped: 0.015,
  /**
   * Levels of speech and of its pauses. Measured with white noise on four voices: at 13 dB, formants still err by at most 2 %
   * and pitch by 1 %; at 8 dB, formants by 14 %. The tilt errs sooner: at 20 dB, by 2.5 to 4 dB per octave.
   */
  signalToNoiseDb: 15,
  /** Voiced speech of one recording. Two thirds of ordinary speech are voiced. */
  voicedSeconds: 1,
} as const

/** Peaks above this percentile are rare, and those from this part of it on are near it. */
const COMMON_PEAK = 0.999
const NEAR_PEAK = 0.8

/**
 * Voiced seconds of all recordings together. Measured on four voices: in pieces with about as much, pitch was within 7 % and
 * formants within 4 % of those of the whole.
 */
export const VOICED_SECONDS = 2

/** What was found in a recording. */
export interface JudgedRecording {
  faults: readonly RecordingFault[]
  /** Level of its speech, in dBFS. */
  speechDbfs: number
  signalToNoiseDb: number
  clipped: number
  voicedSeconds: number
}

/** @param recordings samples at 16 kHz, from -1 to 1 */
export function judgeRecordings(recordings: readonly Float32Array[]): JudgedRecording[] {
  const tracked = recordings.map((samples) => ({ samples, track: trackVoice(samples) }))
  const judged = tracked.map(({ samples, track }) => judgeAlone(samples, track))
  const [first, ...others] = tracked
  if (first === undefined) return []
  const voice = measureTracked(first.samples, first.track)
  const isOther = others.map(({ samples, track }) => differ(measureTracked(samples, track), voice))
  return judged.map((recording, index) =>
    isOther[index - 1] === true && !recording.faults.includes('several_speakers')
      ? { ...recording, faults: [...recording.faults, 'other_speaker'] }
      : recording,
  )
}

function judgeAlone(samples: Float32Array, track: VoiceTrack): JudgedRecording {
  const { levelDb, pitchHz } = track
  const seconds = samples.length / ANALYSIS_RATE_HZ
  const voicedSeconds = pitchHz.filter((hz) => hz > 0).length / FRAMES_PER_SECOND
  const speechDbfs = percentile(levelDb, 0.8)
  const signalToNoiseDb = speechDbfs - percentile(levelDb, 0.05)
  const clipped = clippedShare(samples)
  const { seconds: bounds, ...limits } = RECORDING_BOUNDS
  const found: Readonly<Record<Exclude<RecordingFault, 'other_speaker'>, boolean>> = {
    too_short: seconds < bounds.min,
    too_long: seconds > bounds.max,
    too_quiet: speechDbfs < limits.speechDbfs,
    clipped: clipped > limits.clipped,
    too_noisy: signalToNoiseDb < limits.signalToNoiseDb,
    too_little_speech: voicedSeconds < limits.voicedSeconds,
    several_speakers: hasSeveralSpeakers(samples, track),
  }
  return {
    faults: RECORDING_FAULTS.filter((fault) => fault !== 'other_speaker' && found[fault]),
    speechDbfs,
    signalToNoiseDb,
    clipped,
    voicedSeconds,
  }
}

/**
 * Computes which share of the samples is near the highest level that is not a rare peak. Peaks of speech are rare; clipping
 * leaves many of one height, also after the level was changed or a codec has rounded them.
 */
function clippedShare(samples: Float32Array): number {
  const sizes = samples.map(Math.abs)
  const height = NEAR_PEAK * percentile(sizes, COMMON_PEAK)
  return height === 0 ? 0 : sizes.filter((size) => size > height).length / samples.length
}

/** Voiced frames of one turn of a conversation. */
const TURN_FRAMES = 50
/** Each of two speakers speaks at least this share. */
const LEAST_SHARE = 0.2
/** Pitches so far apart, with formants that differ too, or twice as far, are of two people. */
const APART_SEMITONES = 5
const APART_FORMANTS = 1.05

/** Whether two voices are of different people, as far as pitch and formants show. */
function differ(one: VoiceMeasure, other: VoiceMeasure): boolean {
  const semitones = 12 * Math.log2(one.pitchHz / other.pitchHz)
  if (!(Math.abs(semitones) >= APART_SEMITONES)) return false
  const ratio = formantRatio(one, other)
  return Math.abs(semitones) >= 2 * APART_SEMITONES || (semitones > 0 ? ratio : 1 / ratio) >= APART_FORMANTS
}

/**
 * A heuristic: splits the voiced speech into turns of half a second, and the turns by pitch into two groups. Two people of
 * similar pitch look like one; one person who acts two voices looks like two.
 */
function hasSeveralSpeakers(samples: Float32Array, track: VoiceTrack): boolean {
  const turns: number[][] = []
  let turn: number[] = []
  for (const [frame, hz] of track.pitchHz.entries()) {
    if (hz > 0) turn.push(frame)
    if (turn.length < TURN_FRAMES) continue
    turns.push(turn)
    turn = []
  }
  const pitchOf = (frames: readonly number[]) =>
    Math.log2(
      percentile(
        frames.map((frame) => track.pitchHz[frame] ?? 0),
        0.5,
      ),
    )
  const groups = splitInTwo(turns, pitchOf)
  if (groups === null || Math.min(...groups.map(({ length }) => length)) < LEAST_SHARE * turns.length)
    return false
  const [lower, upper] = groups.map((group) => {
    const frames = new Set(group.flat())
    return measureTracked(samples, track, (frame) => frames.has(frame))
  })
  return lower !== undefined && upper !== undefined && differ(upper, lower)
}

/** Splits items into two groups by a value, by the method of k-means; null if all are alike. */
function splitInTwo<Item>(items: readonly Item[], valueOf: (item: Item) => number): [Item[], Item[]] | null {
  const values = items.map(valueOf)
  let centres: readonly number[] = [Math.min(...values), Math.max(...values)]
  const isUpper = (value: number) => {
    const [lower = 0, upper = 0] = centres
    return Math.abs(value - upper) < Math.abs(value - lower)
  }
  const mean = (some: readonly number[]) => some.reduce((sum, value) => sum + value, 0) / some.length
  for (let round = 0; round < 10; round++) {
    const groups = [values.filter((value) => !isUpper(value)), values.filter(isUpper)]
    if (groups.some(({ length }) => length === 0)) return null
    centres = groups.map(mean)
  }
  return [
    items.filter((_, index) => !isUpper(values[index] ?? 0)),
    items.filter((_, index) => isUpper(values[index] ?? 0)),
  ]
}
