import type { Carrier, CarrierHealth } from '@vaani/telephony'
import { createPacingCells, createThreadedCarrier } from '@vaani/telephony/line'
import { isAccountSid } from '../twilio/sids.ts'
import type { LineWorkerCommand, LineWorkerData, LineWorkerReport, TwilioLine } from './line-options.ts'

/** Settings of {@link createTwilioCarrier}. */
export interface TwilioCarrierOptions extends TwilioLine {
  /** The operator's name of the line, by which calls show that a phone rang. */
  readonly name: string
  /** URL of the line worker's file, for a program bundled into one file. Default: the file beside this package's code. */
  readonly workerUrl?: URL
  /** Called if the line worker crashes, say because its port is taken. Its calls end as `carrier_error`, and it starts again after 25 seconds. Default: emits a process warning. */
  readonly onCrash?: (error: Error) => void
}

/** Of Media Streams: G.711 μ-law. */
const SAMPLE_RATE_HZ = 8000
/** Pause before a worker starts again that failed, because its port was taken, say. */
const RESTART_MS = 25_000
// The worker lies beside this file, as TypeScript source or as a build.
const DEFAULT_WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './line-worker.ts' : './line-worker.js',
  import.meta.url,
)

/**
 * Creates a carrier that places calls by Twilio's REST API and carries the voice over its Media Streams. Requests, the listener and the media run in
 * a worker thread, which starts at once, to learn whether Twilio answers.
 *
 * @throws TypeError if the account SID or a URL is none
 * @example
 * const carrier = createTwilioCarrier({
 *   name: 'twilio',
 *   accountSid: 'AC…',
 *   authToken,
 *   callerId: '+15017122661',
 *   publicUrl: 'https://voice.example.com',
 *   listen: { address: '127.0.0.1', port: 8090 },
 * })
 */
export function createTwilioCarrier(options: TwilioCarrierOptions): Carrier {
  const { name, workerUrl = DEFAULT_WORKER_URL, onCrash, ...line } = options
  const pacingCells = createPacingCells()
  const data: LineWorkerData = { line: checkLine(line), sampleRateHz: SAMPLE_RATE_HZ, pacingCells }
  let closed: PromiseWithResolvers<void> | undefined
  let health: CarrierHealth = { state: 'unknown' }

  const { carrier, post, isClosing } = createThreadedCarrier<LineWorkerCommand, LineWorkerReport>({
    name,
    sampleRateHz: SAMPLE_RATE_HZ,
    worker: { url: workerUrl, data, name: `twilio-line ${name}` },
    pacingCells,
    onReport(report) {
      switch (report.type) {
        case 'closed':
          return closed?.resolve()
        case 'health':
          health = report.health
      }
    },
    onCrash(error) {
      closed?.resolve()
      const hasFailed = health.state === 'down' && health.reason === 'failed'
      if (!hasFailed) health = { state: 'down', sinceMs: Date.now(), reason: 'failed' }
      setTimeout(start, RESTART_MS).unref()
      if (onCrash) onCrash(error)
      else process.emitWarning(error)
    },
    isAwaiting: () => closed !== undefined,
    async beforeStop() {
      closed = Promise.withResolvers()
      post({ type: 'close' })
      await closed.promise
    },
  })
  function start(): void {
    if (!isClosing()) post({ type: 'start' })
  }
  start()
  return { ...carrier, health: () => health }
}

function checkLine(line: TwilioLine): TwilioLine {
  // It becomes a part of URLs.
  if (!isAccountSid(line.accountSid)) throw new TypeError('`accountSid` must be AC and 32 hexadecimal digits')
  const publicUrl = normalizeUrl(line.publicUrl)
  return { ...line, publicUrl, ...(line.apiUrl !== undefined && { apiUrl: normalizeUrl(line.apiUrl) }) }
}

/** Twilio signs the normal form of a URL. @throws TypeError if it is no URL */
function normalizeUrl(text: string): string {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}
