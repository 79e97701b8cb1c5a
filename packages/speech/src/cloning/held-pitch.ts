import { clearFrames } from './speaker-features.ts'
import { FRAMES_PER_SECOND, type VoiceTrack } from './track-voice.ts'

/** Over this time a pitch is held if it moves by less than that. */
const STEP_FRAMES = 0.05 * FRAMES_PER_SECOND
const HELD_SEMITONES = 0.15

/**
 * Computes for how much of its voiced time a recording holds its pitch. A voice that speaks always glides; strings, pipes and
 * machines hold a tone until the next one.
 *
 * @returns from 0 to 1; 0 if there is no pitch
 */
export function heldPitchShare(track: VoiceTrack): number {
  const clear = new Set(clearFrames(track))
  const moves: number[] = []
  let run = 0
  for (const [frame, hz] of track.pitchHz.entries()) {
    run = clear.has(frame) ? run + 1 : 0
    if (run > STEP_FRAMES)
      moves.push(Math.abs(12 * Math.log2(hz / (track.pitchHz[frame - STEP_FRAMES] ?? hz))))
  }
  return moves.length === 0 ? 0 : moves.filter((move) => move < HELD_SEMITONES).length / moves.length
}
