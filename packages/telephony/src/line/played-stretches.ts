import { FRAME_DURATION_MS, type PlayedStretch } from '../carrier.ts'

/** Notes which of the frames that were sent are heard, and when. */
export interface PlayedStretches {
  /** Notes a frame by its number among those sent, and among all that were heard, silence included. */
  add(sent: number, heard: number): void
  list(): PlayedStretch[]
}

export function createPlayedStretches(): PlayedStretches {
  const stretches: { sent: number; heard: number; frames: number }[] = []
  return {
    add(sent, heard) {
      const last = stretches.at(-1)
      if (last && last.sent + last.frames === sent && last.heard + last.frames === heard) last.frames += 1
      else stretches.push({ sent, heard, frames: 1 })
    },
    list: () =>
      stretches.map(({ sent, heard, frames }) => ({
        sentAtMs: sent * FRAME_DURATION_MS,
        heardAtMs: heard * FRAME_DURATION_MS,
        durationMs: frames * FRAME_DURATION_MS,
      })),
  }
}
