import type { WebhookEventType } from '@vaani/contracts'
import { LANE_FAILURES_UNTIL_OPEN } from './breaker.ts'

export interface NewDelivery {
  delivery_id: string
  account_id: string
  lane_id: string
  endpoint_id: string | null
  url: string | null
  event_id: string
  type: WebhookEventType
  object_id: string
  sequence: string
}

/** Runs a statement within a transaction. */
export type Run = (statement: {
  name: string
  text: string
  values: unknown[]
}) => Promise<{ rows: unknown[] }>

const INSERT = `
  insert into webhook_deliveries as made (delivery_id, account_id, lane_id, endpoint_id, url, event_id, event_type,
    object_id, sequence, queued_at, next_attempt_at, created_at)
  select *, $10::timestamptz, $10::timestamptz, $10::timestamptz
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[])
  returning not exists (
    select from webhook_deliveries earlier
    where earlier.lane_id = made.lane_id and earlier.object_id = made.object_id and earlier.status = 'pending'
      and earlier.sequence < made.sequence) as is_next`
/** A lane that is open waits for its time. The row is locked in each case, which `release` relies on. */
const WAKE = `
  insert into webhook_lanes (lane_id, endpoint_id, due_at)
  select lane_id, endpoint_id, $3 from unnest($1::text[], $2::text[]) as lane (lane_id, endpoint_id)
  order by lane_id
  on conflict (lane_id) do update set due_at = least(webhook_lanes.due_at, excluded.due_at)
  where webhook_lanes.failures < ${LANE_FAILURES_UNTIL_OPEN} or webhook_lanes.due_at is null`

/**
 * Writes deliveries that are due at once, and wakes their lanes.
 *
 * @returns those that need not wait for an earlier event of their object
 */
export async function insertDeliveries<Delivery extends NewDelivery>(
  run: Run,
  deliveries: readonly Delivery[],
  now: Date,
): Promise<Delivery[]> {
  const column = <Name extends keyof NewDelivery>(name: Name) => deliveries.map((delivery) => delivery[name])
  const { rows } = await run({
    name: 'webhooks.insert',
    text: INSERT,
    values: [
      column('delivery_id'),
      column('account_id'),
      column('lane_id'),
      column('endpoint_id'),
      column('url'),
      column('event_id'),
      column('type'),
      column('object_id'),
      column('sequence'),
      now,
    ],
  })
  const lanes = new Map(deliveries.map(({ lane_id, endpoint_id }) => [lane_id, endpoint_id]))
  await run({ name: 'webhooks.wake', text: WAKE, values: [[...lanes.keys()], [...lanes.values()], now] })
  // The statement saw what was there before it: of the deliveries it wrote, the first of each object is next.
  const seen = new Set<string>()
  return deliveries.filter(({ lane_id, object_id }, index) => {
    const object = `${lane_id} ${object_id}`
    if (seen.has(object)) return false
    seen.add(object)
    return (rows[index] as { is_next: boolean }).is_next
  })
}
