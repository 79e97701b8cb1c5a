import type { LineCommand, LineReport } from '@vaani/telephony/line'

/** The `workerData` of the simulator's worker. */
export interface SimulatorWorkerData {
  readonly sampleRateHz: number
  readonly ringMs: number
  /** Wall time between two frames, or `manual`: time passes only by `advance`. */
  readonly pace: { readonly frameIntervalMs: number } | 'manual'
  readonly pacingCells: Int32Array<SharedArrayBuffer>
}

/** Messages to the worker. */
export type SimulatorCommand = LineCommand | { readonly type: 'advance'; readonly frames: number }

/** Messages from the worker. */
export type SimulatorReport = LineReport | { readonly type: 'advanced' }
