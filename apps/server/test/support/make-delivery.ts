import { firstIdAt } from '@vaani/service-kit/ids'
import type { Delivery, LaneRow } from '../../src/features/webhooks/delivery/lanes/delivery.ts'

/** A new delivery of an event at this position of the outbox. */
export const makeDelivery = (
  position: string,
  { laneId = 'lane', objectId = 'call' }: { laneId?: string; objectId?: string } = {},
): Delivery => ({
  delivery_id: `delivery ${position}`,
  lane_id: laneId,
  account_id: firstIdAt('account', 0),
  livemode: false,
  endpoint_id: laneId,
  url: 'https://example.com/',
  event_id: `event ${position}`,
  event_type: 'call.queued',
  object_id: objectId,
  sequence: position,
  body: '{}',
  late_field: null,
  traceparent: null,
  secret_version: 1,
  round_attempts: 0,
  first_attempt_at: null,
  createdMs: 0,
  place: { table: 'webhook_outbox', shard: 0, position },
})

/** The row of a lane in use. */
export const makeLaneRow = (laneId = 'lane'): LaneRow => ({
  lane_id: laneId,
  shard: 0,
  state: 'in_use',
  failures: 0,
  failing_since: null,
  warned_at: null,
})
