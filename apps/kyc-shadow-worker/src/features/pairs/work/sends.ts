import { setTimeout as delay } from 'node:timers/promises'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import type { RateLimiter } from '@vaani/service-kit/limits/rate-limiter'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import type { FlagPort } from '../../flag/port.ts'
import type { PairClaims } from './claims.ts'
import type { SendOne } from './send.ts'

/** How late a submission is sent that is due, and how soon a worker notices that the kill switch is free again. */
const POLL_MS = 500
/** Delay after the database or the spool failed. The age of the media is the end of attempts. */
const RETRY_MS = 10_000

/** Sends submissions: at most so many at a time and in a second, and none while the kill switch is engaged. */
export function startSends(options: {
  lease: WorkerLease
  claims: Pick<PairClaims, 'sends' | 'endSend'>
  flag: FlagPort
  limiter: RateLimiter
  sendsPerSecond: number
  concurrency: number
  send: SendOne
  log: Logger
}): BackgroundWorker {
  const { lease, claims, flag, limiter, sendsPerSecond, concurrency, send, log } = options
  const rate = { name: 'shadow_sends', limit: sendsPerSecond, periodSeconds: 1 }

  /** @returns whether it may send now; it may not if the kill switch is engaged, or the process stops */
  async function waitForTurn(cut: AbortSignal): Promise<boolean> {
    while (!flag.current().isKilled && !cut.aborted) {
      const { allowed, resetSeconds } = await limiter.check(rate, 'all')
      if (allowed) return true
      await delay(resetSeconds * 1000, undefined, { signal: cut }).catch(() => undefined)
    }
    return false
  }

  /** @returns after how long there is another submission to make; null if none is left */
  async function sendInTurn(pairId: string, cut: AbortSignal): Promise<number | null> {
    if (!(await waitForTurn(cut))) return 0
    try {
      return await send(pairId, cut)
    } catch (error) {
      log.warn({ error, pair_id: pairId }, 'A submission is waiting for the database or the spool')
      return RETRY_MS
    }
  }

  return startClaimLoop<string>({
    name: 'shadow_sends',
    lease,
    places: concurrency,
    pollMs: POLL_MS,
    claim: async (request) => (flag.current().isKilled ? [] : claims.sends(request)),
    work: async (pairId, { lease: { workerId }, cut }) =>
      claims.endSend(pairId, workerId, await sendInTurn(pairId, cut)),
    onClaimError: (error) => log.warn({ error }, 'Submissions are waiting for the database'),
    // The next claim releases it.
    onWorkError: (error, pair_id) => log.warn({ error, pair_id }, 'A submission may be sent again'),
  })
}
