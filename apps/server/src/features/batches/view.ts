import type { Batch } from '@vaani/contracts'
import type { BatchRow } from './tables.ts'

export const toBatch = (row: BatchRow): Batch => ({
  batch_id: row.batch_id,
  status: row.status,
  failure_reason: row.failure_reason,
  endpoint: row.endpoint,
  livemode: row.livemode,
  counts: { total: row.total, succeeded: row.succeeded, failed: row.failed },
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
})
