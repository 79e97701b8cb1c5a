/** A row that this process holds. */
export interface HeldRow<Row> {
  readonly row: Row
  /** The worker under whose lease it was claimed. */
  readonly workerId: string
}

/** How many rows a loop works on at a time, and how many more it holds, so that few claims suffice. */
export interface Capacity {
  readonly places: number
  readonly ahead: number
}

/** The rows that one loop holds: first they wait, then they take a place, and last they are settled. */
export interface HeldRows<Row> {
  add(rows: readonly Row[], workerId: string): void
  /** Gives the oldest waiting row a place, if one is free. Drops rows of another worker id, because others may hold them now. */
  start(workerId: string | undefined, capacity: Pick<Capacity, 'places'>): HeldRow<Row> | undefined
  /** Frees the place of a row, which stays held. */
  freePlace(held: HeldRow<Row>): void
  letGo(held: HeldRow<Row>): void
  /** Drops waiting rows. @returns those dropped */
  drop(which: (row: Row) => boolean): Row[]
  /** How many rows to claim now: none while enough are waiting. */
  room(capacity: Capacity): number
  /** Counts the rows that have a place. */
  working(): number
  waiting(): readonly Row[]
  heldBy(workerId: string): Row[]
}

export function createHeldRows<Row>(): HeldRows<Row> {
  let waiting: HeldRow<Row>[] = []
  const held = new Set<HeldRow<Row>>()
  const working = new Set<HeldRow<Row>>()

  return {
    add(rows, workerId) {
      for (const row of rows) {
        const one = { row, workerId }
        held.add(one)
        waiting.push(one)
      }
    },
    start(workerId, { places }) {
      if (working.size >= places) return undefined
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (next.workerId === workerId) {
          working.add(next)
          return next
        }
        held.delete(next)
      }
      return undefined
    },
    freePlace: (one) => void working.delete(one),
    letGo(one) {
      working.delete(one)
      held.delete(one)
    },
    drop(which) {
      const dropped = waiting.filter(({ row }) => which(row))
      waiting = waiting.filter((one) => !dropped.includes(one))
      for (const one of dropped) held.delete(one)
      return dropped.map(({ row }) => row)
    },
    room({ places, ahead }) {
      const isLow = waiting.length + working.size < places || waiting.length < ahead / 2
      return isLow ? Math.max(0, places + ahead - working.size - waiting.length) : 0
    },
    working: () => working.size,
    waiting: () => waiting.map(({ row }) => row),
    heldBy: (workerId) =>
      Array.from(held)
        .filter((one) => one.workerId === workerId)
        .map(({ row }) => row),
  }
}
