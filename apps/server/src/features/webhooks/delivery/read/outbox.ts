import type { Id, WebhookEventType } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Pool } from 'pg'
import { type Delivery, ENDPOINT_COLUMNS, type LaneRow, leftJoinEndpoint } from '../lanes/delivery.ts'
import { OutboxCursor, READ_MOST } from './outbox-cursor.ts'

/** A delivery read from the outbox, with the state that decides whether it is sent now. */
export interface NewDelivery {
  readonly delivery: Delivery
  readonly lane: LaneRow
  /** Whether the circuit breaker of its lane is open. */
  readonly isOpen: boolean
  /** Whether an earlier event of its object waits on its lane. */
  readonly isBehind: boolean
}

export interface Outbox {
  /** Reads deliveries of these shards that are not in hand, the oldest of each shard first. */
  read(shards: readonly number[], inHand: ReadonlyMap<number, readonly string[]>): Promise<NewDelivery[]>
  /** Whether the last read may have left rows behind. */
  mayHoldMore(): boolean
}

interface Row {
  shard: number
  position: string
  sequence: string
  lane_id: string
  endpoint_id: string | null
  url: string | null
  event_id: string
  account_id: Id<'account'>
  livemode: boolean
  type: WebhookEventType
  object_id: string
  body: string
  late_field: string | null
  traceparent: string | null
}

/** The columns that all deliveries of a lane share. */
interface Shared extends Omit<LaneRow, 'shard'> {
  /** URL of its endpoint. */
  url: string | null
  secret_version: number | null
  is_open: boolean
  /** Whether the lane has a row. If not, nothing waits on it, unless its endpoint is disabled and nothing is sent anyway. */
  is_listed: boolean
}

const READ = `
  select o.shard, o.position, o.sequence, o.lane_id, o.endpoint_id, o.url, event.event_id, event.account_id,
    event.livemode, event.type, event.object_id, event.body, event.late_field, event.traceparent
  from (
    select found.* from (
      select shard, after, in_hand::bigint[] from unnest($1::smallint[], $2::bigint[], $3::text[])
        as held (shard, after, in_hand) offset 0
    ) held cross join lateral (
      select * from webhook_outbox one
      where one.shard = held.shard and one.position > held.after and one.position <> all (held.in_hand)
      order by one.position limit $4
    ) found limit ${READ_MOST}
  ) o
  cross join lateral (select * from events one where one.event_id = o.event_id limit 1) event`

const READ_SHARED = `
  select given.lane_id, endpoint.url, secret.version as secret_version, ${ENDPOINT_COLUMNS},
    coalesce(lane.failures, 0) as failures, coalesce(lane.open_until > $5, false) as is_open,
    lane.lane_id is not null as is_listed
  from unnest($1::text[], $2::text[], $3::text[], $4::boolean[]) as given (lane_id, endpoint_id, owner_id, livemode)
  ${leftJoinEndpoint('given.endpoint_id')}
  left join lateral (
    select version from webhook_secrets one where one.owner_id = given.owner_id and one.livemode = given.livemode limit 1
  ) secret on true
  left join lateral (select * from webhook_lanes one where one.lane_id = given.lane_id limit 1) lane on true`

const READ_BEHIND = `
  select given.position from unnest($1::bigint[], $2::text[], $3::text[]) as given (position, object_id, lane_id)
  where (select true from webhook_pending earlier
    where earlier.object_id = given.object_id and earlier.lane_id = given.lane_id limit 1)`

export function createOutbox(options: { pool: Pool; clock: Clock; makeId: IdMaker }): Outbox {
  const { pool, clock, makeId } = options
  const cursor = new OutboxCursor()
  return {
    async read(shards, inHand) {
      const wanted = cursor.next(shards, performance.now())
      if (wanted === null) return []
      const { rows } = await pool.query<Row>({
        name: 'webhooks.outbox',
        text: READ,
        values: [
          wanted.shards,
          wanted.after.map(String),
          wanted.shards.map((shard) => `{${inHand.get(shard)?.join(',') ?? ''}}`),
          wanted.perShard,
        ],
      })
      cursor.noteRead(rows)
      if (rows.length === 0) return []
      const nowMs = clock.nowMs()
      const shared = await readShared(pool, rows, new Date(nowMs))
      const listed = rows.filter((row) => shared.get(row.lane_id)?.is_listed)
      const behind = await readBehind(pool, listed)
      return rows.flatMap((row) => {
        const lane = shared.get(row.lane_id)
        if (lane === undefined) return []
        const { lane_id, shard } = row
        const { state, failures, failing_since, warned_at } = lane
        return {
          delivery: toDelivery(row, lane, makeId('delivery'), nowMs),
          lane: { lane_id, shard, state, failures, failing_since, warned_at },
          isOpen: lane.is_open,
          isBehind: behind.has(row.position),
        }
      })
    },
    mayHoldMore: () => cursor.mayHoldMore(),
  }
}

/** Reads the shared columns once per lane, because a read finds many deliveries of few lanes. */
async function readShared(pool: Pool, rows: readonly Row[], now: Date): Promise<Map<string, Shared>> {
  const lanes = [...new Map(rows.map((row) => [row.lane_id, row])).values()]
  const { rows: shared } = await pool.query<Shared>({
    name: 'webhooks.outbox_lanes',
    text: READ_SHARED,
    values: [
      lanes.map((row) => row.lane_id),
      lanes.map((row) => row.endpoint_id),
      lanes.map((row) => row.endpoint_id ?? row.account_id),
      lanes.map((row) => row.livemode),
      now,
    ],
  })
  return new Map(shared.map((one) => [one.lane_id, one]))
}

/** Returns the positions of rows that wait behind an earlier event of their object. */
async function readBehind(pool: Pool, rows: readonly Row[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const { rows: behind } = await pool.query<{ position: string }>({
    name: 'webhooks.outbox_behind',
    text: READ_BEHIND,
    values: [
      rows.map((row) => row.position),
      rows.map((row) => row.object_id),
      rows.map((row) => row.lane_id),
    ],
  })
  return new Set(behind.map((row) => row.position))
}

const toDelivery = (row: Row, lane: Shared, delivery_id: string, createdMs: number): Delivery => ({
  delivery_id,
  lane_id: row.lane_id,
  account_id: row.account_id,
  livemode: row.livemode,
  endpoint_id: row.endpoint_id,
  // Deleted endpoints keep their rows, so one of the two is always set.
  url: lane.url ?? row.url ?? '',
  event_id: row.event_id,
  event_type: row.type,
  object_id: row.object_id,
  sequence: row.sequence,
  body: row.body,
  late_field: row.late_field,
  traceparent: row.traceparent,
  secret_version: lane.secret_version,
  round_attempts: 0,
  first_attempt_at: null,
  createdMs,
  place: { table: 'webhook_outbox', shard: row.shard, position: row.position },
})
