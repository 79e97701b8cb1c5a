import { FRAME_DURATION_MS } from '../carrier.ts'
import type { CallEnded } from '../carrier.ts'
import { heardFrames, passFrame, playedFrames, playFrame, skipClearedFrames } from './frame-ring.ts'
import type { WorkerCall } from './messages.ts'
import { createPlayedStretches } from './played-stretches.ts'
import type { WavRecorder } from './wav-recorder.ts'

/** Facts about an end that the audio does not know. */
export type CallEndFacts = Omit<
  CallEnded,
  'type' | 'durationMs' | 'played' | 'recording' | 'recordingFailure'
>

/** Worker side of the frames of one call: plays them, records them, and accounts for them. It has no clock. */
export interface CallAudio {
  /** Starts counting and recording. Before it, call `wait` each 20 ms; after it, `play`. */
  answer(): void
  /** Frees the room of frames that were cleared while the call rings. */
  wait(): void
  /** Takes the next frame, or null for silence, and hands it to `hear`. The frame is valid only during the call. */
  play(hear: (frame: Int16Array | null) => void): void
  /** Lets 20 ms of silence pass while the far end hears nothing, as on hold. The frames wait. */
  pass(): void
  /** Milliseconds played since the answer. */
  heardMs(): number
  /** Does the work that can wait until every call has had its frame. */
  flush(): void
  /** Resolves when the disk has caught up. */
  written(): Promise<void>
  /** Completes the recording and returns the last event. Call it once. */
  end(facts: CallEndFacts): Promise<CallEnded>
}

/** Creates the audio of a call that rings. */
export function createCallAudio(options: {
  readonly request: Pick<WorkerCall, 'ring' | 'recordingPath'>
  readonly startRecorder: (path: string) => WavRecorder
}): CallAudio {
  const { request, startRecorder } = options
  const { ring, recordingPath } = request
  const stretches = createPlayedStretches()
  let recorder: WavRecorder | undefined
  let isAnswered = false
  const heardMs = () => heardFrames(ring) * FRAME_DURATION_MS

  return {
    answer() {
      isAnswered = true
      if (recordingPath !== undefined) recorder = startRecorder(recordingPath)
    },
    wait: () => skipClearedFrames(ring),
    play(hear) {
      playFrame(ring, (frame) => {
        recorder?.hear(frame)
        if (frame) stretches.add(playedFrames(ring), heardFrames(ring))
        hear(frame)
      })
    },
    pass() {
      passFrame(ring)
      recorder?.hear(null)
    },
    heardMs,
    flush: () => recorder?.flush(),
    async written() {
      await recorder?.written()
    },
    async end(facts) {
      const played = isAnswered ? { played: stretches.list() } : {}
      return finishRecording(
        { type: 'ended', ...facts, durationMs: heardMs(), ...played },
        recorder,
        recordingPath,
      )
    },
  }
}

/** Completes the recording of a call, if there is one, and adds it to the last event. */
export async function finishRecording(
  ended: CallEnded,
  recorder: WavRecorder | undefined,
  path: string | undefined,
): Promise<CallEnded> {
  if (!recorder || path === undefined) return ended
  const { failure } = await recorder.finish()
  if (failure !== undefined) return { ...ended, recordingFailure: failure }
  return { ...ended, recording: { path, durationMs: ended.durationMs } }
}
