import type { CarrierEvent } from '../carrier.ts'
import type { FrameRing } from './frame-ring.ts'

/** One call of the worker. `id` identifies it in messages. */
export interface WorkerCall {
  readonly id: number
  readonly maxDurationMs: number
  readonly recordingPath?: string
  readonly receiveAudio: boolean
  readonly ring: FrameRing
}

/** Request to the worker to place one call. */
export interface WorkerCallRequest extends WorkerCall {
  readonly to: string
  readonly fromCallerId?: string
  readonly ringTimeoutMs: number
}

/** Messages that every worker of a carrier understands. */
export type LineCommand =
  | { readonly type: 'dial'; readonly request: WorkerCallRequest }
  | { readonly type: 'hang_up'; readonly id: number }

/** Messages that every worker of a carrier sends. */
export interface LineReport {
  readonly type: 'event'
  readonly id: number
  readonly event: CarrierEvent
}
