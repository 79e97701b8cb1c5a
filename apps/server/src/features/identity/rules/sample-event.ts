import { type Verification, VERIFICATION_EVENT_TYPES, type VerificationEventType } from '@vaani/contracts'
import type { MakeSample, Samples } from '../../webhooks/port.ts'

const sampleOf =
  (decision: Verification['decision']): MakeSample =>
  ({ now, makeId, livemode }) => {
    const at = now.toISOString()
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

export const VERIFICATION_SAMPLES: Samples<VerificationEventType> = {
  [VERIFICATION_EVENT_TYPES.review]: sampleOf('review'),
  [VERIFICATION_EVENT_TYPES.approved]: sampleOf('approved'),
  [VERIFICATION_EVENT_TYPES.declined]: sampleOf('declined'),
}
