import { CONCURRENCY_MAX, type LaneHealth, healthOf } from '../rules/breaker.ts'
import type { Delivery, LaneRow } from './delivery.ts'

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

/** A delivery that this worker has in hand, from reading it until its outcome is written. */
export interface Held {
  readonly delivery: Delivery
  readonly lane: Lane
  state: 'waiting' | 'sending' | 'ended'
  /** `performance.now()` when it was read, or when sending began. */
  sinceMs: number
}

/** A lane that this worker holds, with its deliveries in hand. */
export interface Lane {
  readonly id: string
  readonly shard: number
  health: LaneHealth
  /** Nothing is sent until this time. Null while the lane is in use; infinite while its endpoint is disabled. */
  closedUntilMs: number | null
  readonly inHand: Map<string, Held>
  /** Deliveries in hand by object, in event order. Only the first of each object may be sent. */
  readonly objects: Map<string, Held[]>
  /** Deliveries that came first for their object. Some may have been let go since. */
  ready: Held[]
  underWay: number
  /** Whether more deliveries may be due in the database. */
  look: boolean
  /** Whether the lane may have a row in the database, which must then be updated on release. */
  isListed: boolean
  /** Whether a change to its endpoint was reported, which makes earlier reads of the endpoint stale. */
  isReported: boolean
  failingSinceMs: number | null
  warnedAtMs: number | null
}

/** The lanes of one worker and the deliveries that it has in hand. */
export interface HeldLanes {
  all(): Lane[]
  find(laneId: string): Lane | undefined
  /** Returns the lane, held from now on; undefined if there is no room for another lane. */
  hold(row: LaneRow): Lane | undefined
  /** Forgets a lane and its deliveries in hand. */
  drop(lane: Lane): void
  /** Counts the deliveries in hand. */
  inHand(): number
  /** Whether so many deliveries are in hand that reading should pause. */
  isFull(): boolean
  /** Takes a new delivery; false if the lane has no room. A delivery whose object is in hand is always taken. */
  takeNew(lane: Lane, delivery: Delivery): boolean
  /** Takes a delivery that waited in the database. */
  takeDue(lane: Lane, delivery: Delivery): void
  /** Lets go of a delivery, after which the next one of its object may be sent. */
  letGo(held: Held): void
  /** Lets go of an unsent delivery and of those behind it. */
  letGoFrom(held: Held): void
  /** Returns how many deliveries to read for each lane that looks for more. */
  wanted(): { lane: Lane; room: number }[]
  /** Starts a read of the outbox: returns the positions in hand, by shard, for the read to exclude. */
  positions(): Map<number, string[]>
  /**
   * Whether that read may be missing an earlier event of an object: a delivery that it excluded was let go unsent and is
   * still in the outbox.
   */
  mayLackEvents(laneId: string): boolean
}

export const createLane = ({ lane_id, shard, failures, failing_since, warned_at }: LaneRow): Lane => ({
  id: lane_id,
  shard,
  health: healthOf(failures),
  closedUntilMs: null,
  inHand: new Map(),
  objects: new Map(),
  ready: [],
  underWay: 0,
  look: false,
  isListed: failures > 0,
  isReported: false,
  failingSinceMs: failing_since?.getTime() ?? null,
  warnedAtMs: warned_at?.getTime() ?? null,
})

