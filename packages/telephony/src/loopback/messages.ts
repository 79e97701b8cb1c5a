import type { LineCommand, LineReport } from '../line/messages.ts'

/** The `workerData` of the media worker. */
export interface MediaWorkerData {
  readonly sampleRateHz: number
  readonly ringMs: number
  /** Wall time between two frames, or `manual`: time passes only by `advance`. */
  readonly pace: { readonly frameIntervalMs: number } | 'manual'
  readonly pacingCells: Int32Array<SharedArrayBuffer>
}

/** Messages to the worker. */
export type MediaCommand = LineCommand | { readonly type: 'advance'; readonly frames: number }

/** Messages from the worker. */
export type MediaReport = LineReport | { readonly type: 'advanced' }
