import type { CarrierEvent } from '../carrier.ts'
import type { FrameRing } from './frame-ring.ts'

/** One call, as the media worker needs it. `id` is the worker's own name for it. */
export interface PhoneCallRequest {
  readonly id: number
  readonly to: string
  readonly ringTimeoutMs: number
  readonly maxDurationMs: number
  readonly recordingPath?: string
  readonly receiveAudio: boolean
  readonly ring: FrameRing
}

/** What the worker is started with. */
export interface MediaWorkerData {
  readonly sampleRateHz: number
  readonly ringMs: number
  /** Wall time between two frames, or `manual`: time passes only by `advance`. */
  readonly pace: { readonly frameIntervalMs: number } | 'manual'
  readonly pacingCells: Int32Array<SharedArrayBuffer>
}

/** To the worker. */
export type MediaCommand =
  | { readonly type: 'dial'; readonly request: PhoneCallRequest }
  | { readonly type: 'hang_up'; readonly id: number }
  | { readonly type: 'advance'; readonly frames: number }

/** From the worker. */
export type MediaReport =
  | { readonly type: 'event'; readonly id: number; readonly event: CarrierEvent }
  | { readonly type: 'advanced' }
