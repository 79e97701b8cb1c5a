import { LRUCache } from 'lru-cache'
import type { Reported } from '../rules/apply.ts'
import type { Deployment } from '../rules/schedules.ts'

/** Far longer than a submission stays in the spool before it is taken in. */
const KEPT_MS = 300_000
const MOST_KEPT = 10_000

/**
 * Decisions whose submission is not taken in yet, or is in no sample. They are kept by this process alone: if it ends meanwhile, the
 * decision is read instead.
 */
export interface EarlyDecisions {
  keep(deployment: Deployment, reported: Reported): void
  take(deployment: Deployment, verificationId: string): Reported | null
}

export function createEarlyDecisions(): EarlyDecisions {
  const kept = new LRUCache<string, Reported>({ max: MOST_KEPT, ttl: KEPT_MS })
  const keyOf = (deployment: Deployment, verificationId: string) => `${deployment} ${verificationId}`
  return {
    keep: (deployment, reported) => void kept.set(keyOf(deployment, reported.verificationId), reported),
    take(deployment, verificationId) {
      const key = keyOf(deployment, verificationId)
      const reported = kept.get(key) ?? null
      kept.delete(key)
      return reported
    },
  }
}
