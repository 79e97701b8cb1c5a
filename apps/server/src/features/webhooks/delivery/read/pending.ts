import type { DeadReason, WebhookEventType } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import { inTransaction } from '@vaani/service-kit/database/transaction'
import type { Pool } from 'pg'
import { LANE_FAILURES_UNTIL_OPEN } from '../../rules/breaker.ts'
import {
  type Delivery,
  ENDPOINT_COLUMNS,
  type LaneRow,
  leftJoinEndpoint,
  looksUp,
} from '../lanes/delivery.ts'
import {
  endPending,
  KEY_TYPES,
  lockLanes,
  type PendingKey,
  type Run,
  SAME_KEY,
} from '../settle/pending-rows.ts'

export interface ReleasedLane {
  laneId: string
  failures: number
  /** When to try an open lane again, in milliseconds since the epoch; null if it is not open. */
  openUntilMs: number | null
}

/** Deliveries that wait in the database and the lanes that they wait on. */
export interface PendingStore {
  /** Reads the lanes of these shards that are due. */
  readDueLanes(shards: readonly number[]): Promise<LaneRow[]>
  /** Reads up to `room` due deliveries of each lane, except those in hand. */
  readDue(wanted: readonly { laneId: string; room: number; inHand: readonly string[] }[]): Promise<Delivery[]>
  /** Releases lanes until their next delivery is due. */
  release(lanes: readonly ReleasedLane[]): Promise<void>
  /**
   * Ends one batch of deliveries of these shards whose retry window is over. A delivery that was never attempted ends only
   * if its lane keeps failing or its endpoint is disabled.
   *
   * @returns the deliveries that ended
   */
  expire(shards: readonly number[], inHand: ReadonlySet<string>): Promise<EndedDelivery[]>
  /** Ends one batch of deliveries to a deleted endpoint. */
  endDeleted(laneId: string): Promise<EndedDelivery[]>
  /** Ends one batch of all deliveries, after a restore. */
  endRestored(): Promise<EndedDelivery[]>
}

export interface EndedDelivery extends PendingKey {
  lane_id: string
}

const BATCH = 500
const LANES_OF_SHARD = 2048
const HOUR_MS = 3_600_000

const DUE_LANES = `
  select due.lane_id, due.shard, due.failures, ${ENDPOINT_COLUMNS}
  from unnest($1::smallint[]) as held (shard) cross join lateral (
    select * from webhook_lanes lane where lane.shard = held.shard and lane.due_at <= $2
    order by lane.due_at limit ${LANES_OF_SHARD}
  ) due
  ${leftJoinEndpoint('due.lane_id')}`
const DUE = `
  select due.delivery_id, due.lane_id, due.account_id, due.livemode, due.endpoint_id, coalesce(endpoint.url, due.url) as url,
    due.event_id, due.event_type, due.object_id, due.sequence, event.body, event.late_field, event.traceparent,
    secret.version as secret_version, due.round_attempts, due.first_attempt_at, due.created_at
  from (
    select lane_id, room, in_hand::text[] from unnest($1::text[], $2::integer[], $3::text[])
      as wanted (lane_id, room, in_hand) offset 0
  ) wanted cross join lateral (
    select * from webhook_pending one
    where one.lane_id = wanted.lane_id and one.is_next and one.next_attempt_at <= $4
      and one.delivery_id <> all (wanted.in_hand)
    order by one.next_attempt_at, one.sequence limit wanted.room
  ) due
  cross join lateral (select body, late_field, traceparent from events one where one.event_id = due.event_id limit 1) event
  ${leftJoinEndpoint('due.endpoint_id')}
  left join lateral (
    select version from webhook_secrets one
    where one.owner_id = coalesce(due.endpoint_id, due.account_id) and one.livemode = due.livemode limit 1
  ) secret on true
  where endpoint.enabled is not false`
const LOCK = `
  select lane_id from webhook_lanes where lane_id = any ($1) order by lane_id for update`
// A disabled endpoint has nothing due: its deliveries end when they expire. A deleted endpoint has everything due, to be ended.
const RELEASE = `
  update webhook_lanes lane
  set failures = case when endpoint.deleted_at is null then given.failures else 0 end, open_until = given.open_until,
    due_at = case
      when endpoint.deleted_at is not null then (
        select one.queued_at from webhook_pending one where one.lane_id = lane.lane_id and one.is_next limit 1)
      when endpoint.enabled is not false then greatest(given.open_until, (
        select one.next_attempt_at from webhook_pending one where one.lane_id = lane.lane_id and one.is_next
        order by one.next_attempt_at limit 1))
    end
  from unnest($1::text[], $2::integer[], $3::timestamptz[]) as given (lane_id, failures, open_until)
    ${leftJoinEndpoint('given.lane_id')}
  where ${looksUp('lane.lane_id', 'given.lane_id')}`
