/**
 * Remembers the ids of accepted deliveries. What it shares between processes is up to you: the README has one for
 * Redis, and `createMemoryReplayStore` is for a single process.
 */
export interface ReplayStore {
  /** Takes the id for so many seconds, in one indivisible step. @returns false where it was taken already */
  claim(id: string, seconds: number): boolean | Promise<boolean>
  /** Gives the id back, so that another attempt to deliver the event is accepted. */
  release(id: string): void | Promise<void>
}

export interface MemoryReplayStoreOptions {
  /** Beyond so many ids the oldest is forgotten, though its time is not up. Default: 100 000, some 15 MB. */
  readonly maximumIds?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number
}

/**
 * A replay store in the memory of one process, forgotten when the process ends.
 *
 * @example
 * ```ts
 * const verifier = createVerifier({ secrets, replayStore: createMemoryReplayStore() })
 * ```
 */
export function createMemoryReplayStore(options: MemoryReplayStoreOptions = {}): ReplayStore {
  const { maximumIds = 100_000, clock = Date.now } = options
  if (!(maximumIds >= 1)) throw new RangeError('maximumIds must be at least 1')
  /** In the order in which they were claimed. */
  const expiryMsById = new Map<string, number>()
  return {
    claim(id, seconds) {
      const nowMs = clock()
      const expiryMs = expiryMsById.get(id)
      if (expiryMs !== undefined && expiryMs > nowMs) return false
      expiryMsById.delete(id)
      expiryMsById.set(id, nowMs + seconds * 1000)
      for (const oldest of expiryMsById.keys()) {
        if (expiryMsById.size <= maximumIds) break
        expiryMsById.delete(oldest)
      }
      return true
    },
    release(id) {
      expiryMsById.delete(id)
    },
  }
}
