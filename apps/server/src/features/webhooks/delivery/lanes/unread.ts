import type { Delivery } from './delivery.ts'
import type { Held, Lane } from './lane.ts'

/** How long new events wait for room. After that they are read anyway, because full lanes must not hold up the others. */
const CROWDED_MS = 100

const objectOf = ({ lane_id, object_id }: Delivery): string => `${lane_id} ${object_id}`

/** What is known of the events that the outbox may hold: whether there are any, and what a read of them cannot know. */
export class UnreadEvents {
  /**
   * Objects with deliveries being parked, and lanes that closed or whose endpoints changed, since the latest read began.
   * What that read returns about them is stale.
   */
  #changed = new Set<string>()
  #mayBeMore = true
  #crowdedSinceMs: number | null = null

  /**
   * Begins a read, unless it should wait for room in the lanes.
   *
   * @param leaving deliveries being parked
   * @returns whether to read now
   */
  beginRead(options: { isFull: boolean; monotonicMs: number; leaving: () => readonly Held[] }): boolean {
    const { isFull, monotonicMs, leaving } = options
    this.#crowdedSinceMs = isFull ? (this.#crowdedSinceMs ?? monotonicMs) : null
    if (this.#crowdedSinceMs !== null && monotonicMs - this.#crowdedSinceMs < CROWDED_MS) return false
    this.#mayBeMore = false
    this.#changed = new Set(leaving().map(({ delivery }) => objectOf(delivery)))
    return true
  }

  /** Notes that the read left events behind. */
  noteMore(): void {
    this.#mayBeMore = true
  }

  /** Whether to read again now. */
  hasMore(): boolean {
    return this.#mayBeMore && !this.isCrowded()
  }

  /** Whether new events wait for room. */
  isCrowded(): boolean {
    return this.#crowdedSinceMs !== null
  }

  /** Notes that a delivery is being parked, so that those behind it are parked too. */
  noteLeaving({ delivery }: Held): void {
    this.#changed.add(objectOf(delivery))
  }

  /** Marks what was read about a lane, or about its endpoint, as stale. */
  noteChange(lane: Lane): void {
    this.#changed.add(lane.id)
  }

  /** Whether the state that was read with a delivery may have changed since. */
  isStale(delivery: Delivery): boolean {
    return this.#changed.has(delivery.lane_id) || this.#changed.has(objectOf(delivery))
  }
}
