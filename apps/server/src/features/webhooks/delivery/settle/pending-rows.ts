import type { DeadReason, DeliveryAttempt, Id } from '@vaani/contracts'
import type { Tx } from '@vaani/service-kit/database/connect'
import { CompiledQuery } from 'kysely'
import { looksUp } from '../lanes/delivery.ts'

/** Runs a statement in a transaction. */
export type Run = <Row extends object = object>(statement: {
  name: string
  text: string
  values: unknown[]
}) => Promise<{ rows: Row[] }>

/** How many attempts are kept per delivery; older ones are dropped. */
export const KEPT_ATTEMPTS = 50

/** Columns that `webhook_pending` and `webhook_deliveries` share, besides the attempts. */
export const SHARED_COLUMNS = `delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type, object_id, sequence,
  resent, created_at`
const PENDING_COLUMNS = `${SHARED_COLUMNS}, url, attempt_count, round_attempts, queued_at, first_attempt_at,
  next_attempt_at, expires_at, attempts`

/** A delivery to park, in the form that is passed to SQL as JSON. */
export interface PendingRow {
  delivery_id: string
  account_id: Id<'account'>
  livemode: boolean
  lane_id: string
  endpoint_id: string | null
  event_id: string
  event_type: string
  object_id: string
  sequence: string
  resent: boolean
  created_at: Date
  url: string | null
  attempt_count: number
  round_attempts: number
  queued_at: Date
  first_attempt_at: string | null
  next_attempt_at: Date
  expires_at: Date
  attempts: readonly DeliveryAttempt[]
}
export const PENDING_TYPES = `delivery_id text, account_id text, livemode boolean, lane_id text, endpoint_id text,
  event_id text, event_type text, object_id text, sequence bigint, resent boolean, created_at timestamptz, url text,
  attempt_count integer, round_attempts integer, queued_at timestamptz, first_attempt_at timestamptz,
  next_attempt_at timestamptz, expires_at timestamptz, attempts jsonb`

/**
 * Inserts the rows of the common table expression `given` into `webhook_pending`, each behind the earlier events of its
 * object. Clears `is_next` on later events, which is needed when a delivery is sent again. The lanes must be locked.
 *
 * The condition uses `is_next::integer` because plain `is_next` would let the planner choose the index of due deliveries,
 * which reads the whole lane instead of the object.
 */
export const INSERT_PENDING = `
  demoted as (
    update webhook_pending later set is_next = false from given
    where ${looksUp('later.object_id', 'given.object_id')} and later.lane_id = given.lane_id
      and later.is_next::integer = 1 and later.sequence > given.sequence
  )
  insert into webhook_pending (${PENDING_COLUMNS}, is_next)
  select ${PENDING_COLUMNS},
    row_number() over (partition by lane_id, object_id order by sequence, delivery_id) = 1 and (
      select earlier.sequence from webhook_pending earlier
      where earlier.object_id = given.object_id and earlier.lane_id = given.lane_id
        and earlier.sequence < given.sequence limit 1) is null
  from given`

const INSERT_ONE = `
  with given as (select * from json_to_recordset($1) as given (${PENDING_TYPES})), ${INSERT_PENDING}`

/** Inserts a delivery into `webhook_pending`. Its lane must be locked. */
export async function insertPending(run: Run, row: PendingRow): Promise<void> {
  await run({ name: 'webhooks.insert', text: INSERT_ONE, values: [JSON.stringify([row])] })
}

/** Primary key of `webhook_pending`. */
export interface PendingKey {
  account_id: Id<'account'>
  livemode: boolean
  delivery_id: string
}
/** Joins `webhook_pending p` to the keys of `given`. */
export const KEY_TYPES = 'account_id text, livemode boolean, delivery_id text'
export const SAME_KEY = `${looksUp('p.account_id', 'given.account_id')} and p.livemode = given.livemode
  and p.delivery_id = given.delivery_id`

