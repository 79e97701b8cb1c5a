import type { BatchEndpoint, BatchFailureReason, BatchStatus, Id } from '@vaani/contracts'
import type { Generated, Selectable } from 'kysely'

export interface BatchTable {
  batch_id: string
  account_id: Id<'account'>
  livemode: boolean
  /** Key that created it. */
  key_id: Id<'key'>
  endpoint: BatchEndpoint
  status: BatchStatus
  failure_reason: BatchFailureReason | null
  callback_url: string | null
  /** Sealed. */
  data_key: Buffer
  total: number
  succeeded: Generated<number>
  failed: Generated<number>
  created_at: Date
  /** When the upload was complete; null before, while no caller can see the batch. */
  received_at: Date | null
  expires_at: Date
  completed_at: Date | null
  /** Trace context of the request that created it; null unless that is sampled. */
  traceparent: string | null
}

export type BatchRow = Selectable<BatchTable>

export interface BatchRequestTable {
  batch_id: string
  position: number
  /** Sealed body; null once the request has ended. */
  request: Buffer | null
  worker_id: string | null
  /** How often it was started. */
  attempts: Generated<number>
  /** Earliest time of the next claim. */
  not_before: Generated<Date>
  /** Place among the results; null until the request has ended. */
  ended_sequence: string | null
  /** Sealed line of the results; null before the end, and if it is a blob. */
  result: Buffer | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    batches: BatchTable
    batch_requests: BatchRequestTable
  }
}
