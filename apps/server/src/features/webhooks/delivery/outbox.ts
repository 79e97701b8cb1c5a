import type { WebhookEventType } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Pool } from 'pg'
import { type Delivery, ENDPOINT_COLUMNS, type LaneRow } from './delivery.ts'

/** Read at a time, over all shards. */
const READ_MOST = 512
/** Of one shard at a time: a share of the whole for each shard that has some, within these bounds. */
const SHARD_LEAST = 16
const SHARD_MOST = 256
/**
 * How far back of the newest position that was read each look begins. A transaction may commit after a later one; but
 * deleted rows are walked over for as long as some transaction of the database might see them, which can be hours.
 */
const BEHIND = 10_000n
/** Each look after so long begins at the start, for transactions that took longer still. */
const WHOLE_EVERY_MS = 20_000

/** A delivery that was read from the outbox, and what decides whether it is sent now. */
export interface NewDelivery {
  readonly delivery: Delivery
  readonly lane: LaneRow
  /** Nothing is sent on its lane for a while. */
  readonly isOpen: boolean
  /** An earlier event of its object waits on its lane. */
  readonly isBehind: boolean
}

export interface Outbox {
  /** Deliveries of these shards that are not in hand, the oldest of each shard first. */
  read(shards: readonly number[], inHand: ReadonlyMap<number, readonly string[]>): Promise<NewDelivery[]>
  /** Whether the last look may have left some. */
  mayHoldMore(): boolean
}

interface Row extends LaneRow {
  position: string
  sequence: string
  endpoint_id: string | null
  url: string
  event_id: string
  account_id: string
  livemode: boolean
  type: WebhookEventType
  object_id: string
  body: string
  traceparent: string | null
  secret_version: number | null
  is_open: boolean
  is_behind: boolean
}

// Each row costs the same number of lookups by unique keys. `limit` in the last one keeps it a lookup: without it the
// planner may read the whole table once in place of a row at a time.
const READ = `
  select o.shard, o.position, o.sequence, o.lane_id, o.endpoint_id, coalesce(endpoint.url, o.url) as url,
    event.event_id, event.account_id, event.livemode, event.type, event.object_id, event.body, event.traceparent,
    secret.version as secret_version, ${ENDPOINT_COLUMNS},
    coalesce(lane.failures, 0) as failures, coalesce(lane.open_until > $4, false) as is_open,
    coalesce((select true from webhook_pending earlier
      where earlier.object_id = event.object_id and earlier.lane_id = o.lane_id limit 1), false) as is_behind
  from (
    select found.* from (
      select shard, after, in_hand::bigint[] from unnest($1::smallint[], $2::bigint[], $3::text[])
        as held (shard, after, in_hand) offset 0
    ) held cross join lateral (
      select * from webhook_outbox one
      where one.shard = held.shard and one.position > held.after and one.position <> all (held.in_hand)
      order by one.position limit $5
    ) found limit ${READ_MOST}
  ) o
  join events event on event.event_id = o.event_id
  left join webhook_endpoints endpoint on endpoint.endpoint_id = o.endpoint_id
  left join webhook_secrets secret
    on secret.owner_id = coalesce(o.endpoint_id, event.account_id) and secret.livemode = event.livemode
  left join webhook_lanes lane on lane.lane_id = o.lane_id`

export function createOutbox(options: { pool: Pool; clock: Clock; makeId: IdMaker }): Outbox {
  const { pool, clock, makeId } = options
  const newestByShard = new Map<number, bigint>()
  let wholeAtMs = Number.NEGATIVE_INFINITY
  let perShard = SHARD_LEAST
  let turn = 0
  let mayHoldMore = false

  const afterOf = (shard: number): bigint => {
    const after = (newestByShard.get(shard) ?? 0n) - BEHIND
    return after > 0n ? after : 0n
  }

  function toNewDelivery(row: Row): NewDelivery {
    const { lane_id, shard, state, failures, failing_since, warned_at } = row
    return {
      delivery: {
        delivery_id: makeId('delivery'),
        lane_id,
        account_id: row.account_id,
        livemode: row.livemode,
        endpoint_id: row.endpoint_id,
        url: row.url,
        event_id: row.event_id,
        event_type: row.type,
        object_id: row.object_id,
        sequence: row.sequence,
        body: row.body,
        traceparent: row.traceparent,
        secret_version: row.secret_version,
        round_attempts: 0,
        first_attempt_at: null,
        createdMs: clock.nowMs(),
        place: { table: 'webhook_outbox', shard, position: row.position },
      },
      lane: { lane_id, shard, state, failures, failing_since, warned_at },
      isOpen: row.is_open,
      isBehind: row.is_behind,
    }
  }

  return {
    async read(shards, inHand) {
      if (shards.length === 0) return []
      const isWhole = performance.now() - wholeAtMs > WHOLE_EVERY_MS
      if (isWhole) wholeAtMs = performance.now()
      // Each look begins with another shard, as it ends when it has read enough.
      turn = (turn + 1) % shards.length
      const inTurn = [...shards.slice(turn), ...shards.slice(0, turn)]
      const { rows } = await pool.query<Row>({
        name: 'webhooks.outbox',
        text: READ,
        values: [
          inTurn,
          inTurn.map((shard) => (isWhole ? 0n : afterOf(shard)).toString()),
          inTurn.map((shard) => `{${inHand.get(shard)?.join(',') ?? ''}}`),
          new Date(clock.nowMs()),
          perShard,
        ],
      })
      const countByShard = new Map<number, number>()
      for (const { shard, position } of rows) {
        countByShard.set(shard, (countByShard.get(shard) ?? 0) + 1)
        const newest = BigInt(position)
        if (newest > (newestByShard.get(shard) ?? 0n)) newestByShard.set(shard, newest)
      }
      mayHoldMore = rows.length >= READ_MOST || [...countByShard.values()].some((count) => count >= perShard)
      perShard = Math.min(
        SHARD_MOST,
        Math.max(SHARD_LEAST, Math.ceil(READ_MOST / Math.max(1, countByShard.size))),
      )
      return rows.map(toNewDelivery)
    },
    mayHoldMore: () => mayHoldMore,
  }
}
