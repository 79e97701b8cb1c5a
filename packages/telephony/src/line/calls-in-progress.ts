import { rm } from 'node:fs/promises'
import { FRAME_DURATION_MS } from '../carrier.ts'
import type { AnswerRequest, CallEnded, CarrierCall } from '../carrier.ts'
import { createFrameRing, heardFrames } from './frame-ring.ts'
import type { FrameRing } from './frame-ring.ts'
import { createLineCall } from './line-call.ts'
import type { LineCall } from './line-call.ts'
import type { LineReport, WorkerCall } from './messages.ts'
import { partialPath } from './wav-recorder.ts'

/** How far the speaker may run ahead of the listener. */
const QUEUE_MS = 3000

/** The calls of a worker, on the main thread. */
export interface CallsInProgress {
  readonly size: number
  /** Begins a call, and hands `send` what the worker needs. */
  begin(request: AnswerRequest, send: (call: WorkerCall) => void): CarrierCall
  /** Takes an event of a call. */
  receive(report: LineReport): void
  /** Counts the calls that were answered. */
  answered(): number
  /** Hangs up all of them, and resolves when they have ended. */
  end(): Promise<void>
  /** Ends all of them, because their worker has crashed. */
  lose(onProblem: (error: Error) => void): void
}

interface CallInProgress extends LineCall {
  readonly ring: FrameRing
  readonly recordingPath?: string
}

export function createCallsInProgress(options: {
  readonly frameSamples: number
  readonly hangUp: (id: number) => void
}): CallsInProgress {
  const { frameSamples } = options
  const calls = new Map<number, CallInProgress>()
  let lastId = 0

  return {
    get size() {
      return calls.size
    },
    begin(request, send) {
      const { callId, signal, maxDurationMs, receiveAudio = false, recordingPath } = request
      const recording = recordingPath === undefined ? {} : { recordingPath }
      const id = (lastId += 1)
      const ring = createFrameRing({ frameSamples, capacityFrames: QUEUE_MS / FRAME_DURATION_MS })
      const hangUp = () => calls.has(id) && options.hangUp(id)
      const lineCall = createLineCall({ callId, ring, requestHangUp: hangUp })
      calls.set(id, { ...lineCall, ring, ...recording })
      send({ id, maxDurationMs, receiveAudio, ring, ...recording })
      if (signal?.aborted) hangUp()
      signal?.addEventListener('abort', hangUp, { once: true })
      void lineCall.call.ended.then(() => signal?.removeEventListener('abort', hangUp))
      return lineCall.call
    },
    receive({ id, event }) {
      calls.get(id)?.receive(event)
      if (event.type === 'ended') calls.delete(id)
    },
    answered: () => [...calls.values()].filter(({ ring }) => heardFrames(ring) > 0).length,
    async end() {
      for (const { call } of calls.values()) call.hangUp()
      await Promise.all([...calls.values()].map(({ call }) => call.ended))
    },
    lose(onProblem) {
      const lost = [...calls.values()]
      calls.clear()
      for (const call of lost) void endLostCall(call, onProblem)
    },
  }
}

/** Ends a call whose worker has crashed, and removes its partial recording, which has no header. */
async function endLostCall(lost: CallInProgress, onProblem: (error: Error) => void): Promise<void> {
  const durationMs = heardFrames(lost.ring) * FRAME_DURATION_MS
  const ended: CallEnded = { type: 'ended', outcome: 'carrier_error', endedBy: 'carrier', durationMs }
  if (lost.recordingPath === undefined) return lost.receive(ended)
  await rm(partialPath(lost.recordingPath), { force: true }).catch(onProblem)
  lost.receive(durationMs === 0 ? ended : { ...ended, recordingFailure: 'WORKER_CRASHED' })
}
