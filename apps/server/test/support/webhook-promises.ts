import type { Pool } from 'pg'
import { expect } from 'vitest'
import type { Fleet } from './webhook-fleet.ts'
import type { Promised } from './webhook-load.ts'
import { until } from '@vaani/test-services/until'

interface DeliveryRow {
  event_id: string
  object_id: string
  type: string
  sequence: string
  body: string
  path: string
  status: string
  dead_reason: string | null
  attempt_count: number
  recorded: number
}

/** All deliveries, pending and ended. */
const DELIVERIES = `
  select e.event_id, e.object_id, e.type, e.sequence, e.body, regexp_replace(w.url, '^http://[^/]+', '') as path,
    d.status, d.dead_reason, d.attempt_count, jsonb_array_length(d.attempts) as recorded
  from (
    select event_id, endpoint_id, status, dead_reason, attempt_count, attempts from webhook_deliveries
    union all
    select event_id, endpoint_id, 'pending', null, attempt_count, attempts from webhook_pending
  ) d join events e using (event_id) join webhook_endpoints w using (endpoint_id)
  order by e.sequence`
const OPEN = `
  select (select count(*)::int from webhook_outbox) as outbox,
    (select count(*)::int from webhook_pending) as pending`
/** Deliveries whose lane is never due, or whose object has no delivery marked as next. */
const STUCK = `
  select p.delivery_id from webhook_pending p left join webhook_lanes l using (lane_id)
    join webhook_endpoints w on w.endpoint_id = p.endpoint_id
  where w.enabled and (l.due_at is null or not exists (
    select from webhook_pending first where first.lane_id = p.lane_id and first.object_id = p.object_id
      and first.is_next and first.sequence <= p.sequence))`

/** Checks that every pending delivery is on a lane that comes due, and becomes the next of its object. */
export async function expectNothingStuck(pool: Pool): Promise<void> {
  const { rows } = await pool.query(STUCK)
  expect(rows).toEqual([])
}

/** Pending deliveries with their lanes and shards. */
const WAITING = `
  select p.attempt_count, p.is_next, p.next_attempt_at - now() as due_in, l.failures, l.open_until - now() as open_for,
    l.due_at - now() as lane_due_in, s.worker_id is not null as is_held, now() - p.queued_at as queued_for
  from webhook_pending p left join webhook_lanes l using (lane_id) left join webhook_shards s using (shard) limit 5`

/** Waits until the outbox is empty and no delivery is pending. */
export async function untilAllEnded(pool: Pool, withinMs = 60_000): Promise<void> {
  const read = async () => (await pool.query<{ outbox: number; pending: number }>(OPEN)).rows[0]
  try {
    await until(read, (open) => open?.outbox === 0 && open.pending === 0, { withinMs })
  } catch (error) {
    const { rows } = await pool.query(WAITING)
    throw new Error(`Still pending: ${JSON.stringify(rows)}`, { cause: error })
  }
}

/** Checks the webhook guarantees after all deliveries have ended, by comparing the database with the receiver. */
export async function expectPromisesKept({ pool, receiver }: Fleet, promised: Promised): Promise<void> {
  await expectNothingStuck(pool)
  const { rows: deliveries } = await pool.query<DeliveryRow>(DELIVERIES)
  const key = (path: string, eventId: string) => `${path} ${eventId}`

  const made = new Set(
    deliveries.flatMap(({ event_id, object_id, type }) => [event_id, `${object_id} ${type}`]),
  )
  const lost = [
    ...promised.testEventIds,
    ...[...promised.placedCallIds].map((callId) => `${callId} call.queued`),
    ...[...promised.canceledCallIds].map((callId) => `${callId} call.failed`),
  ].filter((event) => !made.has(event))
  expect(lost).toEqual([])

  const received = Map.groupBy(receiver.deliveries, ({ path, event }) => key(path, event.event_id))
  const acceptedAt = new Map<string, number>()
  receiver.accepted.forEach(({ path, event }, index) => {
    const which = key(path, event.event_id)
    if (!acceptedAt.has(which)) acceptedAt.set(which, index)
  })
  for (const delivery of deliveries) {
    const attempts = received.get(key(delivery.path, delivery.event_id)) ?? []
    if (delivery.status === 'dead') expect(delivery.dead_reason).not.toBeNull()
    else expect(acceptedAt.has(key(delivery.path, delivery.event_id)), delivery.event_id).toBe(true)
    // An attempt may be missing if its sender died before recording it, but every recorded attempt was made.
    expect(delivery.attempt_count, delivery.event_id).toBeLessThanOrEqual(attempts.length)
    expect(delivery.recorded).toBe(delivery.attempt_count)
    for (const { headers, body } of attempts) {
      expect(headers['webhook-id']).toBe(delivery.event_id)
      expect(body.toString()).toBe(delivery.body)
    }
  }
  // The receiver got nothing else.
  const known = new Set(deliveries.map(({ path, event_id }) => key(path, event_id)))
  expect([...received.keys()].filter((which) => !known.has(which))).toEqual([])

  const ofObjects = Map.groupBy(
    deliveries.filter(({ path, event_id }) => acceptedAt.has(key(path, event_id))),
    ({ path, object_id }) => key(path, object_id),
  )
  for (const [object, inOrder] of ofObjects) {
    const places = inOrder.map(({ path, event_id }) => acceptedAt.get(key(path, event_id)) ?? -1)
    expect(places, object).toEqual(places.toSorted((one, other) => one - other))
  }
}
