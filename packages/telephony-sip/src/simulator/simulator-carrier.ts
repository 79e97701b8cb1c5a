import { FRAME_DURATION_MS } from '@vaani/telephony'
import type { Carrier } from '@vaani/telephony'
import { createPacingCells, createThreadedCarrier } from '@vaani/telephony/line'
import type { SimulatorCommand, SimulatorReport, SimulatorWorkerData } from './messages.ts'

/** Settings of the simulator. */
export interface SimulatorOptions {
  /** How long the phone rings before it answers. Default 1000. */
  readonly ringMs?: number
  /** URL of the worker's file, for a program bundled into one file. Default: the file beside this package's code. */
  readonly workerUrl?: URL
  /** Called if the worker crashes. Its calls end as `carrier_error`. Default: emits a process warning. */
  readonly onCrash?: (error: Error) => void
}

/** A simulator whose time passes only by `advance`. */
export interface ManualSimulator extends Carrier {
  /** Advances the time for all calls, rounded up to whole frames of 20 ms. */
  advance(durationMs: number): Promise<void>
}

const SAMPLE_RATE_HZ = 16_000
// The worker lies beside this file, as TypeScript source or as a build.
const DEFAULT_WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './simulator-worker.ts' : './simulator-worker.js',
  import.meta.url,
)

/**
 * Creates the simulator, a carrier without a trunk: no real phone rings. In a thread of its own, the user agent that calls
 * over SIP trunks calls a softphone over UDP on 127.0.0.1. Records calls as 16 kHz mono WAV. At `SIMULATOR_NUMBERS` the phone is
 * busy, rejects …
 *
 * `frameIntervalMs` is the wall time of 20 ms of phone time (default 20). At 2, everything including the ringing is ten
 * times as fast, for tests of programs that use a carrier, and packets travel in memory instead.
 *
 * @example
 * const carrier = createSimulatorCarrier()
 * const call = carrier.dial({ callId: '1', to: '+9779812345678', ringTimeoutMs: 45_000, maxDurationMs: 900_000 })
 * await call.send(new Int16Array(320))
 * await call.drained()
 * call.hangUp()
 * console.log(await call.ended)
 */
export function createSimulatorCarrier(
  options: SimulatorOptions & { readonly frameIntervalMs?: number } = {},
): Carrier {
  return createCarrier(options, { frameIntervalMs: options.frameIntervalMs ?? FRAME_DURATION_MS }).carrier
}

/**
 * Creates a simulator for tests. Its time passes only by `advance`, so 45 seconds of ringing take milliseconds. Its clock
 * starts at Unix time 0, and packets travel in memory.
 */
export function createManualSimulatorCarrier(options: SimulatorOptions = {}): ManualSimulator {
  const { carrier, advance } = createCarrier(options, 'manual')
  return { ...carrier, advance }
}

function createCarrier(options: SimulatorOptions, pace: SimulatorWorkerData['pace']) {
  const { ringMs = 1000, workerUrl = DEFAULT_WORKER_URL } = options
  const { onCrash = (error) => process.emitWarning(error) } = options
  const pacingCells = createPacingCells()
  const advances: (() => void)[] = []
  const releaseAdvances = () => {
    for (const resolve of advances.splice(0)) resolve()
  }
  const data: SimulatorWorkerData = { sampleRateHz: SAMPLE_RATE_HZ, ringMs, pace, pacingCells }

  const { carrier, post, isClosing } = createThreadedCarrier<
    Extract<SimulatorCommand, { type: 'advance' }>,
    Extract<SimulatorReport, { type: 'advanced' }>
  >({
    name: 'simulator',
    sampleRateHz: SAMPLE_RATE_HZ,
    worker: { url: workerUrl, data, name: 'simulator' },
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
