import type { Carrier, CarrierHealth } from '@vaani/telephony'
import { createIncomingCalls, createPacingCells, createThreadedCarrier } from '@vaani/telephony/line'
import type { LineOptions, LineWorkerCommand, LineWorkerData, LineWorkerReport } from './line-options.ts'

/** Settings of {@link createSipCarrier}. */
export interface SipCarrierOptions extends LineOptions {
  /** The operator's name of the trunk, by which calls show that a phone rang. */
  readonly name: string
  /** URL of the line worker's file, for a program bundled into one file. Default: the file beside this package's code. */
  readonly workerUrl?: URL
  /**
   * Gets what the line sends and receives, as lines of text: each SIP message without names, numbers and secrets, and the count of packets in
   * each second. Default: nothing is told.
   */
  readonly onTrace?: (entry: string) => void
  /** Called if the line worker crashes. Its calls end as `carrier_error`. Default: emits a process warning. */
  readonly onCrash?: (error: Error) => void
}

const SAMPLE_RATE_HZ = 16_000
/** Pause before a worker starts again that failed, because DNS did not respond, say. */
const RESTART_MS = 25_000
// The worker lies beside this file, as TypeScript source or as a build.
const DEFAULT_WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './line-worker.ts' : './line-worker.js',
  import.meta.url,
)

/**
 * Creates a carrier that places calls over a SIP trunk, and takes those of a trunk with `inbound`. Signalling and media run in a worker thread. It starts at once, to register
 * and to learn whether the trunk responds, or at the first call if neither is wanted.
 *
 * @example
 * const carrier = createSipCarrier({
 *   name: 'example-trunk',
 *   trunk: { host: 'sip.example.com', transport: 'udp', username: 'vaani', password },
 * })
 */
export function createSipCarrier(options: SipCarrierOptions): Carrier {
  const { name, workerUrl = DEFAULT_WORKER_URL, onCrash, onTrace, ...line } = options
  const pacingCells = createPacingCells()
  const { trunk } = line
  const watchesTrunk = trunk.keepAlive !== false || trunk.register === true || trunk.inbound !== undefined
  const data: LineWorkerData = {
    line,
    sampleRateHz: SAMPLE_RATE_HZ,
    pacingCells,
    isTraced: onTrace !== undefined,
  }
  let closed: PromiseWithResolvers<void> | undefined
  let health: CarrierHealth = { state: 'unknown' }

  const { carrier, post, begin, isClosing } = createThreadedCarrier<LineWorkerCommand, LineWorkerReport>({
    name,
    sampleRateHz: SAMPLE_RATE_HZ,
    worker: { url: workerUrl, data, name: `sip-line ${name}` },
    pacingCells,
    onReport(report) {
      switch (report.type) {
        case 'closed':
          return closed?.resolve()
        case 'health':
          health = report.health
          return
        case 'trace':
          return onTrace?.(report.entry)
        case 'incoming':
          return incoming.ring(report)
        case 'gone':
          return incoming.forget(report.incomingId)
      }
    },
    onCrash(error) {
      closed?.resolve()
      incoming.forgetAll()
      if (watchesTrunk) noteCrash()
      if (onCrash) onCrash(error)
      else process.emitWarning(error)
    },
    isAwaiting: () => closed !== undefined || incoming.isListening(),
    async beforeStop() {
      incoming.forgetAll()
      closed = Promise.withResolvers()
      post({ type: 'close' })
      await closed.promise
    },
  })
  const incoming = createIncomingCalls({
    answer: (request, incomingId) => begin(request, (call) => ({ type: 'answer', incomingId, call })),
    refuse: (incomingId, reason) => post({ type: 'refuse', incomingId, reason }),
  })
  const watch = (): void => {
    if (!isClosing()) post({ type: 'start' })
  }
  function noteCrash(): void {
    const hasFailed = health.state === 'down' && health.reason === 'failed'
    if (!hasFailed) health = { state: 'down', sinceMs: Date.now(), reason: 'failed' }
    setTimeout(watch, RESTART_MS).unref()
  }
  if (watchesTrunk) watch()
  return {
    ...carrier,
    health: () => health,
    hangUpLeft: (farewell) => post({ type: 'hang_up_left', farewell }),
    ...(trunk.inbound && { onIncoming: incoming.listen }),
  }
}
