import { FRAME_DURATION_MS } from '../carrier.ts'
import type { Carrier } from '../carrier.ts'
import { createThreadedCarrier } from '../line/threaded-carrier.ts'
import { createPacingCells } from '../pacing-histogram.ts'
import type { MediaCommand, MediaReport, MediaWorkerData } from './messages.ts'

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
// The worker lies beside this file, as TypeScript source or as a build.
const DEFAULT_WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './media-worker.ts' : './media-worker.js',
  import.meta.url,
)

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
  const { ringMs = 1000, workerUrl = DEFAULT_WORKER_URL } = options
  const { onCrash = (error) => process.emitWarning(error) } = options
  const pacingCells = createPacingCells()
  const advances: (() => void)[] = []
  const releaseAdvances = () => {
    for (const resolve of advances.splice(0)) resolve()
  }
  const data: MediaWorkerData = { sampleRateHz: SAMPLE_RATE_HZ, ringMs, pace, pacingCells }

  const { carrier, post, isClosing } = createThreadedCarrier<
    Extract<MediaCommand, { type: 'advance' }>,
    Extract<MediaReport, { type: 'advanced' }>
  >({
    name: 'simulator',
    sampleRateHz: SAMPLE_RATE_HZ,
    worker: { url: workerUrl, data, name: 'loopback-phone' },
    pacingCells,
    onReport: () => advances.shift()?.(),
    onCrash(error) {
      releaseAdvances()
      onCrash(error)
    },
    isAwaiting: () => advances.length > 0,
    onStopped: releaseAdvances,
  })
  const advance = (durationMs: number) =>
    new Promise<void>((resolve) => {
      if (isClosing()) return resolve()
      advances.push(resolve)
      post({ type: 'advance', frames: Math.ceil(durationMs / FRAME_DURATION_MS) })
    })
  return { carrier, advance }
}
