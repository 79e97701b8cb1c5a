import type { DeadReason, DeliveryAttempt } from '@vaani/contracts'
import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'
import { inTransaction } from '../database/transaction.ts'
import { LANE_FAILURES_UNTIL_OPEN } from './breaker.ts'
import type { Verdict } from './judge-attempt.ts'

export interface AcquiredLane {
  laneId: string
  failures: number
}

/** A delivery whose time has come. */
export interface DueDelivery {
  delivery_id: string
  lane_id: string
  account_id: string
  endpoint_id: string | null
  url: string
  event_id: string
  body: string
  round_attempts: number
  first_attempt_at: Date | null
  /** Of the secret to sign with; null where there is none yet. */
  secret_version: number | null
}

export interface SettledAttempt {
  delivery: DueDelivery
  attempt: DeliveryAttempt
  verdict: Verdict
}

export interface ReleasedLane {
  laneId: string
  failures: number
  /** When an open lane is to be tried again, in milliseconds since the epoch; null where it is not open. */
  openUntilMs: number | null
}

/** The statements of the delivery engine, each for many lanes or deliveries at once. */
export interface LaneStore {
  /** Takes lanes that have something due and are held by no living worker. */
  acquire(limit: number): Promise<AcquiredLane[]>
  /** @returns the lanes that are still this worker's */
  renew(laneIds: readonly string[]): Promise<Set<string>>
  /** Gives lanes back, due when their next delivery is. */
  release(lanes: readonly ReleasedLane[]): Promise<void>
  /** Ends the deliveries whose day is over; those that were never tried only where their lane is failing. */
  expire(laneIds: readonly string[]): Promise<{ delivery_id: string; account_id: string }[]>
  /** Due deliveries of lanes, so many of each, but for those that are in hand, with no earlier event of their object. */
  fetch(
    wanted: readonly { laneId: string; room: number }[],
    inHand: readonly string[],
  ): Promise<DueDelivery[]>
  /** @returns the lanes on which a later event of an object no longer waits for one of these */
  settle(attempts: readonly SettledAttempt[]): Promise<Set<string>>
}

/** For how long a lane is its holder's without a renewal. */
export const LEASE_SECONDS = 15
const KEPT_ATTEMPTS = 50

const ACQUIRE = `
  update webhook_lanes lane
  set worker_id = $1, lease_expires_at = now() + interval '${LEASE_SECONDS} seconds'
  from (
    select lane_id from webhook_lanes
    where due_at <= $2 and (lease_expires_at is null or lease_expires_at < now())
    order by due_at limit $3
    for update skip locked
  ) due
  where lane.lane_id = due.lane_id
  returning lane.lane_id, lane.failures`
// Lanes are locked in one order wherever several are, so that no two statements wait for each other.
const RENEW = `
  with held as (
    select lane_id from webhook_lanes where lane_id = any ($1) and worker_id = $2 order by lane_id for update
  )
  update webhook_lanes lane set lease_expires_at = now() + interval '${LEASE_SECONDS} seconds'
  from held where lane.lane_id = held.lane_id
  returning lane.lane_id`
const LOCK = `
  select lane_id from webhook_lanes where lane_id = any ($1) and worker_id = $2 order by lane_id for update`

/** The first of its object that waits; the others wait for it. */
const IS_NEXT = `not exists (
  select from webhook_deliveries earlier
  where earlier.lane_id = d.lane_id and earlier.object_id = d.object_id and earlier.status = 'pending'
    and earlier.sequence < d.sequence)`
const RELEASE = `
  update webhook_lanes lane
  set worker_id = null, lease_expires_at = null, failures = given.failures,
    due_at = case
      when endpoint.enabled = false then (
        select min(coalesce(d.first_attempt_at, d.queued_at)) + make_interval(secs => $4)
        from webhook_deliveries d where d.lane_id = lane.lane_id and d.status = 'pending')
      when given.open_until is not null then (
        select given.open_until where exists (
          select from webhook_deliveries d where d.lane_id = lane.lane_id and d.status = 'pending'))
      else (
        select min(d.next_attempt_at) from webhook_deliveries d
        where d.lane_id = lane.lane_id and d.status = 'pending' and ${IS_NEXT})
    end
  from unnest($1::text[], $2::integer[], $3::timestamptz[]) as given (lane_id, failures, open_until)
    left join webhook_endpoints endpoint on endpoint.endpoint_id = given.lane_id
  where lane.lane_id = given.lane_id`
const EXPIRE = `
  update webhook_deliveries d
  set status = 'dead', dead_reason = '${'window_expired' satisfies DeadReason}', next_attempt_at = null
  from webhook_lanes lane left join webhook_endpoints endpoint on endpoint.endpoint_id = lane.lane_id
  where lane.lane_id = any ($1) and d.lane_id = lane.lane_id and d.status = 'pending'
    and (d.first_attempt_at <= $2 or (d.queued_at <= $2 and d.first_attempt_at is null
      and (lane.failures >= ${LANE_FAILURES_UNTIL_OPEN} or endpoint.enabled = false)))
  returning d.delivery_id, d.account_id`
