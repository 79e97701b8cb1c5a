import { CONCURRENCY_MAX, type LaneHealth, healthOf } from '../rules/breaker.ts'
import type { Delivery, LaneRow } from './delivery.ts'

/**
 * Deliveries that one worker has in hand. From `FULL` on it reads no new ones for a while; from `EASY` on a lane may hold
 * only what it can send at once, and from `MOST` on a single one, so each lane goes on however much the others hold up.
 */
const FULL_IN_HAND = 768
const EASY_IN_HAND = 1280
const MOST_IN_HAND = 2048
const MOST_LANES = 2048
/** The next ones are at hand when those under way have ended. */
const LANE_ROOM = 2 * CONCURRENCY_MAX
/** A burst brings some lanes more than others; what finds no room waits in the database, which costs several writes. */
const NEW_ROOM = 2 * LANE_ROOM

/** A delivery in hand, from when it is read until its outcome is written. */
export interface Held {
  readonly delivery: Delivery
  readonly lane: Lane
  state: 'waiting' | 'sending' | 'ended'
  /** When it was read or sent, by `performance.now()`. */
  sinceMs: number
}

/** A lane on which this worker has something in hand, or may have. */
export interface Lane {
  readonly id: string
  readonly shard: number
  health: LaneHealth
  /** Nothing is sent until then; null while it is in use. Without an end while its endpoint is disabled. */
  closedUntilMs: number | null
  readonly inHand: Map<string, Held>
  /** What is in hand of each object, in the order of its events. Only the first may be sent. */
  readonly objects: Map<string, Held[]>
  /** Those that are the first of their object; some may have been let go since. */
  ready: Held[]
  underWay: number
  /** More of it may be due in the database. */
  look: boolean
  /** It may have a row in the database, so it is written when it is let go. */
  isListed: boolean
  /** Something was to be written of its endpoint, so what was read of it before is out of date. */
  isReported: boolean
  failingSinceMs: number | null
  warnedAtMs: number | null
}

/** The lanes of one worker, and what it has in hand of them. */
export interface HeldLanes {
  all(): Lane[]
  find(laneId: string): Lane | undefined
  /** The lane, held from now on; undefined if there is no room for another. */
  hold(row: LaneRow): Lane | undefined
  /** Forgets a lane and what is in hand of it. */
  drop(lane: Lane): void
  /** How many deliveries are in hand. */
  inHand(): number
  /** Whether there is more in hand than is handled at ease. */
  isFull(): boolean
  /** Takes a delivery in hand that is new; false if there is no room for it. One whose object is in hand joins it. */
  takeNew(lane: Lane, delivery: Delivery): boolean
  /** Takes a delivery in hand that waited in the database. */
  takeDue(lane: Lane, delivery: Delivery): void
  /** Lets go of a delivery; the following one of its object may be sent. */
  letGo(held: Held): void
  /** Lets go of a delivery, and of those behind it, none of which has been sent. */
  letGoFrom(held: Held): void
  /** How many deliveries to read for each lane that looks for more. */
  wanted(): { lane: Lane; room: number }[]
  /** Positions in the outbox that are in hand, by shard, for a reading that begins now and leaves them out. */
  positions(): Map<number, string[]>
  /**
   * Whether that reading may lack an earlier event of an object: one that it left out was let go before it was sent, and
   * is still in the outbox.
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
  /** Lanes on which something was let go since the latest reading began, and is still in the outbox. */
  let lacking = new Set<string>()

  /** How many more deliveries a lane may hold, of at most so many if it is well. */
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
      // Half of the room is for older ones that may wait in the database.
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
        // Not for a few while others are at hand, as reading one costs nearly as much as reading many.
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
