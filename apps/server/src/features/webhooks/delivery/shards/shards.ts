import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { SESSION_LOCK, type WorkerSession } from './worker-session.ts'

export const SHARDS = 64
const LEASE_SECONDS = 15
const RENEW_MS = 5000
/** How long a worker that lost its session has to open another before its shards are taken. */
export const SILENCE_MS = 1000

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

/** The shards that one worker holds. Every lane belongs to a shard, and a shard has one holder, which sends on its lanes. */
export class Shards {
  readonly #pool: Pool
  readonly #openSession: () => Promise<WorkerSession>
  #workerId = `worker-${randomUUID()}`
  #session: WorkerSession | undefined
  #isRegistered = false
  #renewedAtMs = Number.NEGATIVE_INFINITY
  #leaseEndsMs = Number.NEGATIVE_INFINITY
  #held: ReadonlySet<number> = new Set()
  /** Shards that others may have held since the latest refresh. */
  #lost = new Set<number>()
  readonly #silentSince = new Map<string, number>()

  constructor(options: { pool: Pool; openSession: () => Promise<WorkerSession> }) {
    this.#pool = options.pool
    this.#openSession = options.openSession
  }

  held(): ReadonlySet<number> {
    return this.#held
  }

  /** Whether this worker certainly still holds the shard. Another worker takes over if this one stalls or is gone. */
  mayUse(shard: number): boolean {
    return this.#held.has(shard) && this.#session?.isAlive() === true && performance.now() < this.#leaseEndsMs
  }

  /**
   * Renews the lease, frees the shards of workers that are gone, and takes free shards up to an equal share.
   *
   * @returns the shards that others may have held since the last refresh, and how many to give away
   */
  async refresh(): Promise<{ lost: ReadonlySet<number>; surplus: number }> {
    await this.#renew()
    const share = Math.ceil(SHARDS / (await this.#removeGone()))
    const wanted = share - this.#held.size
    if (wanted > 0) {
      const { rows } = await this.#pool.query<{ shard: number }>({
        name: 'webhooks.take',
        text: TAKE,
        values: [this.#workerId, wanted],
      })
      this.#held = new Set([...this.#held, ...rows.map(({ shard }) => shard)])
    }
    // `lost` includes shards that were lost and taken again, because another worker may have sent on their lanes in between.
    const result = { lost: this.#lost, surplus: Math.max(0, -wanted) }
    this.#lost = new Set()
    return result
  }

  /** Stops counting shards as held, before `release`. */
  forget(shards: readonly number[]): void {
    this.#held = new Set([...this.#held].filter((shard) => !shards.includes(shard)))
  }

  /** Frees shards for other workers. */
  async release(shards: readonly number[]): Promise<void> {
    await this.#pool.query({ name: 'webhooks.give', text: RELEASE, values: [this.#workerId, shards] })
  }

  /** Frees all shards and ends the session. */
  async leave(): Promise<void> {
    try {
      if (this.#isRegistered) await this.#pool.query(REMOVE, [this.#workerId])
    } finally {
      // If the row was not removed, the end of the session shows that this worker is gone.
      this.#held = new Set()
      await this.#session?.end()
    }
  }

  #loseExcept(kept: ReadonlySet<number>): void {
    for (const shard of this.#held) if (!kept.has(shard)) this.#lost.add(shard)
    this.#held = kept
  }

  /** Opens a session if there is none and renews the lease. Registers anew if others removed this worker as gone. */
  async #renew(): Promise<void> {
    const nowMs = performance.now()
    if (this.#session?.isAlive() && nowMs - this.#renewedAtMs < RENEW_MS) return
    if (!this.#session?.isAlive()) {
      await this.#session?.end()
      this.#session = await this.#openSession()
    }
    const values = [this.#workerId, this.#session.key]
    // On the session itself, to notice if it no longer responds.
    const isKnown = this.#isRegistered && (await this.#session.run(RENEW, values)) > 0
    if (!isKnown) {
      this.#loseExcept(new Set())
      this.#workerId = `worker-${randomUUID()}`
      await this.#pool.query(REGISTER, [this.#workerId, this.#session.key])
      this.#isRegistered = true
    }
    const { rows } = await this.#pool.query<{ shard: number }>({
      name: 'webhooks.held',
      text: HELD,
      values: [this.#workerId],
    })
    this.#loseExcept(new Set(rows.map(({ shard }) => shard)))
    this.#renewedAtMs = nowMs
    // Counted from before the statements, so that the lease ends here before it ends in the database.
    this.#leaseEndsMs = nowMs + LEASE_SECONDS * 1000
  }

  /**
   * Removes workers that are gone.
   *
   * @returns the number of workers left, including this one
   */
  async #removeGone(): Promise<number> {
    const { rows } = await this.#pool.query<{ worker_id: string; is_late: boolean; is_silent: boolean }>({
      name: 'webhooks.others',
      text: OTHERS,
      values: [this.#workerId],
    })
    const nowMs = performance.now()
    const silentSince = this.#silentSince
    const known = new Set(rows.map(({ worker_id }) => worker_id))
    for (const id of silentSince.keys()) if (!known.has(id)) silentSince.delete(id)
    let count = 1
    for (const { worker_id, is_late, is_silent } of rows) {
      if (is_silent) silentSince.set(worker_id, silentSince.get(worker_id) ?? nowMs)
      else silentSince.delete(worker_id)
      if (is_late || nowMs - (silentSince.get(worker_id) ?? nowMs) >= SILENCE_MS)
        await this.#pool.query(REMOVE, [worker_id])
      else count++
    }
    return count
  }
}
