import { FRAME_DURATION_MS } from '../carrier.ts'
import type { CarrierEvent } from '../carrier.ts'
import { heardFrames, playFrame, skipClearedFrames } from './frame-ring.ts'
import type { PhoneCallRequest } from './messages.ts'
import type { CallEnding, PhoneBehaviour } from './test-numbers.ts'
import type { WavRecorder } from './wav-recorder.ts'

/** One call at the simulated phone. It has no clock: each `tick` is one frame of phone time. */
export interface PhoneCall {
  /** Advances the call by one frame. Returns whether the phone heard a frame, of speech or of silence. */
  tick(): boolean
  /** Does the work that can wait until every call has had its frame. */
  afterTick(): void
  /** Resolves when the disk has caught up. */
  written(): Promise<void>
  hangUp(): void
}

/** Creates a call that begins to ring at its first tick. `emit` gets `ended` last, once the recording is complete. */
export function createPhoneCall(options: {
  readonly request: PhoneCallRequest
  readonly behaviour: PhoneBehaviour
  readonly ringMs: number
  readonly epochMs: () => number
  readonly startRecorder: (path: string) => WavRecorder
  readonly emit: (event: CarrierEvent) => void
}): PhoneCall {
  const { request, behaviour, ringMs, emit } = options
  const { ring } = request
  let state: 'ringing' | 'answered' | 'ended' = 'ringing'
  let rangMs = 0
  let pressed = 0
  let recorder: WavRecorder | undefined

  const end = async (ending: CallEnding) => {
    state = 'ended'
    const durationMs = heardFrames(ring) * FRAME_DURATION_MS
    const ended = { type: 'ended', ...ending, durationMs } as const
    if (!recorder || request.recordingPath === undefined) return emit(ended)
    const { failure } = await recorder.finish()
    if (failure === undefined) emit({ ...ended, recording: { path: request.recordingPath, durationMs } })
    else emit({ ...ended, recordingFailure: failure })
  }

  const answer = () => {
    state = 'answered'
    if (request.recordingPath !== undefined) recorder = options.startRecorder(request.recordingPath)
    emit({ type: 'answered', atMs: options.epochMs() })
  }

  const ringOnce = () => {
    const { refuses, neverAnswers } = behaviour
    if (refuses && !refuses.rings) return void end(refuses.ending)
    if (rangMs === 0) emit({ type: 'ringing' })
    skipClearedFrames(ring)
    rangMs += FRAME_DURATION_MS
    if (!neverAnswers && rangMs >= ringMs) return refuses ? void end(refuses.ending) : answer()
    // A trunk responds 487 to the INVITE of a caller that gave up and sent CANCEL.
    if (rangMs >= request.ringTimeoutMs) void end({ outcome: 'no_answer', endedBy: 'agent', sipStatus: 487 })
  }

  const hear = (frame: Int16Array | null) => {
    recorder?.hear(frame)
    if (!request.receiveAudio) return
    const samples = new Int16Array(ring.frameSamples)
    if (frame && behaviour.echoes) samples.set(frame)
    emit({ type: 'audio', samples })
  }

  const actAt = (answeredMs: number) => {
    const { presses, ends } = behaviour
    const digit = presses?.digits[pressed]
    if (presses && digit !== undefined && answeredMs >= presses.afterMs + pressed * presses.everyMs) {
      pressed += 1
      emit({ type: 'dtmf', digit })
    }
    if (ends && answeredMs >= ends.afterMs) void end(ends.ending)
    else if (answeredMs >= request.maxDurationMs) {
      void end({ outcome: 'duration_limit', endedBy: 'duration_limit' })
    }
  }

  return {
    tick() {
      if (state === 'ringing') ringOnce()
      else if (state === 'answered') {
        playFrame(ring, hear)
        actAt(heardFrames(ring) * FRAME_DURATION_MS)
        return true
      }
      return false
    },
    afterTick: () => recorder?.flush(),
    async written() {
      await recorder?.written()
    },
    hangUp() {
      if (state === 'ended') return
      void end({ outcome: state === 'ringing' ? 'canceled' : 'completed', endedBy: 'agent' })
    },
  }
}