const FETCH = `
  select due.delivery_id, due.lane_id, due.account_id, due.endpoint_id, coalesce(endpoint.url, due.url) as url,
    due.event_id, event.body, due.round_attempts, due.first_attempt_at, secret.version as secret_version
  from unnest($1::text[], $2::integer[]) as wanted (lane_id, room)
  left join webhook_endpoints endpoint on endpoint.endpoint_id = wanted.lane_id
  cross join lateral (
    select * from webhook_deliveries d
    where d.lane_id = wanted.lane_id and d.status = 'pending' and d.next_attempt_at <= $3
      and d.delivery_id <> all ($4::text[]) and ${IS_NEXT}
    order by d.next_attempt_at, d.sequence limit wanted.room
  ) due
  join events event on event.event_id = due.event_id
  left join webhook_secrets secret on secret.owner_id = coalesce(due.endpoint_id, due.account_id)
  where endpoint.enabled is not false`
// An attempt that is written again, as the reply to its first writing was lost, is not counted again.
const SETTLE = `
  update webhook_deliveries d
  set status = result.status, dead_reason = result.dead_reason, next_attempt_at = result.next_attempt_at,
    attempt_count = d.attempt_count + 1, round_attempts = d.round_attempts + 1,
    first_attempt_at = coalesce(d.first_attempt_at, result.attempted_at),
    attempts = case when d.attempt_count < ${KEPT_ATTEMPTS} then d.attempts else d.attempts - 0 end || result.attempt
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::jsonb[], $7::text[])
    as result (delivery_id, status, dead_reason, next_attempt_at, attempted_at, attempt, account_id)
  where d.account_id = result.account_id and d.delivery_id = result.delivery_id and d.status = 'pending'
    and d.attempts -> -1 is distinct from result.attempt
  returning case when d.status <> 'pending' and exists (
    select from webhook_deliveries later
    where later.lane_id = d.lane_id and later.object_id = d.object_id and later.status = 'pending'
      and later.sequence > d.sequence) then d.lane_id end as unblocked`

export function createLaneStore(options: {
  pool: Pool
  clock: Clock
  workerId: string
  windowSeconds: number
}): LaneStore {
  const { pool, clock, workerId, windowSeconds } = options
  const now = () => new Date(clock.nowMs())
  return {
    async acquire(limit) {
      const { rows } = await pool.query<{ lane_id: string; failures: number }>({
        name: 'webhooks.acquire',
        text: ACQUIRE,
        values: [workerId, now(), limit],
      })
      return rows.map(({ lane_id, failures }) => ({ laneId: lane_id, failures }))
    },
    async renew(laneIds) {
      const { rows } = await pool.query<{ lane_id: string }>({
        name: 'webhooks.renew',
        text: RENEW,
        values: [laneIds, workerId],
      })
      return new Set(rows.map(({ lane_id }) => lane_id))
    },
    release: (lanes) =>
      inTransaction(pool, async (client) => {
        // Locked first, so that the statement after it sees every delivery that was made for these lanes.
        const { rows } = await client.query<{ lane_id: string }>({
          name: 'webhooks.lock',
          text: LOCK,
          values: [lanes.map((lane) => lane.laneId), workerId],
        })
        const held = new Set(rows.map(({ lane_id }) => lane_id))
        const given = lanes.filter((lane) => held.has(lane.laneId))
        await client.query({
          name: 'webhooks.release',
          text: RELEASE,
          values: [
            given.map((lane) => lane.laneId),
            given.map((lane) => lane.failures),
            given.map((lane) => (lane.openUntilMs === null ? null : new Date(lane.openUntilMs))),
            windowSeconds,
          ],
        })
      }),
    async expire(laneIds) {
      const { rows } = await pool.query<{ delivery_id: string; account_id: string }>({
        name: 'webhooks.expire',
        text: EXPIRE,
        values: [laneIds, new Date(clock.nowMs() - windowSeconds * 1000)],
      })
      return rows
    },
    async fetch(wanted, inHand) {
      const { rows } = await pool.query<DueDelivery>({
        name: 'webhooks.fetch',
        text: FETCH,
        values: [wanted.map((lane) => lane.laneId), wanted.map((lane) => lane.room), now(), inHand],
      })
      return rows
    },
    async settle(attempts) {
      const verdicts = attempts.map(({ verdict }) => verdict)
      const { rows } = await pool.query<{ unblocked: string | null }>({
        name: 'webhooks.settle',
        text: SETTLE,
        values: [
          attempts.map(({ delivery }) => delivery.delivery_id),
          verdicts.map((verdict) => verdict.status),
          verdicts.map((verdict) => (verdict.status === 'dead' ? verdict.reason : null)),
          verdicts.map((verdict) => (verdict.status === 'pending' ? new Date(verdict.nextAttemptMs) : null)),
          attempts.map(({ attempt }) => attempt.at),
          attempts.map(({ attempt }) => JSON.stringify(attempt)),
          attempts.map(({ delivery }) => delivery.account_id),
        ],
      })
      return new Set(rows.map(({ unblocked }) => unblocked).filter((laneId) => laneId !== null))
    },
  }
}
