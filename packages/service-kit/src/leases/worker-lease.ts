import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'

/** A worker may miss three renewals before others consider it dead. */
export const LEASE_SECONDS = 15
const LEASE_MS = LEASE_SECONDS * 1000
const RENEW_MS = 5000
export const TICK_MS = 1000
/** Ends the lease locally before it expires in the database, even if this process checks its clock one tick late. */
const HOLD_MS = LEASE_MS - TICK_MS

/** Proves that this process is alive. Rows that it works on refer to the worker's id. */
export interface Lease {
  /** Never reused after the lease is lost. */
  readonly workerId: string
  /** Aborts when the lease is lost: another worker has removed it and takes over everything held under it. */
  readonly lost: AbortSignal
}

export interface WorkerLease {
  /** Returns null while this process has no lease, or is not certain to have one; it must not claim work then. */
  current(): Lease | null
}

const END = `now() + interval '${LEASE_SECONDS} seconds'`
const TAKE = `insert into leases (worker_id, expires_at) values ($1, ${END})`
const RENEW = `update leases set expires_at = ${END} where worker_id = $1`
// A concurrent renewal has locked its row, and wins.
const REMOVE_EXPIRED = `
  delete from leases where worker_id in (
    select worker_id from leases where expires_at < now() for update skip locked)`
const GIVE_BACK = 'delete from leases where worker_id = $1'

/** The lease of one process, driven by `tick`. */
export interface TickingLease extends WorkerLease {
  /**
   * Renews the lease if it is due, takes a new one if it was lost, and removes those of workers that are gone.
   *
   * @throws Error if the database does not respond
   */
  tick(): Promise<void>
  giveBack(): Promise<void>
}

/**
 * Leases the worker instead of each row that it works on, so that one renewal of one narrow row suffices for any amount of
 * work. A lease exists as long as its row. Only removing the row ends it, and a worker whose row is gone continues under a new
 * id. If a renewal and a removal coincide, the one that locks the row first wins. A database outage affects all workers, so a
 * worker that renews late waits for the duration of a lease before it removes others, to let them renew theirs first.
 *
 * @param options.nowMs a clock that never goes back
 */
export function createWorkerLease({
  pool,
  nowMs,
  onLost,
}: {
  pool: Pool
  nowMs: () => number
  onLost: (lease: Lease) => void
}): TickingLease {
  let held: { lease: Lease; abort: () => void; renewedMs: number } | null = null
  let removesFromMs = Number.NEGATIVE_INFINITY

  function current(): Lease | null {
    return held !== null && nowMs() < held.renewedMs + HOLD_MS ? held.lease : null
  }

  function lose({ lease, abort }: NonNullable<typeof held>): void {
    held = null
    onLost(lease)
    abort()
  }

  async function take(): Promise<void> {
    const workerId = `process-${randomUUID()}`
    // Counted from before the statement, so that the lease ends here before it expires in the database.
    const renewedMs = nowMs()
    await pool.query({ name: 'leases.take', text: TAKE, values: [workerId] })
    const lost = new AbortController()
    held = { lease: { workerId, lost: lost.signal }, abort: () => lost.abort(), renewedMs }
  }

  async function renew(renewing: NonNullable<typeof held>): Promise<void> {
    const renewedMs = nowMs()
    const { workerId } = renewing.lease
    const { rowCount } = await pool.query({ name: 'leases.renew', text: RENEW, values: [workerId] })
    if (held !== renewing) return
    if (renewedMs - renewing.renewedMs > 2 * RENEW_MS) removesFromMs = renewedMs + LEASE_MS
    if (rowCount === 1) renewing.renewedMs = renewedMs
    else lose(renewing)
  }

  return {
    current,
    async tick() {
      if (held !== null && nowMs() - held.renewedMs >= RENEW_MS) await renew(held)
      if (held === null) await take()
      if (nowMs() >= removesFromMs) await pool.query({ name: 'leases.remove-expired', text: REMOVE_EXPIRED })
    },
    async giveBack() {
      if (held === null) return
      const { lease } = held
      lose(held)
      await pool.query(GIVE_BACK, [lease.workerId])
    },
  }
}
