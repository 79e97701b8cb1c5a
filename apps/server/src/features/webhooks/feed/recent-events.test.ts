import { firstIdAt } from '@vaani/service-kit/ids'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RecentEvent, RecentEvents, REMEMBERED } from './recent-events.ts'

const eventAt = (sequence: bigint): RecentEvent => ({
  sequence,
  accountId: firstIdAt('account', 0),
  livemode: false,
  type: 'call.failed',
  objectId: `call_${sequence}`,
})
const eventsUpTo = (count: number) => Array.from({ length: count }, (_, index) => eventAt(BigInt(index + 1)))

/** A database in which transactions take a sequence, then an id, and end, each in any order among them. */
class Database {
  #sequence = 0n
  #id = 100n
  #open: { sequence: bigint; id: bigint | null }[] = []
  readonly ended: bigint[] = []

  begin(): void {
    this.#open.push({ sequence: ++this.#sequence, id: null })
  }

  /** Gives ids to the transactions that have begun, as they get one right after the sequence. */
  giveIds(): void {
    for (const one of this.#open) one.id ??= this.#id++
  }

  end(index: number): void {
    const [one] = this.#open.splice(index % Math.max(1, this.#open.length), 1)
    if (one !== undefined) this.ended.push(one.sequence)
  }

  /** The lowest sequence that may still appear. */
  lowestOpen(): bigint {
    return this.#open.reduce(
      (lowest, { sequence }) => (sequence < lowest ? sequence : lowest),
      this.#sequence + 1n,
    )
  }

  read({ position, asksWhatBegan }: RecentEvents) {
    const ids = this.#open.flatMap(({ id }) => id ?? [])
    const visible = this.ended.filter((sequence) => sequence > position)
    return {
      events: visible.sort((one, other) => Number(one - other)).map(eventAt),
      endedBelow: ids.reduce((lowest, id) => (id < lowest ? id : lowest), this.#id),
      begunBelow: asksWhatBegan ? this.#id : null,
    }
  }
}

const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({ act: 'begin' as const }) },
    { weight: 1, arbitrary: fc.nat(3).map((index) => ({ act: 'end' as const, index })) },
    { weight: 2, arbitrary: fc.constant({ act: 'read' as const }) },
  ),
  { minLength: 20, maxLength: 200 },
)

describe('the events that were read last', () => {
  test('are each passed on once, in whatever order transactions end, and the position passes over none', () => {
    fc.assert(
      fc.property(steps, (acts) => {
        const database = new Database()
        const recent = new RecentEvents(0n)
        const passedOn: bigint[] = []
        const read = () => {
          passedOn.push(...recent.take(database.read(recent)).map(({ sequence }) => sequence))
          expect(recent.position).toBeLessThan(database.lowestOpen())
          // Until the next read, those that had begun get their ids.
          database.giveIds()
        }
        for (const step of acts) {
          if (step.act === 'begin') database.begin()
          else if (step.act === 'end') database.end(step.index)
          else read()
        }
        read()
        expect(new Set(passedOn).size).toBe(passedOn.length)
        expect(new Set(passedOn)).toEqual(new Set(database.ended))
      }),
    )
  })

  test('move the position to the newest once nothing is open', () => {
    const recent = new RecentEvents(0n)
    for (let count = 0; count < 4; count++)
      recent.take({ events: eventsUpTo(5), endedBelow: 200n, begunBelow: recent.asksWhatBegan ? 200n : null })
    expect(recent.position).toBe(5n)
    expect(recent.asksWhatBegan).toBe(false)
  })

  test('are found after a position, unless that is forgotten or was never reached', () => {
    const recent = new RecentEvents(0n)
    recent.take({ events: eventsUpTo(REMEMBERED + 3), endedBelow: 1n, begunBelow: null })
    expect(recent.after(2n)).toBeNull()
    expect(recent.after(3n)).toHaveLength(REMEMBERED)
    expect(recent.after(BigInt(REMEMBERED) + 1n)?.map(({ objectId }) => objectId)).toEqual([
      `call_${REMEMBERED + 2}`,
      `call_${REMEMBERED + 3}`,
    ])
    expect(recent.after(BigInt(REMEMBERED) + 3n)).toEqual([])
    expect(recent.after(BigInt(REMEMBERED) + 4n)).toBeNull()
  })

  test('are never read again once they are forgotten, however long a transaction is open', () => {
    const recent = new RecentEvents(0n)
    recent.take({ events: eventsUpTo(REMEMBERED + 3), endedBelow: 1n, begunBelow: null })
    expect(recent.position).toBe(3n)
  })
})
