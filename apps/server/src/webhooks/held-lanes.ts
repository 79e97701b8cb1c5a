import { type LaneHealth, healthOf } from './breaker.ts'
import type { AcquiredLane, DueDelivery } from './lane-store.ts'

/** Deliveries that one worker has in hand at a time, but for the first of each lane, and lanes that it holds. */
const MAX_IN_HAND = 2048
const MAX_LANES = 2048

/** A lane that this worker holds. */
export interface Lane {
  readonly id: string
  health: LaneHealth
  /** Until when it is surely this worker's, by `performance.now()`. */
  leaseEndsMs: number
  /** When it is to be tried again, once it was opened; null while it is in use. */
  openUntilMs: number | null
  /** Read and not yet settled. */
  inHand: Set<string>
  waiting: DueDelivery[]
  underWay: number
  /** The database may hold more of it that is due. */
  look: boolean
}

/** The lanes of one worker, and what it has in hand of them. */
export interface HeldLanes {
  all(): Lane[]
  find(laneId: string): Lane | undefined
  /** How many more it may hold. */
  roomForLanes(): number
  /** Holds a lane; one that is held already, as only its lease ran out, is kept with what is in hand. */
  hold(acquired: AcquiredLane, leaseEndsMs: number): void
  drop(lane: Lane): void
  /** Takes a delivery in hand that was read; false where there is no room, or the lane is not in use. */
  take(lane: Lane, delivery: DueDelivery): boolean
  /** Takes one in hand that was just made, but leaves half the room to older ones where there may be any. */
  takeNew(lane: Lane, delivery: DueDelivery): boolean
  /** The delivery is settled, or left to whoever holds the lane next. */
  letGo(lane: Lane, deliveryId: string): void
  /** How many deliveries to read for each lane that looks for more. */
  wanted(): { lane: Lane; room: number }[]
}

/** Those that wait are as many again as are under way, so that the next one is at hand. */
const roomIn = (lane: Lane): number =>
  lane.openUntilMs === null ? 2 * lane.health.concurrency - lane.inHand.size : 0

export function createHeldLanes(): HeldLanes {
  const lanes = new Map<string, Lane>()
  let inHandCount = 0

  /** Each lane may have one delivery in hand, however much the others hold up. */
  const mayTake = (lane: Lane) => roomIn(lane) > 0 && (inHandCount < MAX_IN_HAND || lane.inHand.size === 0)

  function take(lane: Lane, delivery: DueDelivery): boolean {
    if (!mayTake(lane) || lane.inHand.has(delivery.delivery_id)) return false
    lane.inHand.add(delivery.delivery_id)
    inHandCount++
    lane.waiting.push(delivery)
    return true
  }

  return {
    all: () => [...lanes.values()],
    find: (laneId) => lanes.get(laneId),
    roomForLanes: () => MAX_LANES - lanes.size,
    hold({ laneId, failures }, leaseEndsMs) {
      const held = lanes.get(laneId)
      if (held) {
        held.leaseEndsMs = leaseEndsMs
        return
      }
      lanes.set(laneId, {
        id: laneId,
        health: healthOf(failures),
        leaseEndsMs,
        openUntilMs: null,
        inHand: new Set(),
        waiting: [],
        underWay: 0,
        look: true,
      })
    },
    drop(lane) {
      inHandCount -= lane.inHand.size
      lane.inHand.clear()
      lane.waiting = []
      if (lanes.get(lane.id) === lane) lanes.delete(lane.id)
    },
    take,
    takeNew: (lane, delivery) =>
      !(lane.look && roomIn(lane) <= lane.health.concurrency) && take(lane, delivery),
    letGo(lane, deliveryId) {
      if (lane.inHand.delete(deliveryId)) inHandCount--
    },
    wanted() {
      const hungry = [...lanes.values()].filter((lane) => lane.look && mayTake(lane))
      const share = Math.max(1, Math.ceil((MAX_IN_HAND - inHandCount) / hungry.length))
      return hungry.map((lane) => ({ lane, room: Math.min(share, roomIn(lane)) }))
    },
  }
}
