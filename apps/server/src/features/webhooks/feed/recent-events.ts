import type { Id, WebhookEventType } from '@vaani/contracts'

/** That something happened to an object of a tenant. */
export interface RecentEvent {
  readonly sequence: bigint
  readonly accountId: Id<'account'>
  readonly livemode: boolean
  readonly type: WebhookEventType
  readonly objectId: string
}

/** What a statement read, and which transactions it saw. */
export interface EventRead {
  /** Those after the position, in their order. */
  events: readonly RecentEvent[]
  /** Every transaction with a lower id had ended. */
  endedBelow: bigint
  /** No transaction had begun with this id or a higher one; null unless that was asked for. */
  begunBelow: bigint | null
}

/** How many events are remembered: those that a stream may have missed while it was reconnecting. */
export const REMEMBERED = 2000

/**
 * The events that were read last. Transactions commit in another order than they take sequences in, so each read begins at a position up
 * to which nothing is missing, and what was read before is left out.
 *
 * A sequence below the newest of a read was taken before it, and its transaction has an id before the next read, which is later by the
 * interval of reads. Once a third read finds that every transaction that had begun by the second has ended, nothing is missing up to that
 * newest sequence. A fixed overlap would read much again each time, and miss the events of a transaction that takes longer. If one takes so
 * long that more events follow than are remembered, its events may be missed.
 */
export class RecentEvents {
  /** In the order in which they were read. */
  readonly #events = new Map<bigint, RecentEvent>()
  #position: bigint
  /** Those up to this one are not remembered. */
  #forgotten: bigint
  #newest: bigint
  /** The sequence that becomes the position once these transactions have ended. */
  #next: { position: bigint; endedBelow: bigint } | null = null

  /** @param first sequence after which the first read begins */
  constructor(first: bigint) {
    this.#position = first
    this.#forgotten = first
    this.#newest = first
  }

  /** Sequence up to which every event was read. */
  get position(): bigint {
    return this.#position
  }

  /** Whether the next read has to find out which transactions have begun. While nothing happens, none has to. */
  get asksWhatBegan(): boolean {
    return this.#next === null && this.#newest > this.#position
  }

  /** Takes what was read after the position. @returns what was not read before */
  take({ events, endedBelow, begunBelow }: EventRead): RecentEvent[] {
    const fresh = events.filter(({ sequence }) => !this.#events.has(sequence))
    for (const event of fresh) this.#events.set(event.sequence, event)
    if (this.#next !== null && endedBelow >= this.#next.endedBelow) {
      this.#moveTo(this.#next.position)
      this.#next = null
    } else if (begunBelow !== null) this.#next ??= { position: this.#newest, endedBelow: begunBelow }
    const newest = events.at(-1)?.sequence ?? this.#newest
    if (newest > this.#newest) this.#newest = newest
    this.#forget()
    return fresh
  }

  /** Returns the events after the position of another reader; null if some of them are not remembered, or it has none of ours. */
  after(position: bigint): RecentEvent[] | null {
    if (position < this.#forgotten || position > this.#newest) return null
    return [...this.#events.values()].filter(({ sequence }) => sequence > position)
  }

  #forget(): void {
    for (const sequence of this.#events.keys()) {
      if (this.#events.size <= REMEMBERED) return
      this.#events.delete(sequence)
      if (sequence > this.#forgotten) this.#forgotten = sequence
      this.#moveTo(sequence)
    }
  }

  #moveTo(position: bigint): void {
    if (position > this.#position) this.#position = position
  }
}
