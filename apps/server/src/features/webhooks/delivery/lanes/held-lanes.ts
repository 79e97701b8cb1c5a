import { CONCURRENCY_MAX } from '../../rules/breaker.ts'
import type { Delivery, LaneRow } from './delivery.ts'
import { addTo, createLane, type Held, type Lane, removeFrom, withThoseBehind } from './lane.ts'

/**
 * Thresholds on the deliveries that one worker has in hand. From `FULL` on, it pauses reading new ones. From `EASY` on, a
 * lane may hold only as many as it can send concurrently. From `MOST` on, a lane may hold a single one, so every lane makes
 * progress however slow the others are.
 */
const FULL_IN_HAND = 768
const EASY_IN_HAND = 1280
const MOST_IN_HAND = 2048
const MOST_LANES = 2048
/** Twice the concurrency, so that the next deliveries are in hand when those in flight end. */
const LANE_ROOM = 2 * CONCURRENCY_MAX
/** Larger than `LANE_ROOM` because bursts are uneven, and parking the overflow in the database costs several writes. */
const NEW_ROOM = 2 * LANE_ROOM

/** The lanes of one worker and the deliveries that it has in hand. Holds state only: no clock, no timers, no I/O. */
export class HeldLanes {
  readonly #lanes = new Map<string, Lane>()
  #inHand = 0
  /** Lanes that let go of a delivery still in the outbox since the latest read began. */
  #lacking = new Set<string>()

  all(): Lane[] {
    return [...this.#lanes.values()]
  }

  find(laneId: string): Lane | undefined {
    return this.#lanes.get(laneId)
  }

  /** Returns the lane, held from now on; undefined if there is no room for another lane. */
  hold(row: LaneRow): Lane | undefined {
    const found = this.#lanes.get(row.lane_id)
    if (found || this.#lanes.size >= MOST_LANES) return found
    const lane = createLane(row)
    this.#lanes.set(lane.id, lane)
    return lane
  }

  /** Forgets a lane and its deliveries in hand. */
  drop(lane: Lane): void {
    this.#noteLacking(lane, lane.inHand.values())
    this.#inHand -= lane.inHand.size
    lane.inHand.clear()
    lane.objects.clear()
    lane.ready = []
    if (this.#lanes.get(lane.id) === lane) this.#lanes.delete(lane.id)
  }

  /** Counts the deliveries in hand. */
  inHand(): number {
    return this.#inHand
  }

  /** Whether so many deliveries are in hand that reading should pause. */
  isFull(): boolean {
    return this.#inHand >= FULL_IN_HAND
  }

  /** Adds a new delivery; false if the lane has no room. A delivery whose object is in hand is always added. */
  addNew(lane: Lane, delivery: Delivery, monotonicMs: number): boolean {
    // Half of the room is reserved for older deliveries that may wait in the database.
    const room = lane.mayHaveDue
      ? this.#roomIn(lane, LANE_ROOM) - LANE_ROOM / 2
      : this.#roomIn(lane, NEW_ROOM)
    const isHeld = this.#lanes.get(lane.id) === lane
    if (!isHeld || (room <= 0 && !lane.objects.has(delivery.object_id))) return false
    this.#add(lane, delivery, monotonicMs)
    return true
  }

  /** Adds a delivery that waited in the database. */
  addDue(lane: Lane, delivery: Delivery, monotonicMs: number): void {
    if (!lane.inHand.has(delivery.delivery_id)) this.#add(lane, delivery, monotonicMs)
  }

  /** Lets go of a delivery, after which the next one of its object may be sent. */
  letGo(held: Held): void {
    if (removeFrom(held)) this.#inHand--
  }

  /** Lets go of an unsent delivery and of those behind it. */
  letGoFrom(held: Held): void {
    const given = withThoseBehind(held)
    this.#noteLacking(held.lane, given)
    for (const one of given.toReversed()) this.letGo(one)
  }

  /** Returns how many deliveries to read for each lane that may have more. */
  wanted(): { lane: Lane; room: number }[] {
    const hungry = this.all().flatMap((lane) => {
      const room = this.#roomIn(lane, LANE_ROOM)
      // Wait until there is room for many, because reading one costs nearly as much, unless the lane is running out.
      const isHungry = room >= LANE_ROOM / 2 || lane.inHand.size <= lane.health.concurrency
      return lane.mayHaveDue && room > 0 && isHungry ? { lane, room } : []
    })
    const share = Math.max(1, Math.ceil((MOST_IN_HAND - this.#inHand) / hungry.length))
    return hungry.map(({ lane, room }) => ({ lane, room: Math.min(share, room) }))
  }

  /** Starts a read of the outbox: returns the positions in hand, by shard, for the read to exclude. */
  positions(): Map<number, string[]> {
    this.#lacking = new Set()
    return positionsByShard(this.all().flatMap((lane) => [...lane.inHand.values()]))
  }

  /**
   * Whether that read may be missing an earlier event of an object: a delivery that it excluded was let go unsent and is
   * still in the outbox.
   */
  mayLackEvents(laneId: string): boolean {
    return this.#lacking.has(laneId)
  }

  #add(lane: Lane, delivery: Delivery, monotonicMs: number): void {
    addTo(lane, delivery, monotonicMs)
    this.#inHand++
  }

  #noteLacking(lane: Lane, given: Iterable<Held>): void {
    for (const { delivery } of given)
      if (delivery.place.table === 'webhook_outbox') this.#lacking.add(lane.id)
  }

  /** Returns how many more deliveries a lane may hold. `most` is the cap for a healthy lane. */
  #roomIn(lane: Lane, most: number): number {
    const { health, inHand } = lane
    if (lane.closedUntilMs !== null) return 0
    if (this.#inHand >= MOST_IN_HAND) return inHand.size === 0 ? 1 : 0
    if (this.#inHand >= EASY_IN_HAND) return health.concurrency - inHand.size
    return (health.failures > 0 ? 2 * health.concurrency : most) - inHand.size
  }
}

/** Returns the outbox positions of those deliveries that are still there, by shard. */
export function positionsByShard(deliveries: Iterable<Held>): Map<number, string[]> {
  const byShard = new Map<number, string[]>()
  for (const { delivery } of deliveries) {
    const { place } = delivery
    if (place.table !== 'webhook_outbox') continue
    const found = byShard.get(place.shard)
    if (found) found.push(place.position)
    else byShard.set(place.shard, [place.position])
  }
  return byShard
}