/** The end of a delivery that waited. */
export interface EndedRow extends PendingKey {
  /** Destination of the last attempt; null without one. */
  url: string | null
  status: 'delivered' | 'dead'
  dead_reason: DeadReason | null
  attempt: DeliveryAttempt | null
}

// A repeated write, after the reply to the first was lost, is a no-op: either the row is gone, or the delivery was resent by
// hand since and its last attempt is this one.
const END = `
  with ended as (
    delete from webhook_pending p
    using json_to_recordset($1) as given (${KEY_TYPES}, url text, status text, dead_reason text, attempt jsonb)
    where ${SAME_KEY} and (given.attempt is null or p.attempts -> -1 is distinct from given.attempt)
    returning p.*, given.url as sent_to, given.status, given.dead_reason, given.attempt
  ), kept as (
    insert into webhook_deliveries (${SHARED_COLUMNS}, url, status, dead_reason, attempt_count, attempts)
    select ${SHARED_COLUMNS}, coalesce(sent_to, url), status, dead_reason,
      attempt_count + (attempt is not null)::integer,
      case when attempt is null then attempts when attempt_count < ${KEPT_ATTEMPTS} then attempts || attempt
        else (attempts - 0) || attempt end
    from ended
  )
  update webhook_pending following set is_next = true
  from (
    select first.* from (select distinct object_id, lane_id from ended) object cross join lateral (
      select one.account_id, one.livemode, one.delivery_id from webhook_pending one
      where one.object_id = object.object_id and one.lane_id = object.lane_id
        and one.delivery_id not in (select delivery_id from ended)
      order by one.sequence limit 1
    ) first
  ) now_first
  where ${looksUp('following.account_id', 'now_first.account_id')} and following.livemode = now_first.livemode
    and following.delivery_id = now_first.delivery_id and not following.is_next
  returning following.lane_id, following.next_attempt_at`

/**
 * Moves deliveries from `webhook_pending` to `webhook_deliveries`. The lanes must be locked.
 *
 * @returns the lane and due time of each later event that waited behind one of these and is now next
 */
export async function endPending(
  run: Run,
  ended: readonly EndedRow[],
): Promise<{ lane_id: string; next_attempt_at: Date }[]> {
  if (ended.length === 0) return []
  const { rows } = await run<{ lane_id: string; next_attempt_at: Date }>({
    name: 'webhooks.end',
    text: END,
    values: [JSON.stringify(ended)],
  })
  return rows
}

const LOCK = `
  insert into webhook_lanes (lane_id, due_at) select lane_id, due_at from unnest($1::text[], $2::timestamptz[])
    as given (lane_id, due_at)
  order by lane_id
  on conflict (lane_id) do update
  set due_at = greatest(least(webhook_lanes.due_at, excluded.due_at), webhook_lanes.open_until)`

/**
 * Locks lanes until the end of the transaction, always in the same order to prevent deadlocks. Makes each lane due at the given
 * time if that is earlier than its due time, but not before an open lane may be tried again.
 */
export async function lockLanes(run: Run, dueByLane: ReadonlyMap<string, Date | null>): Promise<void> {
  if (dueByLane.size === 0) return
  const values = [[...dueByLane.keys()], [...dueByLane.values()]]
  await run({ name: 'webhooks.lock', text: LOCK, values })
}

const WAKE = `
  insert into webhook_lanes (lane_id, due_at) select lane_id, $2 from unnest($1::text[]) as given (lane_id)
  order by lane_id
  on conflict (lane_id) do update set due_at = excluded.due_at, open_until = null`

/** Locks lanes and makes them due now. Also resets open circuit breakers, because a person intervened. */
export async function wakeLanes(run: Run, laneIds: Iterable<string>, now: Date): Promise<void> {
  await run({ name: 'webhooks.wake', text: WAKE, values: [[...laneIds], now] })
}

/** Adapts a transaction of the query builder to `Run`. */
export const runIn =
  (tx: Tx): Run =>
  ({ text, values }) =>
    tx.executeQuery(CompiledQuery.raw(text, values))
