import {
  type Batch,
  BATCH_EVENT_TYPES,
  type Call,
  CALL_EVENT_TYPES,
  ENDPOINT_EVENT_TYPES,
  type Verification,
  VERIFICATION_EVENT_TYPES,
  type WebhookEndpoint,
  type WebhookEventType,
} from '@vaani/contracts'
import type { IdMaker } from '@vaani/service-kit/ids'

interface Sample {
  objectId: string
  data: Batch | Call | Verification | WebhookEndpoint
}

/** Makes sample event data that is marked as a test. */
export function makeSample(options: {
  type: WebhookEventType
  now: Date
  makeId: IdMaker
  livemode: boolean
}): Sample {
  const { type, now, makeId, livemode } = options
  const at = now.toISOString()
  const call = (status: Call['status'], more: Partial<Call>): Sample => {
    const call_id = makeId('call')
    const data: Call = {
      call_id,
      status,
      to: '+9779812345678',
      agent_id: 'reminder',
      language: 'ne-NP',
      metadata: { test_event: true },
      livemode,
      carrier: 'simulator',
      created_at: at,
      ...more,
    }
    return { objectId: call_id, data }
  }
  const verification = (decision: Verification['decision']): Sample => {
    const verification_id = makeId('verification')
    const data: Verification = {
      verification_id,
      decision,
      status: decision,
      scores: {},
      reasons: [],
      model_used: null,
      external_id: 'test_event',
      livemode,
      created_at: at,
      decided_at: decision === 'review' ? null : at,
    }
    return { objectId: verification_id, data }
  }
  const batch = (status: Batch['status']): Sample => {
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
  const endpoint = (more: Partial<WebhookEndpoint>): Sample => {
    const endpoint_id = makeId('endpoint')
    const data: WebhookEndpoint = {
      endpoint_id,
      url: 'https://example.com/test_event',
      events: [CALL_EVENT_TYPES.completed],
      livemode,
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: at,
      created_at: at,
      ...more,
    }
    return { objectId: endpoint_id, data }
  }
  switch (type) {
    case CALL_EVENT_TYPES.queued:
      return call('queued', {})
    case CALL_EVENT_TYPES['in-progress']:
      return call('in-progress', {})
    case CALL_EVENT_TYPES.completed:
      return call('completed', { duration_seconds: 12.5, ended_by: 'agent', ended_at: at })
    case CALL_EVENT_TYPES.failed:
      return call('failed', { failure_reason: 'busy', ended_at: at })
    case VERIFICATION_EVENT_TYPES.review:
      return verification('review')
    case VERIFICATION_EVENT_TYPES.approved:
      return verification('approved')
    case VERIFICATION_EVENT_TYPES.declined:
      return verification('declined')
    case BATCH_EVENT_TYPES.completed:
      return batch('completed')
    case BATCH_EVENT_TYPES.failed:
      return batch('failed')
    case BATCH_EVENT_TYPES.canceled:
      return batch('canceled')
    case ENDPOINT_EVENT_TYPES.failing:
      return endpoint({})
    case ENDPOINT_EVENT_TYPES.disabled:
      return endpoint({ enabled: false, disabled_reason: 'failing', disabled_at: at })
  }
}