const FORGET = `
  delete from webhook_lanes where lane_id = any ($1) and failures = 0 and due_at is null`
const EXPIRED = `
  select over.delivery_id, over.lane_id, over.account_id, over.livemode,
    over.first_attempt_at is not null or coalesce(lane.failures, 0) >= ${LANE_FAILURES_UNTIL_OPEN}
      or endpoint.enabled is false as ends
  from unnest($1::smallint[]) as held (shard) cross join lateral (
    select * from webhook_pending one where one.shard = held.shard and one.expires_at <= $2
    order by one.expires_at limit ${BATCH}
  ) over
  left join lateral (select failures from webhook_lanes one where one.lane_id = over.lane_id limit 1) lane on true
  ${leftJoinEndpoint('over.endpoint_id')}
  limit ${BATCH}`
const PROLONG = `
  update webhook_pending p set expires_at = $2 from json_to_recordset($1) as given (${KEY_TYPES}) where ${SAME_KEY}`
const OF_ENDPOINT = `
  select delivery_id, lane_id, account_id, livemode from webhook_pending where endpoint_id = $1 order by delivery_id limit ${BATCH}`
const ANY = `select delivery_id, lane_id, account_id, livemode from webhook_pending limit ${BATCH}`

interface DueRow extends Omit<Delivery, 'createdMs' | 'place' | 'event_type'> {
  event_type: WebhookEventType
  created_at: Date
}

export function createPendingStore(options: { pool: Pool; clock: Clock }): PendingStore {
  const { pool, clock } = options
  const now = () => new Date(clock.nowMs())
  return {
    async readDueLanes(shards) {
      const { rows } = await pool.query<LaneRow>({
        name: 'webhooks.due_lanes',
        text: DUE_LANES,
        values: [shards, now()],
      })
      return rows
    },
    async readDue(wanted) {
      const { rows } = await pool.query<DueRow>({
        name: 'webhooks.due',
        text: DUE,
        values: [
          wanted.map((lane) => lane.laneId),
          wanted.map((lane) => lane.room),
          wanted.map((lane) => `{${lane.inHand.join(',')}}`),
          now(),
        ],
      })
      return rows.map(({ created_at, ...row }) => ({
        ...row,
        createdMs: created_at.getTime(),
        place: { table: 'webhook_pending' },
      }))
    },
    release: (lanes) =>
      inTransaction(pool, async (client) => {
        // Lock in a statement of its own, so that the next one sees every delivery that was added to these lanes.
        const laneIds = lanes.map((lane) => lane.laneId)
        await client.query({ name: 'webhooks.lock_lanes', text: LOCK, values: [laneIds] })
        await client.query({
          name: 'webhooks.release',
          text: RELEASE,
          values: [
            laneIds,
            lanes.map((lane) => lane.failures),
            lanes.map((lane) => (lane.openUntilMs === null ? null : new Date(lane.openUntilMs))),
          ],
        })
        await client.query({ name: 'webhooks.forget', text: FORGET, values: [laneIds] })
      }),
    async expire(shards, inHand) {
      const { rows } = await pool.query<EndedDelivery & { ends: boolean }>({
        name: 'webhooks.expired',
        text: EXPIRED,
        values: [shards, now()],
      })
      const over = rows.filter((row) => row.ends && !inHand.has(row.delivery_id))
      const late = rows.filter((row) => !row.ends)
      if (over.length > 0) await end(pool, over, 'window_expired')
      if (late.length > 0)
        await pool.query({
          name: 'webhooks.prolong',
          text: PROLONG,
          values: [JSON.stringify(late), new Date(clock.nowMs() + HOUR_MS)],
        })
      return over
    },
    async endDeleted(laneId) {
      const { rows } = await pool.query<EndedDelivery>({
        name: 'webhooks.of_endpoint',
        text: OF_ENDPOINT,
        values: [laneId],
      })
      if (rows.length > 0) await end(pool, rows, 'endpoint_deleted')
      return rows
    },
    async endRestored() {
      const { rows } = await pool.query<EndedDelivery>(ANY)
      if (rows.length > 0) await end(pool, rows, 'restored')
      return rows
    },
  }
}

/** Moves deliveries to those that ended, and makes the next of their objects due. */
async function end(pool: Pool, ended: readonly EndedDelivery[], dead_reason: DeadReason): Promise<void> {
  await inTransaction(pool, async (client) => {
    const run: Run = (statement) => client.query(statement)
    await lockLanes(run, new Map(ended.map(({ lane_id }) => [lane_id, null])))
    const rows = ended.map(({ account_id, livemode, delivery_id }) => ({
      account_id,
      livemode,
      delivery_id,
      dead_reason,
      url: null,
      status: 'dead' as const,
      attempt: null,
    }))
    const following = await endPending(run, rows)
    await lockLanes(run, new Map(following.map((row) => [row.lane_id, row.next_attempt_at])))
  })
}
