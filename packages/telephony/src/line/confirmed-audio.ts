import { FRAME_DURATION_MS } from '../carrier.ts'
import { type CallAudio, finishRecording } from './call-audio.ts'
import { createConfirmedTimeline } from './confirmed-timeline.ts'
import {
  confirmFrames,
  frameAt,
  heardFrames,
  passFrame,
  playedFrames,
  skipClearedFrames,
} from './frame-ring.ts'
import type { WorkerCall } from './messages.ts'
import type { WavRecorder } from './wav-recorder.ts'

/** A far end that queues the frames that it gets, and says when it has played them. */
export interface BufferingFarEnd {
  /** Sends one frame, numbered among all that were sent. The frame is valid only during the call. */
  send(frame: Int16Array, number: number): void
  /** Drops the frames that were sent and not yet played. */
  clear(): void
}

/**
 * Worker side of the frames of a call whose far end confirms what it has played, as providers of media streams do. A frame counts as
 * played, and is recorded, only once it is confirmed: at the place in the call where it was sent.
 */
export interface ConfirmedAudio extends Omit<CallAudio, 'play'> {
  /** Lets 20 ms pass, and sends the next frame unless the far end is too far behind. Returns whether it sent one. */
  advance(farEnd: BufferingFarEnd): boolean
  /** Counts all frames up to this number as played. Ignores numbers that were cleared, confirmed or never sent. */
  confirm(number: number): void
  /** Milliseconds since the oldest frame was sent that is not confirmed; 0 if all are. */
  unconfirmedMs(): number
}

/** Frames that may wait at the far end: one second. More would only be heard after a `clear` that came too late. */
const LARGEST_LEAD_FRAMES = 50

/** Creates the audio of a call that rings. */
export function createConfirmedAudio(options: {
  readonly request: Pick<WorkerCall, 'ring' | 'recordingPath'>
  readonly startRecorder: (path: string) => WavRecorder
}): ConfirmedAudio {
  const { request, startRecorder } = options
  const { ring, recordingPath } = request
  let recorder: WavRecorder | undefined
  let isAnswered = false
  let sent = 0
  // The ring keeps a frame until it counts as played.
  const timeline = createConfirmedTimeline((number) =>
    recorder?.hear(number === null ? null : (frameAt(ring, number) ?? null)),
  )
  const heardMs = () => heardFrames(ring) * FRAME_DURATION_MS

  return {
    answer() {
      isAnswered = true
      if (recordingPath !== undefined) recorder = startRecorder(recordingPath)
    },
    wait: () => skipClearedFrames(ring),
    advance(farEnd) {
      passFrame(ring)
      // Beyond what was confirmed, only a clear makes frames count as played.
      const played = playedFrames(ring)
      if (timeline.forget(played)) farEnd.clear()
      sent = Math.max(sent, played)
      const frame = sent - played < LARGEST_LEAD_FRAMES ? frameAt(ring, sent) : undefined
      if (frame) farEnd.send(frame, sent)
      timeline.add(frame ? sent++ : null)
      return frame !== undefined
    },
    pass() {
      passFrame(ring)
      timeline.add(null)
    },
    confirm(number) {
      if (number >= sent || number < playedFrames(ring)) return
      timeline.confirm(number)
      confirmFrames(ring, number + 1)
    },
    unconfirmedMs: () => timeline.unsettled * FRAME_DURATION_MS,
    heardMs,
    flush: () => recorder?.flush(),
    async written() {
      await recorder?.written()
    },
    async end(facts) {
      const stretches = timeline.end()
      const played = isAnswered ? { played: stretches } : {}
      const ended = { type: 'ended', ...facts, durationMs: heardMs(), ...played } as const
      return finishRecording(ended, recorder, recordingPath)
    },
  }
}
