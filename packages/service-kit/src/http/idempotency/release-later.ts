import type { Clock } from '../../clock.ts'

/** A response waits at most this long for its key to be freed. */
const WAIT_MS = 1000
const RETRY_MS = 1000
/** Further keys are not retried, and become free when their lock expires. */
const MAX_WAITING = 10_000

/**
 * Frees the keys of failed requests, and retries while the database is down. Otherwise a caller that respects `Retry-After`
 * would find its key locked until the lock expires.
 *
 * @returns a function that frees a key. It never rejects, and does not wait for a hanging database
 */
export function createReleaser<Claim extends { lockedUntil: Date }>(options: {
  free(claim: Claim): Promise<unknown>
  clock: Clock
}): (claim: Claim) => Promise<void> {
  const { free, clock } = options
  const waiting = new Set<Claim>()

  async function freeWaiting(): Promise<void> {
    while (waiting.size > 0) {
      await delay(RETRY_MS)
      for (const claim of waiting) {
        const isOver = claim.lockedUntil.getTime() < clock.nowMs()
        if (!isOver && !(await succeeds(free(claim)))) break
        waiting.delete(claim)
      }
    }
  }

  async function freeOrKeep(claim: Claim): Promise<void> {
    if ((await succeeds(free(claim))) || waiting.size >= MAX_WAITING) return
    waiting.add(claim)
    if (waiting.size === 1) void freeWaiting()
  }

  return async (claim) => {
    await Promise.race([freeOrKeep(claim), delay(WAIT_MS)])
  }
}

/** Waits without keeping the process running. */
const delay = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