export function createHeldLanes(): HeldLanes {
  const lanes = new Map<string, Lane>()
  let inHandCount = 0
  /** Lanes that let go of a delivery still in the outbox since the latest read began. */
  let lacking = new Set<string>()

  /** Returns how many more deliveries a lane may hold. `most` is the cap for a healthy lane. */
  function roomIn(lane: Lane, most: number): number {
    const { health, inHand } = lane
    if (lane.closedUntilMs !== null) return 0
    if (inHandCount >= MOST_IN_HAND) return inHand.size === 0 ? 1 : 0
    if (inHandCount >= EASY_IN_HAND) return health.concurrency - inHand.size
    return (health.failures > 0 ? 2 * health.concurrency : most) - inHand.size
  }

  function take(lane: Lane, delivery: Delivery): void {
    const held: Held = { delivery, lane, state: 'waiting', sinceMs: performance.now() }
    lane.inHand.set(delivery.delivery_id, held)
    inHandCount++
    const before = lane.objects.get(delivery.object_id)
    if (before) before.push(held)
    else {
      lane.objects.set(delivery.object_id, [held])
      lane.ready.push(held)
    }
  }

  function letGo(held: Held): void {
    const { lane, delivery } = held
    if (!lane.inHand.delete(delivery.delivery_id)) return
    inHandCount--
    held.state = 'ended'
    const ofObject = lane.objects.get(delivery.object_id) ?? []
    const rest = ofObject.filter((one) => one !== held)
    if (rest.length > 0) lane.objects.set(delivery.object_id, rest)
    else lane.objects.delete(delivery.object_id)
    const [first] = rest
    if (first !== undefined && ofObject[0] === held) lane.ready.push(first)
  }

  function noteLacking(lane: Lane, given: Iterable<Held>): void {
    for (const { delivery } of given) if (delivery.place.table === 'webhook_outbox') lacking.add(lane.id)
  }

  return {
    all: () => [...lanes.values()],
    find: (laneId) => lanes.get(laneId),
    hold(row) {
      const found = lanes.get(row.lane_id)
      if (found || lanes.size >= MOST_LANES) return found
      const lane = createLane(row)
      lanes.set(lane.id, lane)
      return lane
    },
    drop(lane) {
      noteLacking(lane, lane.inHand.values())
      inHandCount -= lane.inHand.size
      lane.inHand.clear()
      lane.objects.clear()
      lane.ready = []
      if (lanes.get(lane.id) === lane) lanes.delete(lane.id)
    },
    inHand: () => inHandCount,
    isFull: () => inHandCount >= FULL_IN_HAND,
    takeNew(lane, delivery) {
      // Half of the room is reserved for older deliveries that may wait in the database.
      const room = lane.look ? roomIn(lane, LANE_ROOM) - LANE_ROOM / 2 : roomIn(lane, NEW_ROOM)
      if (lanes.get(lane.id) !== lane || (room <= 0 && !lane.objects.has(delivery.object_id))) return false
      take(lane, delivery)
      return true
    },
    takeDue(lane, delivery) {
      if (!lane.inHand.has(delivery.delivery_id)) take(lane, delivery)
    },
    letGo,
    letGoFrom(held) {
      const ofObject = held.lane.objects.get(held.delivery.object_id) ?? []
      const index = ofObject.indexOf(held)
      if (index < 0) return
      const given = ofObject.slice(index)
      noteLacking(held.lane, given)
      for (const one of given.toReversed()) letGo(one)
    },
    wanted() {
      const hungry = [...lanes.values()].flatMap((lane) => {
        const room = roomIn(lane, LANE_ROOM)
        // Wait until there is room for many, because reading one costs nearly as much, unless the lane is running out.
        const isHungry = room >= LANE_ROOM / 2 || lane.inHand.size <= lane.health.concurrency
        return lane.look && room > 0 && isHungry ? { lane, room } : []
      })
      const share = Math.max(1, Math.ceil((MOST_IN_HAND - inHandCount) / hungry.length))
      return hungry.map(({ lane, room }) => ({ lane, room: Math.min(share, room) }))
    },
    positions() {
      lacking = new Set()
      const byShard = new Map<number, string[]>()
      for (const lane of lanes.values())
        for (const { delivery } of lane.inHand.values()) {
          const { place } = delivery
          if (place.table !== 'webhook_outbox') continue
          const found = byShard.get(place.shard)
          if (found) found.push(place.position)
          else byShard.set(place.shard, [place.position])
        }
      return byShard
    },
    mayLackEvents: (laneId) => lacking.has(laneId),
  }
}
