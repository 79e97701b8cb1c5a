import { binaryArray } from '@vaani/service-kit/database/binary-array'
import { inTransaction } from '@vaani/service-kit/database/transaction'
import type { Pool } from 'pg'
import { type Delivery, looksUp } from '../lanes/delivery.ts'
import type { Outcome } from '../lanes/outcome.ts'
import {
  type EndedRow,
  endPending,
  INSERT_PENDING,
  KEPT_ATTEMPTS,
  KEY_TYPES,
  lockLanes,
  PENDING_TYPES,
  type PendingRow,
  type Run,
  SAME_KEY,
} from './pending-rows.ts'

export interface Settled {
  delivery: Delivery
  outcome: Outcome
}

/** Writes outcomes in batches. Writes are idempotent: a batch may be repeated after its reply was lost. */
export interface OutcomeStore {
  /** Writes deliveries that ended while still in the outbox, in one statement. */
  endNew(settled: readonly Settled[]): Promise<void>
  /**
   * Writes all other outcomes, in one transaction that locks their lanes.
   *
   * @returns the lanes on which a delivery became due
   */
  write(settled: readonly Settled[]): Promise<Set<string>>
}

// Only the statement that deletes the outbox row inserts the delivery, so it is written once. The commit does not wait for
// the disk: if Postgres crashes within the next 0.6 s, the delivery is sent again, as after any crash.
const END_NEW = `
  with unwaited as materialized (select set_config('synchronous_commit', 'off', true)), ended as (
    delete from webhook_outbox o
    using unnest($1::smallint[], $2::bigint[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[], $11::jsonb[], $12::timestamptz[])
      as given (shard, position, delivery_id, account_id, livemode, event_type, object_id, url, status, dead_reason,
        attempts, created_at)
    where ${looksUp('o.shard', 'given.shard')} and o.position = given.position
    returning o.sequence, o.event_id, o.lane_id, o.endpoint_id, given.delivery_id, given.account_id, given.livemode,
      given.event_type, given.object_id, given.url, given.status, given.dead_reason, given.attempts, given.created_at
  )
  insert into webhook_deliveries (delivery_id, account_id, livemode, lane_id, endpoint_id, url, event_id, event_type,
    object_id, sequence, status, dead_reason, attempt_count, attempts, created_at)
  select delivery_id, account_id, livemode, lane_id, endpoint_id, url, event_id, event_type, object_id, sequence, status,
    dead_reason, jsonb_array_length(attempts), attempts, created_at
  from unwaited cross join ended`

const KEEP_NEW = `
  with given as (
    delete from webhook_outbox o
    using json_to_recordset($1) as moved (shard smallint, position bigint, ${PENDING_TYPES})
    where ${looksUp('o.shard', 'moved.shard')} and o.position = moved.position
    returning moved.*
  ), ${INSERT_PENDING}`

// An attempt that is written again, because the reply to the first write was lost, is not counted twice.
const FAIL_AGAIN = `
  update webhook_pending p
  set attempt_count = p.attempt_count + 1, round_attempts = p.round_attempts + 1,
    first_attempt_at = coalesce(p.first_attempt_at, given.attempted_at),
    expires_at = coalesce(p.first_attempt_at, given.attempted_at) + make_interval(secs => $2),
    next_attempt_at = given.next_attempt_at,
    attempts = case when p.attempt_count < ${KEPT_ATTEMPTS} then p.attempts else p.attempts - 0 end || given.attempt
  from json_to_recordset($1) as given (${KEY_TYPES}, attempted_at timestamptz, next_attempt_at timestamptz, attempt jsonb)
  where ${SAME_KEY} and p.attempts -> -1 is distinct from given.attempt`

const POSTPONE = `
  update webhook_pending p set next_attempt_at = given.next_attempt_at
  from json_to_recordset($1) as given (${KEY_TYPES}, next_attempt_at timestamptz)
  where ${SAME_KEY}`

export function createOutcomeStore(options: { pool: Pool; windowSeconds: number }): OutcomeStore {
  const { pool, windowSeconds } = options
  return {
    async endNew(settled) {
      const values = valuesOfEnds(settled)
      if (values !== null) await pool.query({ name: 'webhooks.end_new', text: END_NEW, values })
    },
    write: (settled) =>
      inTransaction(pool, async (client) => {
        const run: Run = (statement) => client.query(statement)
        const { kept, failed, postponed, ended, dueByLane } = sortOut(settled, windowSeconds)
        await lockLanes(run, dueByLane)
        const write = async (name: string, text: string, rows: readonly object[], ...more: unknown[]) => {
          if (rows.length > 0) await run({ name, text, values: [JSON.stringify(rows), ...more] })
        }
        await write('webhooks.keep_new', KEEP_NEW, kept)
        await write('webhooks.fail_again', FAIL_AGAIN, failed, windowSeconds)
        await write('webhooks.postpone', POSTPONE, postponed)
        const following = await endPending(run, ended)
        await lockLanes(run, new Map(following.map((row) => [row.lane_id, row.next_attempt_at])))
        return new Set(following.map(({ lane_id }) => lane_id))
      }),
  }
}

