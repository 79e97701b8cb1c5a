import { randomUUID } from 'node:crypto'
import type { RedisStore } from './redis-store.ts'

/** A named concurrency limit. */
export interface NamedConcurrency {
  name: string
  limit: number
}

/** One of a subject's concurrency slots. */
export interface Place {
  /** Releases the slot. Idempotent. */
  release(): void
}

export interface Entry {
  /** Null if all slots are taken. */
  place: Place | null
  /** Number of free slots left. */
  remaining: number
}

export interface ConcurrencyLimiter {
  /** Takes a slot for `subject`. Counts in this process while the shared store is down. Rejects only if we have a bug. */
  enter(concurrency: NamedConcurrency, subject: string): Promise<Entry>
  /** Counts the slots that `subject` holds; `isShared` is false if they are only those taken through this process. */
  countTaken(name: string, subject: string): Promise<{ used: number; isShared: boolean }>
}

/** How long Redis keeps the slots of a dead process. */
const LEASE_MS = 15_000
const RENEWALS_PER_LEASE = 3
const MICROS_PER_MS = 1000

const keyOf = (name: string, subject: string): string => `places:${name}:${subject}`

/**
 * Counts the slots of this process, or of all processes if there is a store. In the store, a slot is a lease that is renewed
 * until the slot is released.
 */
export function createConcurrencyLimiter(
  store: RedisStore | null,
  { leaseMs = LEASE_MS }: { leaseMs?: number } = {},
): ConcurrencyLimiter & { close(): void } {
  const leaseMicros = leaseMs * MICROS_PER_MS
  /** Ids of the slots taken through this process, by key. */
  const held = new Map<string, Set<string>>()

  function enterHere(key: string, limit: number) {
    const used = held.get(key)?.size ?? 0
    return { taken: used < limit, remaining: Math.max(0, limit - used - 1) }
  }

  function hold(key: string, id: string): void {
    const ids = held.get(key)
    if (ids) ids.add(id)
    else held.set(key, new Set([id]))
  }

  function release(key: string, id: string): void {
    const ids = held.get(key)
    if (ids?.delete(id) !== true) return
    if (ids.size === 0) held.delete(key)
    // If this does not reach Redis, the lease expires.
    store?.ask((redis) => redis.zRem(key, id)).catch(() => undefined)
  }

  async function renew(): Promise<void> {
    const renewals = [...held].map(([key, ids]) =>
      store?.ask((redis) => redis.renew(key, leaseMicros, ...ids)),
    )
    await Promise.allSettled(renewals)
  }

  const timer = store && setInterval(() => void renew(), leaseMs / RENEWALS_PER_LEASE).unref()
  // Redis may have lost all leases, and other processes rely on them at once.
  store?.onReturn(() => void renew())

  return {
    async enter({ name, limit }, subject) {
      const key = keyOf(name, subject)
      const id = randomUUID()
      const answer = store ? await store.ask((redis) => redis.enter(key, leaseMicros, limit, id)) : 'away'
      const { taken, remaining } = answer === 'away' ? enterHere(key, limit) : answer
      if (!taken) return { place: null, remaining: 0 }
      hold(key, id)
      return { place: { release: () => release(key, id) }, remaining }
    },
    async countTaken(name, subject) {
      const key = keyOf(name, subject)
      const used = store ? await store.ask((redis) => redis.count(key)) : 'away'
      return used === 'away' ? { used: held.get(key)?.size ?? 0, isShared: false } : { used, isShared: true }
    },
    close() {
      if (timer) clearInterval(timer)
    },
  }
}
