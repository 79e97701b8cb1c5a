import type { Clock } from '../clock.ts'

/** An answer waits no longer than this for its key to be freed. */
const WAIT_MS = 1000
const AGAIN_MS = 1000
/** Beyond them a key is free again once its lock has run out. */
const MAX_WAITING = 10_000

/**
 * Frees the keys of requests that failed, and tries again while the database is away: otherwise a caller that heeds
 * `Retry-After` finds its key taken until the lock runs out.
 *
 * @returns what frees a key. It never rejects, and does not wait for a database that hangs
 */
export function createReleaser<Claim extends { lockedUntil: Date }>(options: {
  free(claim: Claim): Promise<unknown>
  clock: Clock
}): (claim: Claim) => Promise<void> {
  const { free, clock } = options
  const waiting = new Set<Claim>()

  async function freeWaiting(): Promise<void> {
    while (waiting.size > 0) {
      await delay(AGAIN_MS)
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

/** Does not keep a process running. */
const delay = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
