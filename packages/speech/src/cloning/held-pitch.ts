import { clearFrames } from './speaker-features.ts'
import { FRAMES_PER_SECOND, type VoiceTrack } from './track-voice.ts'

/** Below that much less than the loudest tenth, a hum or the echo of a room has as much pitch as a voice. */
const LOUD_BELOW_DB = 12
/** A pitch is held while it moves by less than `HELD_SEMITONES` within that time. */
const STEP_FRAMES = 0.05 * FRAMES_PER_SECOND
const HELD_SEMITONES = 0.15

/**
 * Computes for how much of its voiced time a recording holds its pitch. Speech glides; strings, pipes,
 * machines and singers hold a tone until the next one.
 *
 * @returns from 0 to 1; 0 if there is no pitch
 */
export function heldPitchShare(track: VoiceTrack): number {
  const clear = new Set(clearFrames(track, LOUD_BELOW_DB))
  const moves: number[] = []
  let run = 0
  for (const [frame, hz] of track.pitchHz.entries()) {
    run = clear.has(frame) ? run + 1 : 0
    if (run > STEP_FRAMES)
      moves.push(Math.abs(12 * Math.log2(hz / (track.pitchHz[frame - STEP_FRAMES] ?? hz))))
  }
  return moves.length === 0 ? 0 : moves.filter((move) => move < HELD_SEMITONES).length / moves.length
}
