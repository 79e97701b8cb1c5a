import type { Held, HeldLanes } from './held-lanes.ts'
import type { Outcome, OutcomeStore } from './outcomes.ts'

/** Writes one kind of outcomes, many at once. */
export interface Writer {
  isEmpty(): boolean
  /** What fails is tried again at the next call. */
  write(): Promise<void>
}

/** Outcomes that are still to be written, and what they change in hand once they are. */
export interface Settling {
  /** What is to be written of a delivery; what was to be written before, and is not yet, no longer matters. */
  settle(held: Held, outcome: Outcome): void
  /** New deliveries that ended: nearly all of them. */
  ends: Writer
  /** Those that wait in the database, or are to; each writing locks their lanes. */
  others: Writer
  /** Writes all of it. */
  writeAll(): Promise<void>
  /** Deliveries that are to wait in the database, and do not yet. */
  leaving(): Held[]
  /** Positions in the outbox, by shard, of what is not in hand and has still to be taken out. */
  positions(): Map<number, string[]>
}

export function createSettling(options: {
  outcomes: OutcomeStore
  lanes: HeldLanes
  /** Has a delivery wait in the database, as an earlier one of its object does. */
  leave(held: Held): void
  /** A delivery is to wait in the database. */
  onLeave(held: Held): void
  /** A delivery was let go. */
  onLetGo(held: Held): void
  /** On these lanes something became due. */
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
    // What was to be written of it before may be on its way, and says where it is found.
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
        // What has happened since is what counts.
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
        // Whoever asked gets the error; the next turn only waits for this one to be over.
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