/** Returns the values of `END_NEW`; null if none of these ended in the outbox. */
function valuesOfEnds(settled: readonly Settled[]): Buffer[] | null {
  const rows = settled.flatMap(({ delivery, outcome }) => {
    const { place } = delivery
    if (place.table !== 'webhook_outbox' || outcome.type !== 'ended') return []
    // Without an attempt, only a URL that no endpoint has is kept.
    const url = outcome.attempt === null && delivery.endpoint_id !== null ? null : delivery.url
    return { delivery, place, outcome, url }
  })
  if (rows.length === 0) return null
  return [
    binaryArray.smallint(rows.map(({ place }) => place.shard)),
    binaryArray.bigint(rows.map(({ place }) => place.position)),
    binaryArray.text(rows.map(({ delivery }) => delivery.delivery_id)),
    binaryArray.text(rows.map(({ delivery }) => delivery.account_id)),
    binaryArray.boolean(rows.map(({ delivery }) => delivery.livemode)),
    binaryArray.text(rows.map(({ delivery }) => delivery.event_type)),
    binaryArray.text(rows.map(({ delivery }) => delivery.object_id)),
    binaryArray.text(rows.map(({ url }) => url)),
    binaryArray.text(rows.map(({ outcome }) => outcome.status)),
    binaryArray.text(rows.map(({ outcome }) => (outcome.status === 'dead' ? outcome.reason : null))),
    binaryArray.jsonb(rows.map(({ outcome }) => (outcome.attempt === null ? [] : [outcome.attempt]))),
    binaryArray.timestamptz(rows.map(({ delivery }) => delivery.createdMs)),
  ]
}

/** Sorts outcomes by the statement that writes them. */
function sortOut(settled: readonly Settled[], windowSeconds: number) {
  const kept: object[] = []
  const failed: object[] = []
  const postponed: object[] = []
  const ended: EndedRow[] = []
  const dueByLane = new Map<string, Date | null>()
  for (const { delivery, outcome } of settled) {
    const { account_id, livemode, delivery_id, lane_id, place } = delivery
    const key = { account_id, livemode, delivery_id }
    const known = dueByLane.get(lane_id) ?? null
    if (outcome.type === 'ended') {
      if (place.table === 'webhook_outbox') continue
      const { status, attempt } = outcome
      const dead_reason = outcome.status === 'dead' ? outcome.reason : null
      ended.push({ ...key, url: attempt && delivery.url, status, dead_reason, attempt })
      dueByLane.set(lane_id, known)
      continue
    }
    const next_attempt_at = new Date(outcome.nextAttemptMs)
    dueByLane.set(lane_id, known !== null && known < next_attempt_at ? known : next_attempt_at)
    if (place.table === 'webhook_outbox') {
      const { shard, position } = place
      kept.push({ ...toPendingRow(delivery, outcome, windowSeconds), shard, position })
    } else if (outcome.type === 'waits') postponed.push({ ...key, next_attempt_at })
    else {
      const { attempt } = outcome
      failed.push({ ...key, attempted_at: attempt.at, next_attempt_at, attempt })
    }
  }
  return { kept, failed, postponed, ended, dueByLane }
}

function toPendingRow(
  delivery: Delivery,
  outcome: Extract<Outcome, { nextAttemptMs: number }>,
  windowSeconds: number,
): PendingRow {
  const attempt = outcome.type === 'failed' ? outcome.attempt : null
  const created = new Date(delivery.createdMs)
  const firstMs = attempt === null ? delivery.createdMs : Date.parse(attempt.at)
  const { delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type } = delivery
  const attempts = attempt === null ? [] : [attempt]
  return {
    delivery_id,
    account_id,
    livemode,
    lane_id,
    endpoint_id,
    event_id,
    event_type,
    object_id: delivery.object_id,
    sequence: delivery.sequence,
    url: endpoint_id === null ? delivery.url : null,
    resent: false,
    attempt_count: attempts.length,
    round_attempts: attempts.length,
    queued_at: created,
    first_attempt_at: attempt?.at ?? null,
    next_attempt_at: new Date(outcome.nextAttemptMs),
    expires_at: new Date(firstMs + windowSeconds * 1000),
    attempts,
    created_at: created,
  }
}
