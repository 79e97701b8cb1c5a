import { randomUUID } from 'node:crypto'
import type { RedisStore } from './redis-store.ts'

/** A limit on how many at a time, by its name. */
export interface NamedConcurrency {
  name: string
  limit: number
}

/** One of the places that a subject has. */
export interface Place {
  /** Gives the place back; a second time it does nothing. */
  release(): void
}

export interface Entry {
  /** Null: all places are taken. */
  place: Place | null
  /** How many more are free. */
  remaining: number
}

export interface ConcurrencyLimiter {
  /** Takes a place for `subject`. While the shared store is away, this process counts; rejects only for a fault of ours. */
  enter(concurrency: NamedConcurrency, subject: string): Promise<Entry>
}

/** How long Redis keeps the places of a process that died. */
const LEASE_MS = 15_000
const RENEWALS_PER_LEASE = 3
const MICROS_PER_MS = 1000

/**
 * Counts the places of this process, or of all processes if there is a store: there a place is a lease, which is renewed
 * until the place is given back.
 */
export function createConcurrencyLimiter(
  store: RedisStore | null,
  { leaseMs = LEASE_MS }: { leaseMs?: number } = {},
): ConcurrencyLimiter & { close(): void } {
  const leaseMicros = leaseMs * MICROS_PER_MS
  /** Ids of the places that this process has given, by key. */
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
    // If Redis does not hear of it, the lease ends by itself.
    store?.ask((redis) => redis.zRem(key, id)).catch(() => undefined)
  }

  async function renew(): Promise<void> {
    const renewals = [...held].map(([key, ids]) =>
      store?.ask((redis) => redis.renew(key, leaseMicros, ...ids)),
    )
    await Promise.allSettled(renewals)
  }

  const timer = store && setInterval(() => void renew(), leaseMs / RENEWALS_PER_LEASE).unref()
  // Redis may have lost all leases, and other processes count on them from the first moment.
  store?.onReturn(() => void renew())

  return {
    async enter({ name, limit }, subject) {
      const key = `places:${name}:${subject}`
      const id = randomUUID()
      const answer = store ? await store.ask((redis) => redis.enter(key, leaseMicros, limit, id)) : 'away'
      const { taken, remaining } = answer === 'away' ? enterHere(key, limit) : answer
      if (!taken) return { place: null, remaining: 0 }
      hold(key, id)
      return { place: { release: () => release(key, id) }, remaining }
    },
    close() {
      if (timer) clearInterval(timer)
    },
  }
}
