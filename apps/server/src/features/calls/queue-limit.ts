import type { Clock } from '@vaani/service-kit/clock'
import type { Queryable } from '@vaani/service-kit/database/transaction'
import type { Tenant } from '@vaani/service-kit/tenant'

const lockOf = (parameter: string) => `hashtextextended(${parameter}, 4)`
const TAKE_TURN = `select pg_advisory_xact_lock(${lockOf('$1')})`
/** Ordered as only the index of waiting calls is; without the order the planner may read the table instead. */
const COUNT = `
  select count(*)::integer as waiting from (
    select from calls
    where account_id = $1 and livemode = $2 and status = 'queued' and scheduled_at is null and dial_started_at is null
    order by created_at limit $3
  ) as counted`

/** With this much room left or less, calls take turns. Filling it turn by turn takes longer than a count stays fresh. */
const NEAR = 500
const FRESH_MS = 250
/** Share of the counted room that a process fills before it counts again, because other processes may fill the same room. */
const SHARE = 1 / 50
const MAX_QUEUES = 10_000

interface Count {
  startedAtMs: number
  /** Waiting calls, counted only up to the threshold from which calls take turns. */
  waiting: Promise<number>
  /** Calls that this process admitted based on this count. */
  admitted: number
}

export interface QueueLimit {
  /**
   * Whether one more call may wait. Runs in the transaction that places the call, before its first write. Near the limit,
   * each call waits for its turn and counts. Far from it, most calls of a burst reuse a recent count and cost no statement.
   */
  hasRoom(client: Queryable, tenant: Tenant, limit: number): Promise<boolean>
}

export function createQueueLimit(clock: Clock): QueueLimit {
  const counts = new Map<string, Count>()

  function findFresh(turn: string): Count | undefined {
    const count = counts.get(turn)
    const ageMs = count === undefined ? Infinity : clock.nowMs() - count.startedAtMs
    return ageMs >= 0 && ageMs < FRESH_MS ? count : undefined
  }

  function startCount(turn: string, waiting: Promise<number>): Count {
    const count = { startedAtMs: clock.nowMs(), waiting, admitted: 0 }
    if (counts.size >= MAX_QUEUES) counts.clear()
    counts.set(turn, count)
    waiting.catch(() => forget(turn, count))
    return count
  }

  function forget(turn: string, count: Count): void {
    if (counts.get(turn) === count) counts.delete(turn)
  }

  async function isNear(client: Queryable, tenant: Tenant, limit: number): Promise<boolean> {
    const near = limit - NEAR
    if (near <= 0) return true
    const turn = turnOf(tenant)
    for (;;) {
      const count = findFresh(turn) ?? startCount(turn, countWaiting(client, tenant, near))
      const waiting = await count.waiting
      if (waiting >= near) return true
      if (count.admitted < (limit - waiting) * SHARE) {
        count.admitted++
        return false
      }
      forget(turn, count)
    }
  }

  return {
    async hasRoom(client, tenant, limit) {
      if (!(await isNear(client, tenant, limit))) return true
      await client.query({ name: 'calls.take-turn', text: TAKE_TURN, values: [turnOf(tenant)] })
      return (await countWaiting(client, tenant, limit)) < limit
    },
  }
}

/**
 * Returns SQL that takes the queue's lock in shared mode. It makes turns wait for transactions that placed a call without a
 * turn, so that each turn counts their calls. Part of another statement, so it adds no round trip. Locks nothing if the
 * parameter is null.
 *
 * @param parameter - parameter of the statement that contains the result of `turnOf`
 */
export const shareTurn = (parameter: string): string => `pg_advisory_xact_lock_shared(${lockOf(parameter)})`

/** Returns the key of a queue: one per account and mode. */
export const turnOf = ({ accountId, livemode }: Tenant): string => `${accountId} ${livemode}`

/** Counts waiting calls, up to `most`. */
export async function countWaiting(
  client: Queryable,
  { accountId, livemode }: Tenant,
  most: number,
): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>({
    name: 'calls.count-waiting',
    text: COUNT,
    values: [accountId, livemode, most],
  })
  return rows[0]?.waiting ?? 0
}
