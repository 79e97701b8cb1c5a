import type { Clock } from '@vaani/service-kit/clock'
import type { HeldLanes } from '../lanes/held-lanes.ts'
import type { Held } from '../lanes/lane.ts'
import { type Batch, type Kind, KINDS, type OutcomeQueue } from '../lanes/outcome-queue.ts'
import type { Signals } from '../lanes/signals.ts'
import type { UnreadEvents } from '../lanes/unread.ts'
import type { Sender } from '../send/sender.ts'
import type { OutcomeStore, Settled } from './outcomes.ts'

/** Writes outcomes in batches, and lets go of the deliveries once their outcomes are written. */
export interface Settling {
  /** Writes all queued outcomes of this kind. If the write fails, the next call retries it. */
  write(kind: Kind): Promise<void>
  writeAll(): Promise<void>
}

export function createSettling(options: {
  outcomes: OutcomeStore
  lanes: HeldLanes
  queue: OutcomeQueue
  unread: UnreadEvents
  signals: Signals
  sender: Pick<Sender, 'start'>
  clock: Clock
}): Settling {
  const { outcomes, lanes, queue, unread, signals, sender, clock } = options

  const stores: Readonly<Record<Kind, (settled: readonly Settled[]) => Promise<void>>> = {
    ends: (settled) => outcomes.endNew(settled),
    /** Each write locks its lanes. */
    async others(settled) {
      for (const laneId of await outcomes.write(settled)) {
        const lane = lanes.find(laneId)
        if (lane) lane.mayHaveDue = true
      }
    },
  }

  async function writeBatch(kind: Kind): Promise<void> {
    const batch = queue.beginWrite(kind)
    if (batch.size === 0) return
    try {
      await stores[kind](toSettled(batch))
    } catch (error) {
      queue.notWritten(batch)
      throw error
    }
    for (const held of queue.written(batch, clock.nowMs())) goOn(held)
  }

  /** Uses the place of a delivery that was let go. */
  function goOn({ lane }: Held): void {
    sender.start(lane)
    if (lane.mayHaveDue || lane.closedUntilMs !== null) signals.tending.raise()
    if (unread.isCrowded() && !lanes.isFull()) signals.reading.raise()
  }

  const turns: Record<Kind, Promise<void>> = { ends: Promise.resolve(), others: Promise.resolve() }
  function write(kind: Kind): Promise<void> {
    const written = turns[kind].then(() => writeBatch(kind))
    // The caller gets the error; the next turn only waits for this one to end.
    turns[kind] = written.catch(() => undefined)
    return written
  }

  return {
    write,
    async writeAll() {
      const results = await Promise.allSettled(KINDS.map(write))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
  }
}

const toSettled = (batch: Batch): Settled[] =>
  [...batch].map(([{ delivery }, outcome]) => ({ delivery, outcome }))
