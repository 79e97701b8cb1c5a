import { rm } from 'node:fs/promises'
import { CarrierError } from '../carrier-error.ts'
import { FRAME_DURATION_MS } from '../carrier.ts'
import type { CallEnded, Carrier, DialRequest } from '../carrier.ts'
import { checkDialRequest } from '../check-dial-request.ts'
import { createPacingCells, takePacing } from '../pacing-histogram.ts'
import { createFrameRing, heardFrames } from './frame-ring.ts'
import type { FrameRing } from './frame-ring.ts'
import { createLoopbackCall } from './loopback-call.ts'
import type { LoopbackCall } from './loopback-call.ts'
import { createMediaThread } from './media-thread.ts'
import type { MediaReport, MediaWorkerData, PhoneCallRequest } from './messages.ts'
import { partialPath } from './wav-recorder.ts'

/** Settings of the loopback phone. */
export interface LoopbackOptions {
  /** How long the phone rings before it answers. Default 1000. */
  readonly ringMs?: number
  /** URL of the media worker's file, for a program bundled into one file. Default: the file beside this package's code. */
  readonly workerUrl?: URL
  /** Called if the media worker crashes. Its calls end as `carrier_error`. Default: emits a process warning. */
  readonly onCrash?: (error: Error) => void
}

/** A loopback phone whose time passes only by `advance`. */
export interface ManualLoopbackCarrier extends Carrier {
  /** Advances the phone's time for all calls, rounded up to whole frames of 20 ms. */
  advance(durationMs: number): Promise<void>
}

const SAMPLE_RATE_HZ = 16_000
const FRAME_SAMPLES = (SAMPLE_RATE_HZ * FRAME_DURATION_MS) / 1000
/** How far the speaker may run ahead of the listener. */
const QUEUE_MS = 3000

/**
 * Creates the loopback phone, a simulator: no real phone rings. It rings, answers and listens in real time in its own
 * thread, and records calls as 16 kHz mono WAV. At the numbers of `LOOPBACK_TEST_NUMBERS` it is busy, rejects …
 *
 * `frameIntervalMs` is the wall time of 20 ms of phone time (default 20). At 2, everything including the ringing is ten
 * times as fast, for tests of programs that use a carrier.
 *
 * @example
 * const carrier = createLoopbackCarrier()
 * const call = carrier.dial({ callId: '1', to: '+9779812345678', ringTimeoutMs: 45_000, maxDurationMs: 900_000 })
 * await call.send(new Int16Array(320))
 * await call.drained()
 * call.hangUp()
 * console.log(await call.ended)
 */
export function createLoopbackCarrier(
  options: LoopbackOptions & { readonly frameIntervalMs?: number } = {},
): Carrier {
  return createCarrier(options, { frameIntervalMs: options.frameIntervalMs ?? FRAME_DURATION_MS }).carrier
}

/**
 * Creates a loopback phone for tests. Its time passes only by `advance`, so 45 seconds of ringing take milliseconds. Its
 * clock starts at Unix time 0.
 */
export function createManualLoopbackCarrier(options: LoopbackOptions = {}): ManualLoopbackCarrier {
  const { carrier, advance } = createCarrier(options, 'manual')
  return { ...carrier, advance }
}

function createCarrier(options: LoopbackOptions, pace: MediaWorkerData['pace']) {
  const { ringMs = 1000, onCrash = (error) => process.emitWarning(error) } = options
  const pacingCells = createPacingCells()
  const calls = new Map<
    number,
    LoopbackCall & { readonly ring: FrameRing; readonly recordingPath?: string }
  >()
  const advances: (() => void)[] = []
  let lastId = 0
  let closing: Promise<void> | undefined

  const restIfIdle = () => {
    if (calls.size === 0 && advances.length === 0) thread.rest()
  }
  const onReport = (report: MediaReport) => {
    if (report.type === 'advanced') advances.shift()?.()
    else {
      calls.get(report.id)?.receive(report.event)
      if (report.event.type === 'ended') calls.delete(report.id)
    }
    restIfIdle()
  }
  const thread = createMediaThread({
    workerUrl: options.workerUrl,
    workerData: { sampleRateHz: SAMPLE_RATE_HZ, ringMs, pace, pacingCells },
    onReport,
    onCrash(error) {
      const lost = [...calls.values()]
      calls.clear()
      for (const call of lost) void endLostCall(call, onCrash)
      for (const resolve of advances.splice(0)) resolve()
      onCrash(error)
    },
  })

  const stop = async () => {
    for (const { call } of calls.values()) call.hangUp()
    await Promise.all([...calls.values()].map(({ call }) => call.ended))
    await thread.stop()
    for (const resolve of advances.splice(0)) resolve()
  }

  const carrier: Carrier = {
    name: 'simulator',
    sampleRateHz: SAMPLE_RATE_HZ,
    dial(request) {
      if (closing) throw new CarrierError('carrier_closed', 'The carrier is closed')
      checkDialRequest(request)
      const { callId, signal } = request
      const id = (lastId += 1)
      const ring = createFrameRing(RING)
      const hangUp = () => calls.has(id) && thread.post({ type: 'hang_up', id })
      const loopbackCall = createLoopbackCall({ callId, ring, requestHangUp: hangUp })
      calls.set(id, { ...loopbackCall, ring, ...recordingOf(request) })
      thread.post({ type: 'dial', request: toPhoneRequest(request, id, ring) })
      if (signal?.aborted) hangUp()
      signal?.addEventListener('abort', hangUp, { once: true })
      void loopbackCall.call.ended.then(() => signal?.removeEventListener('abort', hangUp))
      return loopbackCall.call
    },
    pacing: () => ({
      ...takePacing(pacingCells),
      calls: [...calls.values()].filter(({ ring }) => heardFrames(ring) > 0).length,
    }),
    close: () => (closing ??= stop()),
  }
  const advance = (durationMs: number) =>
    new Promise<void>((resolve) => {
      if (closing) return resolve()
      advances.push(resolve)
      thread.post({ type: 'advance', frames: Math.ceil(durationMs / FRAME_DURATION_MS) })
    })
  return { carrier, advance }
}

const RING = { frameSamples: FRAME_SAMPLES, capacityFrames: QUEUE_MS / FRAME_DURATION_MS }

const recordingOf = ({ recordingPath }: DialRequest): { recordingPath?: string } =>
  recordingPath === undefined ? {} : { recordingPath }

function toPhoneRequest(request: DialRequest, id: number, ring: FrameRing): PhoneCallRequest {
  const { to, ringTimeoutMs, maxDurationMs, receiveAudio = false } = request
  return { id, to, ringTimeoutMs, maxDurationMs, receiveAudio, ring, ...recordingOf(request) }
}

/** Ends a call whose worker has crashed, and removes its partial recording, which has no header. */
async function endLostCall(
  lost: LoopbackCall & { readonly ring: FrameRing; readonly recordingPath?: string },
  onProblem: (error: Error) => void,
): Promise<void> {
  const durationMs = heardFrames(lost.ring) * FRAME_DURATION_MS
  const ended: CallEnded = { type: 'ended', outcome: 'carrier_error', endedBy: 'carrier', durationMs }
  if (lost.recordingPath === undefined) return lost.receive(ended)
  await rm(partialPath(lost.recordingPath), { force: true }).catch(onProblem)
  lost.receive(durationMs === 0 ? ended : { ...ended, recordingFailure: 'WORKER_CRASHED' })
}
