import { ENVELOPE_POINTS, longTermEnvelope, octaves } from './long-term-envelope.ts'
import { FRAMES_PER_SECOND, percentile, trackVoice, type VoiceTrack } from './track-voice.ts'

/** What makes a voice, as far as it is measured here. */
export interface VoiceMeasure {
  /** Median fundamental frequency. */
  pitchHz: number
  /** From the 10th to the 90th percentile of the pitch. */
  rangeSemitones: number
  /** Slope of the spectrum of voiced speech, in dB per octave from 200 to 6000 Hz. */
  tiltDbPerOctave: number
  /** Syllables per second of speech, without its pauses. */
  syllablesPerSecond: number
  voicedSeconds: number
  /** Spectral envelope of voiced speech, in dB, its mean and its tilt removed. */
  formantsDb: readonly number[]
}

/** A pause is longer than the closure of a plosive. */
const PAUSE_FRAMES = 20
/** Frames this far below the loudest tenth are silence. */
const SPEECH_BELOW_DB = 25
/** Syllables are peaks of the level with a dip of 2 dB before them (de Jong and Wempe, Behavior Research Methods 2009). */
const DIP_DB = 2
/** A nucleus is voiced within this many frames of its peak. */
const NUCLEUS_FRAMES = 4
/** Frames that smooth the level, to each side. */
const SMOOTHING_FRAMES = 2

/** Measures a voice. @param samples at 16 kHz, from -1 to 1; some seconds of speech */
export const measureVoice = (samples: Float32Array): VoiceMeasure =>
  measureTracked(samples, trackVoice(samples))

function measureTracked(
  samples: Float32Array,
  track: VoiceTrack,
  isWanted?: (frame: number) => boolean,
): VoiceMeasure {
  const voiced = track.pitchHz.filter((hz, frame) => hz > 0 && isWanted?.(frame) !== false)
  const { slope, rest } = splitTilt(longTermEnvelope(samples, track, isWanted))
  return {
    pitchHz: percentile(voiced, 0.5),
    rangeSemitones: 12 * Math.log2(percentile(voiced, 0.9) / percentile(voiced, 0.1)),
    tiltDbPerOctave: slope,
    syllablesPerSecond: syllableRate(track),
    voicedSeconds: voiced.length / FRAMES_PER_SECOND,
    formantsDb: Array.from(rest, (value) => Math.round(value * 100) / 100),
  }
}

/** Fits a line to a part of an envelope, by least squares, and returns its slope per octave and what is left. */
function splitTilt(envelopeDb: ArrayLike<number>): { slope: number; rest: Float64Array } {
  const values = Float64Array.from(envelopeDb)
  const middle = (values.length - 1) / 2
  let mean = 0
  let product = 0
  let square = 0
  for (const [point, value] of values.entries()) {
    mean += value / values.length
    product += value * (point - middle)
    square += (point - middle) ** 2
  }
  const perPoint = product / square
  return {
    slope: perPoint / octaves(1),
    rest: values.map((value, point) => value - mean - perPoint * (point - middle)),
  }
}

function syllableRate({ levelDb, pitchHz }: VoiceTrack): number {
  const floor = percentile(levelDb, 0.9) - SPEECH_BELOW_DB
  const smooth = levelDb.map((_, frame) => {
    const part = levelDb.subarray(Math.max(0, frame - SMOOTHING_FRAMES), frame + SMOOTHING_FRAMES + 1)
    return part.reduce((sum, level) => sum + level, 0) / part.length
  })
  let syllables = 0
  let lowest = Number.NEGATIVE_INFINITY
  let speech = 0
  let silent = PAUSE_FRAMES
  for (const [frame, level] of smooth.entries()) {
    silent = level < floor ? silent + 1 : 0
    if (silent <= PAUSE_FRAMES) speech++
    // The closure that began a pause was counted.
    if (silent === PAUSE_FRAMES + 1) speech -= PAUSE_FRAMES
    lowest = Math.min(lowest, level)
    const isPeak = level >= (smooth[frame - 1] ?? 0) && level > (smooth[frame + 1] ?? 0)
    if (!isPeak || level < floor || level - lowest < DIP_DB) continue
    if (
      !pitchHz.subarray(Math.max(0, frame - NUCLEUS_FRAMES), frame + NUCLEUS_FRAMES + 1).some((hz) => hz > 0)
    )
      continue
    syllables++
    lowest = level
  }
  return speech === 0 ? 0 : (syllables * FRAMES_PER_SECOND) / speech
}

/** Factors of the length of the vocal tract that are tried. A man's is about a fifth longer than a woman's. */
const WARPS = Array.from({ length: 29 }, (_, index) => (36 + index) / 50)
/** Keeps a weak likeness from giving an extreme factor: dB per octave squared. */
const PRIOR = 3

/**
 * Estimates by which factor the formants of a voice lie above those of another: the shift at which their envelopes are most
 * alike.
 */
export function formantRatio(voice: VoiceMeasure, base: VoiceMeasure): number {
  let best = 1
  let least = Number.POSITIVE_INFINITY
  for (const warp of WARPS) {
    const difference = warpedDifference(voice, base, warp) + PRIOR * Math.log2(warp) ** 2
    if (difference >= least) continue
    least = difference
    best = warp
  }
  return best
}

/** Root mean square of the difference in dB, without its tilt, where both envelopes are known. */
function warpedDifference(voice: VoiceMeasure, base: VoiceMeasure, warp: number): number {
  const shift = Math.log2(warp) / octaves(1)
  const from = Math.max(0, Math.ceil(shift))
  const to = Math.min(ENVELOPE_POINTS, Math.floor(ENVELOPE_POINTS + shift) - 1)
  const differences: number[] = []
  for (let point = from; point < to; point++) {
    const at = point - shift
    const below = Math.floor(at)
    const [lower = 0, upper = 0] = [base.formantsDb[below], base.formantsDb[below + 1]]
    differences.push((voice.formantsDb[point] ?? 0) - lower - (upper - lower) * (at - below))
  }
  const { rest } = splitTilt(differences)
  return Math.sqrt(rest.reduce((sum, value) => sum + value ** 2, 0) / rest.length)
}
