import type { Held, HeldLanes } from './held-lanes.ts'
import type { Outcome, OutcomeStore } from './outcomes.ts'

/** Writes one kind of outcome in batches. */
export interface Writer {
  isEmpty(): boolean
  /** Writes all queued outcomes of this kind. If the write fails, the next call retries it. */
  write(): Promise<void>
}

/** Queues outcomes, writes them, and lets go of the deliveries once their outcomes are written. */
export interface Settling {
  /** Queues the outcome of a delivery, replacing one that is not yet written. */
  settle(held: Held, outcome: Outcome): void
  /** Writes new deliveries that ended, which is nearly all of them. */
  ends: Writer
  /** Writes deliveries that wait in the database, or are about to. Each write locks their lanes. */
  others: Writer
  /** Writes both kinds. */
  writeAll(): Promise<void>
  /** Returns deliveries to be parked in the database that are not there yet. */
  leaving(): Held[]
  /** Returns outbox positions, by shard, of deliveries that are no longer in hand but not yet removed from the outbox. */
  positions(): Map<number, string[]>
}

export function createSettling(options: {
  outcomes: OutcomeStore
  lanes: HeldLanes
  /** Parks a delivery in the database because an earlier one of its object waits there. */
  leave(held: Held): void
  /** Called when a delivery is about to be parked in the database. */
  onLeave(held: Held): void
  /** Called after a delivery was let go. */
  onLetGo(held: Held): void
  /** Called with the lanes on which a delivery became due. */
  onDue(laneIds: ReadonlySet<string>): void
}): Settling {
  const { outcomes, lanes, leave, onLeave, onLetGo, onDue } = options
  const settled = new Map<Held, Outcome>()
  const writing = new Map<Held, Outcome>()

  const isNew = ({ delivery }: Held): boolean => delivery.place.table === 'webhook_outbox'

  function createWriter(
    which: (held: Held, outcome: Outcome) => boolean,
    write: (batch: { delivery: Held['delivery']; outcome: Outcome }[]) => Promise<void>,
  ): Writer {
    let turn: Promise<unknown> = Promise.resolve()
    // Wait for an earlier outcome of the same delivery that is being written, because it moves the row.
    const isDue = ([held, outcome]: [Held, Outcome]) => which(held, outcome) && !writing.has(held)

    async function writeBatch(): Promise<void> {
      const batch = [...settled].filter(isDue)
      if (batch.length === 0) return
      for (const [held, outcome] of batch) {
        settled.delete(held)
        writing.set(held, outcome)
      }
      try {
        await write(batch.map(([{ delivery }, outcome]) => ({ delivery, outcome })))
      } catch (error) {
        // Outcomes that were queued since take precedence.
        for (const [held, outcome] of batch) if (!settled.has(held)) settled.set(held, outcome)
        throw error
      } finally {
        for (const [held] of batch) writing.delete(held)
      }
      for (const [held, outcome] of batch) letGo(held, outcome)
    }

    return {
      isEmpty: () => ![...settled].some(isDue),
      write() {
        const written = turn.then(writeBatch)
        // The caller gets the error; the next turn only waits for this one to end.
        turn = written.catch(() => undefined)
        return written
      },
    }
  }

  function letGo(held: Held, outcome: Outcome): void {
    const { lane, delivery } = held
    if (outcome.type !== 'ended') {
      delivery.place = { table: 'webhook_pending' }
      lane.isListed = true
      if (held.state === 'sending' || settled.has(held)) return
      const ofObject = lane.objects.get(delivery.object_id) ?? []
      if (ofObject[0] === held) for (const behind of ofObject.slice(1)) leave(behind)
    }
    lanes.letGo(held)
    onLetGo(held)
  }

  const endsNew = (held: Held, outcome: Outcome): boolean => outcome.type === 'ended' && isNew(held)

  const ends = createWriter(endsNew, (batch) => outcomes.endNew(batch))
  const others = createWriter(
    (held, outcome) => !endsNew(held, outcome),
    async (batch) => onDue(await outcomes.write(batch)),
  )

  return {
    settle(held, outcome) {
      settled.set(held, outcome)
      if (outcome.type !== 'ended') onLeave(held)
    },
    ends,
    others,
    async writeAll() {
      const results = await Promise.allSettled([ends.write(), others.write()])
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
    leaving: () =>
      [...settled, ...writing].filter(([, outcome]) => outcome.type !== 'ended').map(([held]) => held),
    positions() {
      const byShard = new Map<number, string[]>()
      for (const held of [...settled.keys(), ...writing.keys()]) {
        const { place } = held.delivery
        if (place.table !== 'webhook_outbox' || held.lane.inHand.has(held.delivery.delivery_id)) continue
        byShard.set(place.shard, [...(byShard.get(place.shard) ?? []), place.position])
      }
      return byShard
    },
  }
}
