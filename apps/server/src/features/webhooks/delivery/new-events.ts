import type { Delivery, LaneRow } from './delivery.ts'
import { createLane, type Held, type HeldLanes, type Lane } from './held-lanes.ts'
import type { NewDelivery, Outbox } from './outbox.ts'
import type { Sender } from './sender.ts'
import type { Settling } from './settling.ts'
import type { Shards } from './shards.ts'

/** How long new events wait for room. After that they are read anyway, because full lanes must not hold up the others. */
const CROWDED_MS = 100

const objectOf = ({ lane_id, object_id }: Delivery): string => `${lane_id} ${object_id}`

/** Takes new events from the outbox, or parks them in the database if they cannot be sent now. */
export interface NewEvents {
  /** Notes that the outbox may hold new events. */
  expect(): void
  /** Reads new events. Skips the read, but only for a short time, while too many deliveries are in hand. */
  read(): Promise<void>
  /** Whether there is more to read now. */
  hasMore(): boolean
  /** Whether new events wait for room. */
  isCrowded(): boolean
  /** Notes that a delivery is being parked, so that those behind it are parked too. */
  noteLeaving(held: Held): void
  /** Marks what was read about a lane, or about its endpoint, as stale. */
  noteChange(lane: Lane): void
}

export function createNewEvents(options: {
  outbox: Outbox
  lanes: HeldLanes
  sender: Pick<Sender, 'start'>
  settling: Pick<Settling, 'positions' | 'leaving'>
  shards: Pick<Shards, 'held'>
  /** Holds the lane of a row, opened or closed to match the row. */
  holdAs(row: LaneRow): Lane
  /** Parks a delivery in the database. */
  leave(held: Held): void
}): NewEvents {
  const { outbox, lanes, sender, settling, shards, holdAs, leave } = options
  /**
   * Objects with deliveries being parked, and lanes that closed or whose endpoints changed, since the latest read began.
   * What that read returns about them is stale.
   */
  let changed = new Set<string>()
  let eventsWait = true
  let crowdedSinceMs: number | null = null

  function place({ delivery, lane: row, isOpen, isBehind }: NewDelivery): void {
    if (lanes.mayLackEvents(row.lane_id)) {
      eventsWait = true
      return
    }
    const waits =
      row.state !== 'in_use' ||
      isOpen ||
      isBehind ||
      changed.has(row.lane_id) ||
      changed.has(objectOf(delivery))
    const lane = waits ? (lanes.find(row.lane_id) ?? createLane(row)) : holdAs(row)
    if (!waits && lanes.takeNew(lane, delivery)) sender.start(lane)
    else leave({ delivery, lane, state: 'ended', sinceMs: performance.now() })
  }

  return {
    expect() {
      eventsWait = true
    },
    async read() {
      const nowMs = performance.now()
      crowdedSinceMs = lanes.isFull() ? (crowdedSinceMs ?? nowMs) : null
      if (crowdedSinceMs !== null && nowMs - crowdedSinceMs < CROWDED_MS) return
      eventsWait = false
      const inHand = lanes.positions()
      for (const [shard, positions] of settling.positions())
        inHand.set(shard, [...(inHand.get(shard) ?? []), ...positions])
      changed = new Set(settling.leaving().map(({ delivery }) => objectOf(delivery)))
      const found = await outbox.read([...shards.held()], inHand)
      eventsWait ||= outbox.mayHoldMore()
      for (const one of found) if (shards.held().has(one.lane.shard)) place(one)
    },
    hasMore: () => eventsWait && crowdedSinceMs === null,
    isCrowded: () => crowdedSinceMs !== null,
    noteLeaving: ({ delivery }) => void changed.add(objectOf(delivery)),
    noteChange: (lane) => void changed.add(lane.id),
  }
}
