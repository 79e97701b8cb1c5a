/**
 * Remembers the ids of accepted deliveries. `createMemoryReplayStore` is for a single process; the README has a store
 * that several processes share through Redis.
 */
export interface ReplayStore {
  /** Claims the id for `seconds`, atomically. @returns false if it is claimed already */
  claim(id: string, seconds: number): boolean | Promise<boolean>
  /** Releases the id, so that the next attempt to deliver the event is accepted. */
  release(id: string): void | Promise<void>
}

export interface MemoryReplayStoreOptions {
  /** Beyond this number the oldest id is forgotten before it expires. Default: 100 000, about 15 MB. */
  readonly maximumIds?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number
}

/**
 * Creates a replay store in the memory of this process. It is lost when the process ends.
 *
 * @example
 * ```ts
 * const verifier = createVerifier({ secrets, replayStore: createMemoryReplayStore() })
 * ```
 */
export function createMemoryReplayStore(options: MemoryReplayStoreOptions = {}): ReplayStore {
  const { maximumIds = 100_000, clock = Date.now } = options
  if (!(maximumIds >= 1)) throw new RangeError('maximumIds must be at least 1')
  /** Ordered by time of claim. */
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
