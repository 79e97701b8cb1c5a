import type { Clock } from '@vaani/service-kit/clock'
import type { Queryable } from '@vaani/service-kit/database/transaction'
import { tooManyAtOnce } from '@vaani/service-kit/http/rate-limits'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { Pool } from 'pg'

const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 4))'
/** In an order that only the index of waiting calls has: without it the planner may read the table instead. */
const COUNT = `
  select count(*)::integer as waiting from (
    select from calls
    where account_id = $1 and livemode = $2 and status = 'queued' and scheduled_at is null and dial_started_at is null
    order by created_at limit $3
  ) as counted`

/**
 * With this much room left or less, calls take turns. More than an account can fill, a turn at a time, while a count is
 * fresh or a transaction of before is still open; so what was placed without a turn is always seen in time.
 */
const NEAR = 500
const FRESH_MS = 250
/** A process fills at most this share of the room it found before it counts again, as others may have found the same. */
const SHARE = 1 / 50
const MAX_QUEUES = 10_000

interface Count {
  startedAtMs: number
  waiting: number
  /** By this process, since then. */
  placed: number
}

export interface QueueLimit {
  /**
   * Whether the queue is so near its limit that the next call must take its turn. In a burst far from the limit, most
   * calls cost no statement: a count is kept for a moment.
   */
  isNear(tenant: Tenant, limit: number): Promise<boolean>
}

export function createQueueLimit({ pool, clock }: { pool: Pool; clock: Clock }): QueueLimit {
  const counts = new Map<string, Count>()
  const counting = new Map<string, Promise<void>>()

  function findFresh(queue: string, most: number): Count | undefined {
    const count = counts.get(queue)
    if (count === undefined) return undefined
    const ageMs = clock.nowMs() - count.startedAtMs
    if (ageMs < 0 || ageMs >= FRESH_MS) return undefined
    const isUsedUp = count.waiting < most && count.placed >= (most + NEAR - count.waiting) * SHARE
    return isUsedUp ? undefined : count
  }

  async function count(queue: string, tenant: Tenant, most: number): Promise<void> {
    const startedAtMs = clock.nowMs()
    const waiting = await countWaiting(pool, tenant, most)
    if (counts.size >= MAX_QUEUES) counts.clear()
    counts.set(queue, { startedAtMs, waiting, placed: 0 })
  }

  return {
    async isNear(tenant, limit) {
      const most = limit - NEAR
      if (most <= 0) return true
      const queue = turnOf(tenant)
      for (;;) {
        const fresh = findFresh(queue, most)
        if (fresh !== undefined) {
          fresh.placed++
          return fresh.waiting >= most
        }
        let counted = counting.get(queue)
        if (counted === undefined) {
          counted = count(queue, tenant, most).finally(() => counting.delete(queue))
          counting.set(queue, counted)
        }
        await counted
      }
    },
  }
}

/**
 * Takes turns by tenant, which keeps the limit exact however many requests come at once.
 *
 * @throws ApiError `rate_limit_exceeded`
 */
export async function requireRoomInQueue(client: Queryable, tenant: Tenant, limit: number): Promise<void> {
  await client.query({ name: 'calls.lock-queue', text: LOCK, values: [turnOf(tenant)] })
  if ((await countWaiting(client, tenant, limit)) >= limit) throw tooManyAtOnce('waiting_calls', limit)
}

/** Counts no further than asked. */
async function countWaiting(
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

const turnOf = ({ accountId, livemode }: Tenant): string => `${accountId} ${livemode}`
