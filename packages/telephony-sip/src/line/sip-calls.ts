import type { CarrierEvent } from '@vaani/telephony'
import { addGap, createCallAudio, createWavRecorder } from '@vaani/telephony/line'
import type { CallAudio, WorkerCall } from '@vaani/telephony/line'
import type { Clock } from '../clock.ts'
import type { MediaSession } from '../media/media-session.ts'
import type { AudioDescription } from '../sdp/description.ts'
import { type FarEnd, SipCall } from './sip-call.ts'

/** All calls of one line worker. */
export interface SipCalls {
  begin(request: WorkerCall, farEnd: FarEnd): void
  hangUp(id: number): void
  /** Advances every call by 20 ms: all of them send theirs before any does work that can wait. */
  tick(): void
  /** Resolves when every recording has caught up. Only time that runs faster than real time must wait for the disk. */
  written(): Promise<void>
}

export interface SipCallsOptions {
  readonly sampleRateHz: number
  readonly openMedia: () => Promise<MediaSession>
  readonly describe: (media: MediaSession) => AudioDescription
  readonly clock: Pick<Clock, 'nowMs'>
  readonly epochMs: () => number
  readonly pacingCells: Int32Array<SharedArrayBuffer>
  /** Whether the answer tells how another process can hang up. */
  readonly tellsFarewell?: boolean
  readonly emit: (id: number, event: CarrierEvent) => void
  /** Called when the last call has ended. */
  readonly onIdle: () => void
}

interface CallInProgress {
  readonly call: SipCall
  readonly audio: CallAudio
  sentAtMs?: number
}

/** Creates the calls of a line, none at first. */
export function createSipCalls(options: SipCallsOptions): SipCalls {
  const { sampleRateHz, openMedia, describe, clock, epochMs, pacingCells, emit, onIdle } = options
  const { tellsFarewell = false } = options
  const calls = new Map<number, CallInProgress>()

  return {
    begin(request, farEnd) {
      const { id } = request
      const { frameSamples } = request.ring
      const audio = createCallAudio({
        request,
        startRecorder: (path) => createWavRecorder({ path, sampleRateHz, frameSamples }),
      })
      const call = new SipCall({
        request,
        farEnd,
        openMedia,
        describe,
        audio,
        epochMs,
        tellsFarewell,
        emit(event) {
          emit(id, event)
          if (event.type === 'ended' && calls.delete(id) && calls.size === 0) onIdle()
        },
      })
      calls.set(id, { call, audio })
    },
    hangUp: (id) => calls.get(id)?.call.hangUp(),
    tick() {
      for (const call of calls.values()) {
        if (!call.call.tick()) continue
        const nowMs = clock.nowMs()
        if (call.sentAtMs !== undefined) addGap(pacingCells, nowMs - call.sentAtMs)
        call.sentAtMs = nowMs
      }
      for (const { audio } of calls.values()) audio.flush()
    },
    async written() {
      await Promise.all([...calls.values()].map(({ audio }) => audio.written()))
    },
  }
}
