import { DEAD_REASONS } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import {
  type Backlog,
  backlogReader,
  latenessSeconds,
  MOST_COUNTED,
} from '@vaani/service-kit/database/read-backlog'
import { sql } from 'kysely'
import { SHARDS } from './delivery/shards/shards.ts'

const ATTEMPT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export const declareWebhookMetrics = (meter: Meter) => ({
  attempts: meter.counter({
    name: 'vaani_webhook_attempts_total',
    help: 'Delivery attempts, by the resulting state of the delivery',
    labels: { outcome: ['delivered', 'retried', 'dead'] },
  }),
  dead: meter.counter({
    name: 'vaani_webhook_dead_total',
    help: 'Deliveries that were given up',
    labels: { reason: DEAD_REASONS },
  }),
  attemptDuration: meter.histogram({
    name: 'vaani_webhook_attempt_duration_seconds',
    help: 'Duration of attempts, including signing',
    buckets: ATTEMPT_SECONDS,
  }),
  shards: meter.gauge({
    name: 'vaani_webhook_shards',
    help: `Shards, of ${SHARDS}, that this worker holds`,
  }),
  lostShards: meter.counter({
    name: 'vaani_webhook_shards_lost_total',
    help: 'Shards that this worker lost without giving them up: its lease ran out, or its session ended',
  }),
  lanes: meter.gauge({ name: 'vaani_webhook_lanes', help: 'Destinations that this worker holds' }),
  inHand: meter.gauge({
    name: 'vaani_webhook_deliveries_in_hand',
    help: 'Deliveries that this worker has read and not yet written back',
  }),
  outbox: meter.gauge({
    name: 'vaani_webhook_outbox',
    help: `New deliveries of all processes that are not yet attempted, counted up to about ${MOST_COUNTED}`,
  }),
  outboxLateness: meter.gauge({
    name: 'vaani_webhook_outbox_lateness_seconds',
    help: 'Age of the oldest new delivery',
  }),
  pending: meter.gauge({
    name: 'vaani_webhook_pending',
    help: `Deliveries of all processes that wait for another attempt, counted up to about ${MOST_COUNTED}`,
  }),
  pendingLateness: meter.gauge({
    name: 'vaani_webhook_pending_lateness_seconds',
    help: 'How long the most overdue destination has been due',
  }),
})

/** Counts of what one worker holds. */
export interface WebhookLoad {
  shards: number
  lanes: number
  inHand: number
}

export type WebhookMetrics = ReturnType<typeof declareWebhookMetrics>

/** Makes each scrape read the gauges. */
export function followDeliveries(
  metrics: WebhookMetrics,
  options: { engine: { load(): WebhookLoad }; database: Db; clock: Clock },
): void {
  const { engine, database, clock } = options
  metrics.shards.follow({}, () => engine.load().shards)
  metrics.lanes.follow({}, () => engine.load().lanes)
  metrics.inHand.follow({}, () => engine.load().inHand)
  const backlogs = [
    [metrics.outbox, metrics.outboxLateness, newDeliveries],
    [metrics.pending, metrics.pendingLateness, waitingDeliveries],
  ] as const
  for (const [count, lateness, query] of backlogs) {
    const read = backlogReader(database, query)
    count.follow({}, async () => (await read()).waiting)
    lateness.follow({}, async () => latenessSeconds(await read(), clock.nowMs()))
  }
}

const MOST_OF_SHARD = Math.ceil(MOST_COUNTED / SHARDS)
const allShards = sql`generate_series(0, ${sql.lit(SHARDS - 1)}) as held (shard)`

/** Counts new deliveries. Their positions follow each other, while the ids of their events begin with the times of older objects. */
export const newDeliveries = () => sql<Backlog>`
  with counted as materialized (
    select count(*) as waiting, (array_agg(found.event_id order by found.position))[1] as oldest_id
    from ${allShards} cross join lateral (
      select event_id, position from webhook_outbox one where one.shard = held.shard::smallint
      order by one.position limit ${MOST_OF_SHARD}
    ) found
  )
  select waiting::integer, (select created_at from events where event_id = oldest_id) as oldest from counted`

/** Counts waiting deliveries. Lateness goes by lane: a lane is due when its next attempt is, however many wait behind it. */
export const waitingDeliveries = () => sql<Backlog>`
  select (
    select count(*)::integer from ${allShards} cross join lateral (
      select from webhook_pending one where one.shard = held.shard::smallint
      order by one.expires_at limit ${MOST_OF_SHARD}
    ) found
  ) as waiting, (
    select min(found.due_at) from ${allShards} cross join lateral (
      select due_at from webhook_lanes lane where lane.shard = held.shard::smallint and lane.due_at is not null
      order by lane.due_at limit 1
    ) found
  ) as oldest`
