import type { Carrier, CarrierHealth } from '@vaani/telephony'
import { createIncomingCalls, createPacingCells, createThreadedCarrier } from '@vaani/telephony/line'
import { LINEAR_16_KHZ, MULAW } from '../provider/encodings.ts'
import type {
  CarrierSettings,
  LineWorkerCommand,
  LineWorkerData,
  LineWorkerReport,
  ProviderAccount,
} from './line-options.ts'

/** Of what the streams of each provider carry. */
const SAMPLE_RATES_HZ: Readonly<Record<ProviderAccount['provider'], number>> = {
  twilio: MULAW.sampleRateHz,
  telnyx: MULAW.sampleRateHz,
  vonage: LINEAR_16_KHZ.sampleRateHz,
}
/** Pause before a worker starts again that failed, because its port was taken, say. */
const RESTART_MS = 25_000
// The worker lies beside this file, as TypeScript source or as a build.
const DEFAULT_WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './line-worker.ts' : './line-worker.js',
  import.meta.url,
)

/** Creates the carrier of an account. @throws TypeError if the public URL is none */
export function createProviderCarrier(
  { name, takesCalls = false, workerUrl = DEFAULT_WORKER_URL, onCrash, ...line }: CarrierSettings,
  account: ProviderAccount,
): Carrier {
  const pacingCells = createPacingCells()
  const data: LineWorkerData = {
    account,
    line: { ...line, publicUrl: normalizeUrl(line.publicUrl) },
    takesCalls,
    pacingCells,
  }
  let closed: PromiseWithResolvers<void> | undefined
  let health: CarrierHealth = { state: 'unknown' }

  const { carrier, post, begin, isClosing } = createThreadedCarrier<LineWorkerCommand, LineWorkerReport>({
    name,
    sampleRateHz: SAMPLE_RATES_HZ[account.provider],
    worker: { url: workerUrl, data, name: `${account.provider}-line ${name}` },
    pacingCells,
    onReport(report) {
      switch (report.type) {
        case 'closed':
          return closed?.resolve()
        case 'health':
          health = report.health
          return
        case 'incoming':
          return incoming.ring(report)
        case 'gone':
          return incoming.forget(report.incomingId)
      }
    },
    onCrash(error) {
      closed?.resolve()
      incoming.forgetAll()
      const hasFailed = health.state === 'down' && health.reason === 'failed'
      if (!hasFailed) health = { state: 'down', sinceMs: Date.now(), reason: 'failed' }
      setTimeout(start, RESTART_MS).unref()
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
  function start(): void {
    if (!isClosing()) post({ type: 'start' })
  }
  start()
  return { ...carrier, health: () => health, ...(takesCalls && { onIncoming: incoming.listen }) }
}

/** Returns the normal form of a URL, which Twilio signs. @throws TypeError if it is no URL */
export function normalizeUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}
