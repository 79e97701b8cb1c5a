import { CarrierError } from '../carrier-error.ts'
import { FRAME_DURATION_MS } from '../carrier.ts'
import type { AnswerRequest, Carrier, CarrierCall } from '../carrier.ts'
import { checkDialRequest, checkLimits } from '../check-dial-request.ts'
import { takePacing } from '../pacing-histogram.ts'
import { createCallsInProgress } from './calls-in-progress.ts'
import { createMediaThread } from './media-thread.ts'
import type { MediaThreadWorker } from './media-thread.ts'
import type { LineCommand, LineReport, WorkerCall } from './messages.ts'

/** A carrier whose calls live in a worker thread, where work on the main thread cannot delay a frame. */
export interface ThreadedCarrier<Command> {
  readonly carrier: Carrier
  readonly isClosing: () => boolean
  /** Sends a command that only this kind of worker knows, and starts the worker if need be. */
  post(command: Command): void
  /**
   * Begins a call that the carrier does not dial.
   *
   * @throws CarrierError
   */
  begin(request: AnswerRequest, toCommand: (call: WorkerCall) => Command): CarrierCall
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

/** Creates the main thread's side of a carrier. `Command` and `Report` are the messages of its worker besides those of calls. */
export function createThreadedCarrier<
  Command extends { readonly type: string },
  Report extends { readonly type: string },
>(options: ThreadedCarrierOptions<Report>): ThreadedCarrier<Command> {
  const { name, sampleRateHz, worker, pacingCells, onReport, onCrash, isAwaiting } = options
  const frameSamples = (sampleRateHz * FRAME_DURATION_MS) / 1000
  const calls = createCallsInProgress({ frameSamples, hangUp: (id) => thread.post({ type: 'hang_up', id }) })
  let closing: Promise<void> | undefined

  const isEvent = (report: LineReport | Report): report is LineReport => report.type === 'event'
  const restIfIdle = () => {
    if (calls.size === 0 && !isAwaiting()) thread.rest()
  }
  const thread = createMediaThread<LineCommand | Command, LineReport | Report>({
    worker,
    onReport(report) {
      if (isEvent(report)) calls.receive(report)
      else onReport(report)
      restIfIdle()
    },
    onCrash(error) {
      calls.lose(onCrash)
      onCrash(error)
    },
  })

  const stop = async () => {
    await calls.end()
    if (thread.isRunning()) await options.beforeStop?.()
    await thread.stop()
    options.onStopped?.()
  }
  const refuseIfClosed = () => {
    if (closing) throw new CarrierError('carrier_closed', 'The carrier is closed')
  }

  const carrier: Carrier = {
    name,
    sampleRateHz,
    dial(request) {
      refuseIfClosed()
      checkDialRequest(request)
      const { to, fromCallerId, ringTimeoutMs } = request
      const number = { to, ...(fromCallerId !== undefined && { fromCallerId }), ringTimeoutMs }
      return calls.begin(request, (call) => thread.post({ type: 'dial', request: { ...call, ...number } }))
    },
    pacing: () => ({ ...takePacing(pacingCells), calls: calls.answered() }),
    close: () => (closing ??= stop()),
  }
  return {
    carrier,
    isClosing: () => closing !== undefined,
    post(command) {
      thread.post(command)
      restIfIdle()
    },
    begin(request, toCommand) {
      refuseIfClosed()
      checkLimits({ maxDurationMs: request.maxDurationMs })
      return calls.begin(request, (call) => thread.post(toCommand(call)))
    },
  }
}
