import type { Clock } from '@vaani/service-kit/clock'
import type { HeldLanes } from '../lanes/held-lanes.ts'
import { createLane, matchRow } from '../lanes/lane.ts'
import type { OutcomeQueue } from '../lanes/outcome-queue.ts'
import type { UnreadEvents } from '../lanes/unread.ts'
import type { Sender } from '../send/sender.ts'
import type { Shards } from '../shards/shards.ts'
import type { NewDelivery, Outbox } from './outbox.ts'

/** Reads new events from the outbox, unless there is no room, and parks in the database those that cannot be sent now. */
export function createNewEvents(options: {
  outbox: Outbox
  lanes: HeldLanes
  queue: OutcomeQueue
  unread: UnreadEvents
  sender: Pick<Sender, 'start'>
  shards: Pick<Shards, 'held'>
  clock: Clock
}): { read(): Promise<void> } {
  const { outbox, lanes, queue, unread, sender, shards, clock } = options

  function place(one: NewDelivery, monotonicMs: number): void {
    const { delivery, lane: row } = one
    if (lanes.mayLackEvents(row.lane_id)) return unread.noteMore()
    const waits = row.state !== 'in_use' || one.isOpen || one.isBehind || unread.isStale(delivery)
    const lane = (waits ? lanes.find(row.lane_id) : lanes.hold(row)) ?? createLane(row)
    if (!waits) matchRow(lane, row)
    if (waits || !lanes.addNew(lane, delivery, monotonicMs))
      queue.park({ delivery, lane, state: 'ended', sinceMs: monotonicMs }, clock.nowMs())
    sender.start(lane)
  }

  return {
    async read() {
      const monotonicMs = performance.now()
      const leaving = () => queue.leaving()
      if (!unread.beginRead({ isFull: lanes.isFull(), monotonicMs, leaving })) return
      const inHand = lanes.positions()
      for (const [shard, positions] of queue.positions())
        inHand.set(shard, [...(inHand.get(shard) ?? []), ...positions])
      const found = await outbox.read([...shards.held()], inHand)
      if (outbox.mayHoldMore()) unread.noteMore()
      for (const one of found) if (shards.held().has(one.lane.shard)) place(one, performance.now())
    },
  }
}
