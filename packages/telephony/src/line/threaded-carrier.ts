import { rm } from 'node:fs/promises'
import { CarrierError } from '../carrier-error.ts'
import { FRAME_DURATION_MS } from '../carrier.ts'
import type { CallEnded, Carrier, DialRequest } from '../carrier.ts'
import { checkDialRequest } from '../check-dial-request.ts'
import { takePacing } from '../pacing-histogram.ts'
import { createFrameRing, heardFrames } from './frame-ring.ts'
import type { FrameRing } from './frame-ring.ts'
import { createLineCall } from './line-call.ts'
import type { LineCall } from './line-call.ts'
import { createMediaThread } from './media-thread.ts'
import type { MediaThreadWorker } from './media-thread.ts'
import type { LineCommand, LineReport, WorkerCallRequest } from './messages.ts'
import { partialPath } from './wav-recorder.ts'

/** How far the speaker may run ahead of the listener. */
const QUEUE_MS = 3000

/** A carrier whose calls live in a worker thread, where work on the main thread cannot delay a frame. */
export interface ThreadedCarrier<Command> {
  readonly carrier: Carrier
  readonly isClosing: () => boolean
  /** Sends a command that only this kind of worker knows, and starts the worker if need be. */
  post(command: Command): void
}

/** Settings of {@link createThreadedCarrier}. */
export interface ThreadedCarrierOptions<Report> {
  readonly name: string
  readonly sampleRateHz: number
  /** Started at the first call or command, and again after a crash. */
  readonly worker: MediaThreadWorker
  /** Histogram to which the worker adds the gaps between frames. */
  readonly pacingCells: Int32Array<SharedArrayBuffer>
  /** Gets the reports that only this kind of worker sends. */
  readonly onReport: (report: Report) => void
  /** Called if the worker crashes, which ends its calls as `carrier_error`, and if a partial recording cannot be removed. */
  readonly onCrash: (error: Error) => void
  /** Whether the carrier waits for a report besides the events of its calls. */
  readonly isAwaiting: () => boolean
  /** Called once when every call has ended, before a running worker is stopped. */
  readonly beforeStop?: () => Promise<void>
  /** Called once when the worker has stopped. */
  readonly onStopped?: () => void
}

interface CallInProgress extends LineCall {
  readonly ring: FrameRing
  readonly recordingPath?: string
}

/** Creates the main thread's side of a carrier. `Command` and `Report` are the messages of its worker besides those of calls. */
export function createThreadedCarrier<
  Command extends { readonly type: string },
  Report extends { readonly type: string },
>(options: ThreadedCarrierOptions<Report>): ThreadedCarrier<Command> {
  const { name, sampleRateHz, worker, pacingCells, onReport, onCrash, isAwaiting } = options
  const frameSamples = (sampleRateHz * FRAME_DURATION_MS) / 1000
  const calls = new Map<number, CallInProgress>()
  let lastId = 0
  let closing: Promise<void> | undefined

  const isEvent = (report: LineReport | Report): report is LineReport => report.type === 'event'
  const restIfIdle = () => {
    if (calls.size === 0 && !isAwaiting()) thread.rest()
  }
  const thread = createMediaThread<LineCommand | Command, LineReport | Report>({
    worker,
    onReport(report) {
      if (isEvent(report)) {
        calls.get(report.id)?.receive(report.event)
        if (report.event.type === 'ended') calls.delete(report.id)
      } else onReport(report)
      restIfIdle()
    },
    onCrash(error) {
      const lost = [...calls.values()]
      calls.clear()
      for (const call of lost) void endLostCall(call, onCrash)
      onCrash(error)
    },
  })

  const stop = async () => {
    for (const { call } of calls.values()) call.hangUp()
    await Promise.all([...calls.values()].map(({ call }) => call.ended))
    if (thread.isRunning()) await options.beforeStop?.()
    await thread.stop()
    options.onStopped?.()
  }

  const carrier: Carrier = {
    name,
    sampleRateHz,
    dial(request) {
      if (closing) throw new CarrierError('carrier_closed', 'The carrier is closed')
      checkDialRequest(request)
      const { callId, signal } = request
      const id = (lastId += 1)
      const ring = createFrameRing({ frameSamples, capacityFrames: QUEUE_MS / FRAME_DURATION_MS })
      const hangUp = () => calls.has(id) && thread.post({ type: 'hang_up', id })
      const lineCall = createLineCall({ callId, ring, requestHangUp: hangUp })
      calls.set(id, { ...lineCall, ring, ...recordingOf(request) })
      thread.post({ type: 'dial', request: toWorkerRequest(request, id, ring) })
      if (signal?.aborted) hangUp()
      signal?.addEventListener('abort', hangUp, { once: true })
      void lineCall.call.ended.then(() => signal?.removeEventListener('abort', hangUp))
      return lineCall.call
    },
    pacing: () => ({
      ...takePacing(pacingCells),
      calls: [...calls.values()].filter(({ ring }) => heardFrames(ring) > 0).length,
    }),
    close: () => (closing ??= stop()),
  }
  const post = (command: Command) => {
    thread.post(command)
    restIfIdle()
  }
  return { carrier, isClosing: () => closing !== undefined, post }
}

const recordingOf = ({ recordingPath }: DialRequest): { recordingPath?: string } =>
  recordingPath === undefined ? {} : { recordingPath }

function toWorkerRequest(request: DialRequest, id: number, ring: FrameRing): WorkerCallRequest {
  const { to, fromCallerId, ringTimeoutMs, maxDurationMs, receiveAudio = false } = request
  const from = fromCallerId === undefined ? {} : { fromCallerId }
  return { id, to, ...from, ringTimeoutMs, maxDurationMs, receiveAudio, ring, ...recordingOf(request) }
}

/** Ends a call whose worker has crashed, and removes its partial recording, which has no header. */
async function endLostCall(lost: CallInProgress, onProblem: (error: Error) => void): Promise<void> {
  const durationMs = heardFrames(lost.ring) * FRAME_DURATION_MS
  const ended: CallEnded = { type: 'ended', outcome: 'carrier_error', endedBy: 'carrier', durationMs }
  if (lost.recordingPath === undefined) return lost.receive(ended)
  await rm(partialPath(lost.recordingPath), { force: true }).catch(onProblem)
  lost.receive(durationMs === 0 ? ended : { ...ended, recordingFailure: 'WORKER_CRASHED' })
}
