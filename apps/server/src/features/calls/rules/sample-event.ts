import { type Call, CALL_EVENT_TYPES, type CallEventType } from '@vaani/contracts'
import type { MakeSample, Samples } from '../../webhooks/port.ts'

const sampleOf =
  (status: Call['status'], more: (at: string) => Partial<Call> = () => ({})): MakeSample =>
  ({ now, makeId, livemode }) => {
    const at = now.toISOString()
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
      ...more(at),
    }
    return { objectId: call_id, data }
  }

export const CALL_SAMPLES: Samples<CallEventType> = {
  [CALL_EVENT_TYPES.queued]: sampleOf('queued'),
  [CALL_EVENT_TYPES['in-progress']]: sampleOf('in-progress', (at) => ({ answered_at: at })),
  [CALL_EVENT_TYPES.completed]: sampleOf('completed', (at) => ({
    answered_at: at,
    duration_seconds: 12.5,
    ended_by: 'agent',
    ended_at: at,
  })),
  [CALL_EVENT_TYPES.failed]: sampleOf('failed', (at) => ({
    failure_reason: 'busy',
    sip_status: 486,
    ended_at: at,
  })),
}
