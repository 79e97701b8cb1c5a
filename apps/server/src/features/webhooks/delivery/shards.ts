import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { SESSION_LOCK, type WorkerSession } from './worker-session.ts'

export const SHARDS = 64
export const LEASE_SECONDS = 15
const RENEW_MS = 5000
/** How long a worker that lost its session has to open another before its shards are taken. */
export const SILENCE_MS = 1000

/** The shards that one worker holds. Every lane belongs to a shard, and a shard has one holder, which sends on its lanes. */
export interface Shards {
  held(): ReadonlySet<number>
  /** Whether this worker certainly still holds the shard. Another worker takes over if this one stalls or is gone. */
  mayUse(shard: number): boolean
  /**
   * Renews the lease, frees the shards of workers that are gone, and takes free shards up to an equal share.
   *
   * @returns the shards that others may have held since the last refresh, and how many to give away
   */
  refresh(): Promise<{ lost: ReadonlySet<number>; surplus: number }>
  /** Stops counting shards as held, before `release`. */
  forget(shards: readonly number[]): void
  /** Frees shards for other workers. */
  release(shards: readonly number[]): Promise<void>
  /** Frees all shards and ends the session. */
  leave(): Promise<void>
}

const REGISTER = `
  insert into webhook_workers (worker_id, session, lease_expires_at)
  values ($1, $2, now() + interval '${LEASE_SECONDS} seconds')`
const RENEW = `
  update webhook_workers set session = $2, lease_expires_at = now() + interval '${LEASE_SECONDS} seconds'
  where worker_id = $1`
const HELD = 'select shard from webhook_shards where worker_id = $1'
// If the lock can be taken, the session that held it is gone. A shared lock lets several workers check at once.
const OTHERS = `
  select worker_id, lease_expires_at < now() as is_late,
    pg_try_advisory_xact_lock_shared(${SESSION_LOCK}, session) as is_silent
  from webhook_workers where worker_id <> $1`
const TAKE = `
  update webhook_shards shard set worker_id = $1
  from (select shard from webhook_shards where worker_id is null order by shard limit $2 for update skip locked) free
  where shard.shard = free.shard
  returning shard.shard`
const RELEASE = 'update webhook_shards set worker_id = null where worker_id = $1 and shard = any ($2)'
/** Also frees the worker's shards, by a foreign key. */
const REMOVE = 'delete from webhook_workers where worker_id = $1'

export function createShards(options: { pool: Pool; openSession: () => Promise<WorkerSession> }): Shards {
  const { pool, openSession } = options
  let workerId = `worker-${randomUUID()}`
  let session: WorkerSession | undefined
  let isRegistered = false
  let renewedAtMs = Number.NEGATIVE_INFINITY
  let leaseEndsMs = Number.NEGATIVE_INFINITY
  let held = new Set<number>()
  /** Shards that others may have held since the latest refresh. */
  let lost = new Set<number>()
  const silentSince = new Map<string, number>()

  function loseExcept(kept: Set<number>): void {
    for (const shard of held) if (!kept.has(shard)) lost.add(shard)
    held = kept
  }

  /** Opens a session if there is none and renews the lease. Registers anew if others removed this worker as gone. */
  async function renew(): Promise<void> {
    const nowMs = performance.now()
    if (session?.isAlive() && nowMs - renewedAtMs < RENEW_MS) return
    if (!session?.isAlive()) {
      await session?.end()
      session = await openSession()
    }
    const values = [workerId, session.key]
    // On the session itself, to notice if it no longer responds.
    const isKnown = isRegistered && (await session.run(RENEW, values)) > 0
    if (!isKnown) {
      loseExcept(new Set())
      workerId = `worker-${randomUUID()}`
      await pool.query(REGISTER, [workerId, session.key])
      isRegistered = true
    }
    const { rows } = await pool.query<{ shard: number }>({
      name: 'webhooks.held',
      text: HELD,
      values: [workerId],
    })
    loseExcept(new Set(rows.map(({ shard }) => shard)))
    renewedAtMs = nowMs
    // Counted from before the statements, so that the lease ends here before it ends in the database.
    leaseEndsMs = nowMs + LEASE_SECONDS * 1000
  }

  /**
   * Removes workers that are gone.
   *
   * @returns the number of workers left, including this one
   */
  async function removeGone(): Promise<number> {
    const { rows } = await pool.query<{ worker_id: string; is_late: boolean; is_silent: boolean }>({
      name: 'webhooks.others',
      text: OTHERS,
      values: [workerId],
    })
    const nowMs = performance.now()
    const known = new Set(rows.map(({ worker_id }) => worker_id))
    for (const id of silentSince.keys()) if (!known.has(id)) silentSince.delete(id)
    let count = 1
    for (const { worker_id, is_late, is_silent } of rows) {
      if (is_silent) silentSince.set(worker_id, silentSince.get(worker_id) ?? nowMs)
      else silentSince.delete(worker_id)
      if (is_late || nowMs - (silentSince.get(worker_id) ?? nowMs) >= SILENCE_MS)
        await pool.query(REMOVE, [worker_id])
      else count++
    }
    return count
  }

  return {
    held: () => held,
    mayUse: (shard) => held.has(shard) && session?.isAlive() === true && performance.now() < leaseEndsMs,
    async refresh() {
      await renew()
      const share = Math.ceil(SHARDS / (await removeGone()))
      const wanted = share - held.size
      if (wanted > 0) {
        const { rows } = await pool.query<{ shard: number }>({
          name: 'webhooks.take',
          text: TAKE,
          values: [workerId, wanted],
        })
        held = new Set([...held, ...rows.map(({ shard }) => shard)])
      }
      // `lost` includes shards that were lost and taken again, because another worker may have sent on their lanes in between.
      const result = { lost, surplus: Math.max(0, -wanted) }
      lost = new Set()
      return result
    },
    forget(shards) {
      held = new Set([...held].filter((shard) => !shards.includes(shard)))
    },
    async release(shards) {
      await pool.query({ name: 'webhooks.give', text: RELEASE, values: [workerId, shards] })
    },
    async leave() {
      try {
        if (isRegistered) await pool.query(REMOVE, [workerId])
      } finally {
        // If the row was not removed, the end of the session shows that this worker is gone.
        held = new Set()
        await session?.end()
      }
    },
  }
}
