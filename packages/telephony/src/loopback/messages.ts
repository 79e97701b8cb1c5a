import type { CarrierEvent } from '../carrier.ts'
import type { FrameRing } from './frame-ring.ts'

/** Request to the media worker to place one call. `id` identifies the call in messages. */
export interface PhoneCallRequest {
  readonly id: number
  readonly to: string
  readonly ringTimeoutMs: number
  readonly maxDurationMs: number
  readonly recordingPath?: string
  readonly receiveAudio: boolean
  readonly ring: FrameRing
}

/** The `workerData` of the media worker. */
export interface MediaWorkerData {
  readonly sampleRateHz: number
  readonly ringMs: number
  /** Wall time between two frames, or `manual`: time passes only by `advance`. */
  readonly pace: { readonly frameIntervalMs: number } | 'manual'
  readonly pacingCells: Int32Array<SharedArrayBuffer>
}

/** Messages to the worker. */
export type MediaCommand =
  | { readonly type: 'dial'; readonly request: PhoneCallRequest }
  | { readonly type: 'hang_up'; readonly id: number }
  | { readonly type: 'advance'; readonly frames: number }

/** Messages from the worker. */
export type MediaReport =
  | { readonly type: 'event'; readonly id: number; readonly event: CarrierEvent }
  | { readonly type: 'advanced' }
