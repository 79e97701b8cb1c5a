import { type Batch, BATCH_EVENT_TYPES, type BatchEventType } from '@vaani/contracts'
import type { MakeSample, Samples } from '../../webhooks/port.ts'

const sampleOf =
  (status: Batch['status']): MakeSample =>
  ({ now, makeId, livemode }) => {
    const at = now.toISOString()
    const batch_id = makeId('batch')
    const data: Batch = {
      batch_id,
      status,
      failure_reason: status === 'failed' ? 'expired' : null,
      endpoint: '/v1/chat/completions',
      livemode,
      counts: { total: 2, succeeded: status === 'completed' ? 2 : 1, failed: 0 },
      created_at: at,
      completed_at: at,
      expires_at: at,
    }
    return { objectId: batch_id, data }
  }

export const BATCH_SAMPLES: Samples<BatchEventType> = {
  [BATCH_EVENT_TYPES.completed]: sampleOf('completed'),
  [BATCH_EVENT_TYPES.failed]: sampleOf('failed'),
  [BATCH_EVENT_TYPES.canceled]: sampleOf('canceled'),
}
