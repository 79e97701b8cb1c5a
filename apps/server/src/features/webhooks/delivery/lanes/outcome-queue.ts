import { type HeldLanes, positionsByShard } from './held-lanes.ts'
import type { Held } from './lane.ts'
import type { Outcome } from './outcome.ts'
import type { UnreadEvents } from './unread.ts'

/** New deliveries that ended, which is nearly all of them, and those that wait in the database or are about to. */
export const KINDS = ['ends', 'others'] as const
export type Kind = (typeof KINDS)[number]

/** Deliveries whose outcomes are written together. */
export type Batch = ReadonlyMap<Held, Outcome>

const kindOf = ({ delivery }: Held, outcome: Outcome): Kind =>
  outcome.type === 'ended' && delivery.place.table === 'webhook_outbox' ? 'ends' : 'others'

/** Outcomes on their way to the database. A delivery is let go once its outcome is written. */
export class OutcomeQueue {
  readonly #lanes: HeldLanes
  readonly #unread: UnreadEvents
  readonly #queued = new Map<Held, Outcome>()
  readonly #writing = new Map<Held, Outcome>()

  constructor(lanes: HeldLanes, unread: UnreadEvents) {
    this.#lanes = lanes
    this.#unread = unread
  }

  /** Queues the outcome of a delivery, replacing one that is not yet written. */
  settle(held: Held, outcome: Outcome): void {
    this.#queued.set(held, outcome)
    if (outcome.type !== 'ended') this.#unread.noteLeaving(held)
  }

  /** Parks an unsent delivery in the database, to be sent from `nextAttemptMs` on. One that is there already is let go. */
  park(held: Held, nextAttemptMs: number): void {
    if (held.delivery.place.table === 'webhook_pending') return this.#lanes.letGoFrom(held)
    held.state = 'ended'
    this.settle(held, { type: 'waits', nextAttemptMs })
  }

  has(kind: Kind): boolean {
    for (const [held, outcome] of this.#queued) if (this.#isDue(kind, held, outcome)) return true
    return false
  }

  /** Returns the outcomes of this kind that may be written now. `written` or `notWritten` must follow. */
  beginWrite(kind: Kind): Batch {
    const batch = new Map([...this.#queued].filter(([held, outcome]) => this.#isDue(kind, held, outcome)))
    for (const [held, outcome] of batch) {
      this.#queued.delete(held)
      this.#writing.set(held, outcome)
    }
    return batch
  }

  /** Queues a batch again, except where a newer outcome was queued meanwhile. */
  notWritten(batch: Batch): void {
    for (const [held, outcome] of batch) {
      this.#writing.delete(held)
      if (!this.#queued.has(held)) this.#queued.set(held, outcome)
    }
  }

  /**
   * Lets go of the deliveries of a batch, and parks those behind one that waits in the database now.
   *
   * @returns the deliveries that were let go
   */
  written(batch: Batch, nowMs: number): Held[] {
    for (const held of batch.keys()) this.#writing.delete(held)
    return [...batch].filter(([held, outcome]) => this.#letGo(held, outcome, nowMs)).map(([held]) => held)
  }

  /** Returns deliveries to be parked in the database that are not there yet. */
  leaving(): Held[] {
    return [...this.#queued, ...this.#writing]
      .filter(([, outcome]) => outcome.type !== 'ended')
      .map(([held]) => held)
  }

  /** Returns outbox positions, by shard, of deliveries that are no longer in hand but not yet removed from the outbox. */
  positions(): Map<number, string[]> {
    const unwritten = [...this.#queued.keys(), ...this.#writing.keys()]
    return positionsByShard(unwritten.filter(({ lane, delivery }) => !lane.inHand.has(delivery.delivery_id)))
  }

  /** An outcome waits while an earlier one of its delivery is being written, because that moves the row. */
  #isDue(kind: Kind, held: Held, outcome: Outcome): boolean {
    return kindOf(held, outcome) === kind && !this.#writing.has(held)
  }

  #letGo(held: Held, outcome: Outcome, nowMs: number): boolean {
    if (outcome.type !== 'ended') {
      held.delivery.place = { table: 'webhook_pending' }
      held.lane.isListed = true
      // A slow attempt was written for others to see; its end is still to come.
      if (held.state === 'sending' || this.#queued.has(held)) return false
      const [first, ...behind] = held.lane.objects.get(held.delivery.object_id) ?? []
      if (first === held) for (const one of behind) this.park(one, nowMs)
    }
    this.#lanes.letGo(held)
    return true
  }
}
