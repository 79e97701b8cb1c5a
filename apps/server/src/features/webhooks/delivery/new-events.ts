import type { Delivery, LaneRow } from './delivery.ts'
import { createLane, type Held, type HeldLanes, type Lane } from './held-lanes.ts'
import type { NewDelivery, Outbox } from './outbox.ts'
import type { Sender } from './sender.ts'
import type { Settling } from './settling.ts'
import type { Shards } from './shards.ts'

/** For so long new events wait for room before they are read past the lanes that are full. */
const CROWDED_MS = 100

const objectOf = ({ lane_id, object_id }: Delivery): string => `${lane_id} ${object_id}`

/** Takes new events from the outbox in hand, or has them wait in the database. */
export interface NewEvents {
  /** Some may be there. */
  expect(): void
  /** Reads new events, unless there is no room for them; but not for long, as most may be for lanes that have some. */
  read(): Promise<void>
  /** Whether there is more to read now. */
  hasMore(): boolean
  /** Whether they wait for room. */
  isCrowded(): boolean
  /** A delivery comes to wait, so those behind it wait too. */
  noteLeaving(held: Held): void
  /** What was read of a lane, or of its endpoint, is out of date. */
  noteChange(lane: Lane): void
}

export function createNewEvents(options: {
  outbox: Outbox
  lanes: HeldLanes
  sender: Pick<Sender, 'start'>
  settling: Pick<Settling, 'positions' | 'leaving'>
  shards: Pick<Shards, 'held'>
  /** The lane of a row, in use or closed as the row says. */
  holdAs(row: LaneRow): Lane
  /** Has a delivery wait in the database. */
  leave(held: Held): void
}): NewEvents {
  const { outbox, lanes, sender, settling, shards, holdAs, leave } = options
  /**
   * Objects whose deliveries come to wait, and lanes that were closed or whose endpoints changed, since the latest reading
   * began: what it shows of them is out of date.
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
