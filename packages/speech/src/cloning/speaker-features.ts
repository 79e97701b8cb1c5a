import { type Bandwidth, cepstraOf, CEPSTRA } from './cepstra.ts'
import { FRAMES_PER_SECOND, percentile, type VoiceTrack } from './track-voice.ts'

/** Numbers that describe a stretch: the mean of each coefficient, and the median pitch in semitones. */
export const FEATURES = CEPSTRA + 1
/**
 * Voiced frames of a stretch: 0.8 s. In half as much, what is said counts for more than who says it, and twice as much is as long as a turn.
 */
const STRETCH_FRAMES = 80
/** A stretch ends sooner or later by as much as a half, where somebody pauses, because a turn ends there. */
const SHORT_PAUSE_FRAMES = 0.05 * FRAMES_PER_SECOND
const PAUSE_FRAMES = 0.25 * FRAMES_PER_SECOND
/** Frames this far below the loudest tenth have as much of the room as of the voice. */
const CLEAR_BELOW_DB = 20
/**
 * Above the band of a telephone, the voiced speech of 131 readers is 16 to 46 dB weaker, of all but three less than this; that of codecs of 8 kbit/s
 * and of telephones is 43 to 124 dB weaker.
 */
const NARROW_DROP_DB = 42

/** A stretch of voiced speech. */
export interface Stretch {
  frames: number
  /** `FEATURES` numbers each. */
  features: Readonly<Record<Bandwidth, readonly number[]>>
}

/** The voiced speech of a recording. */
export interface Spoken {
  bandwidth: Bandwidth
  stretches: readonly Stretch[]
}

/**
 * Cuts a recording into stretches of voiced speech, in their order.
 *
 * @param samples at 16 kHz, from -1 to 1
 * @param frames by default those that are clear
 */
export function spokenIn(
  samples: Float32Array,
  track: VoiceTrack,
  frames: readonly number[] = clearFrames(track),
): Spoken {
  const cepstra = cepstraOf(samples, frames)
  const stretches = cutAtPauses(frames).map(({ from, to }) => {
    const semitones = frames.slice(from, to).map((frame) => 12 * Math.log2(track.pitchHz[frame] ?? 0))
    const pitch = percentile(semitones, 0.5)
    const part = cepstra.frames.slice(from, to)
    const meansOf = (bandwidth: Bandwidth) =>
      Array.from(
        { length: CEPSTRA },
        (_, index) => part.reduce((sum, frame) => sum + (frame[bandwidth][index] ?? 0), 0) / part.length,
      )
    return {
      frames: to - from,
      features: { wide: [...meansOf('wide'), pitch], narrow: [...meansOf('narrow'), pitch] },
    }
  })
  return { bandwidth: cepstra.dropDb < NARROW_DROP_DB ? 'wide' : 'narrow', stretches }
}

/** Voiced frames that are at most so far below the loudest tenth. */
export function clearFrames({ levelDb, pitchHz }: VoiceTrack, belowDb = CLEAR_BELOW_DB): number[] {
  const least = percentile(levelDb, 0.9) - belowDb
  return Array.from(pitchHz.keys()).filter(
    (frame) => (pitchHz[frame] ?? 0) > 0 && (levelDb[frame] ?? least) > least,
  )
}

function cutAtPauses(frames: readonly number[]): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = []
  let from = 0
  for (let at = 1; at < frames.length; at++) {
    const gap = (frames[at] ?? 0) - (frames[at - 1] ?? 0)
    const length = at - from
    const isOver =
      length >= STRETCH_FRAMES
        ? gap > SHORT_PAUSE_FRAMES || length >= 2 * STRETCH_FRAMES
        : gap > PAUSE_FRAMES && length >= STRETCH_FRAMES / 2
    if (!isOver) continue
    parts.push({ from, to: at })
    from = at
  }
  const last = parts.at(-1)
  if (frames.length - from >= STRETCH_FRAMES / 2) parts.push({ from, to: frames.length })
  else if (last !== undefined) last.to = frames.length
  return parts
}
