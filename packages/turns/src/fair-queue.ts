/** What waits, by tenant. Tenants take turns, so none waits for another's burst. */
export interface FairQueue<Item> {
  /** Adds an item that is not in the queue. The urgent ones of a tenant precede its others; they do not precede another tenant's. */
  add(tenant: string, item: Item, options?: { isUrgent?: boolean | undefined }): void
  /** Returns the item whose turn it is. */
  next(): Item | undefined
  /**
   * Takes the item whose turn it is.
   *
   * @param loadOf what a tenant holds already, or undefined if it may get nothing now. The tenant with the least comes first, and
   *   equal ones in turn.
   */
  take(loadOf?: (tenant: string) => number | undefined): Item | undefined
  /** Removes an item if it is queued. */
  remove(tenant: string, item: Item): void
  size(): number
  /** Counts the items of a tenant, urgent or others. */
  sizeOf(tenant: string, options?: { isUrgent?: boolean | undefined }): number
}

interface Waiting<Item> {
  readonly urgent: Set<Item>
  readonly others: Set<Item>
}

/**
 * Creates an empty queue. Everything takes constant time, except that `take` with loads looks at the tenants that wait.
 *
 * @example
 * const queue = createFairQueue<string>()
 * for (const [tenant, item] of [['a', 'a1'], ['a', 'a2'], ['b', 'b1']]) queue.add(tenant, item)
 * queue.take() // 'a1', then 'b1', then 'a2'
 */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** Those that have items, in the order of their turns. */
  const tenants = new Map<string, Waiting<Item>>()
  let size = 0

  const firstOf = ({ urgent, others }: Waiting<Item>): Item | undefined =>
    (urgent.size > 0 ? urgent : others).values().next().value

  function chooseTenant(loadOf: (tenant: string) => number | undefined): string | undefined {
    let chosen: { tenant: string; load: number } | undefined
    for (const tenant of tenants.keys()) {
      const load = loadOf(tenant)
      if (load === 0) return tenant
      if (load !== undefined && load < (chosen?.load ?? Infinity)) chosen = { tenant, load }
    }
    return chosen?.tenant
  }

  function remove(tenant: string, item: Item): boolean {
    const waiting = tenants.get(tenant)
    if (waiting === undefined || !(waiting.urgent.delete(item) || waiting.others.delete(item))) return false
    size--
    if (waiting.urgent.size + waiting.others.size === 0) tenants.delete(tenant)
    return true
  }

  return {
    add(tenant, item, { isUrgent = false } = {}) {
      const waiting = tenants.get(tenant) ?? { urgent: new Set(), others: new Set() }
      tenants.set(tenant, waiting)
      waiting[isUrgent ? 'urgent' : 'others'].add(item)
      size++
    },
    next() {
      const waiting = tenants.values().next().value
      return waiting && firstOf(waiting)
    },
    take(loadOf = () => 0) {
      const tenant = chooseTenant(loadOf)
      const waiting = tenant === undefined ? undefined : tenants.get(tenant)
      const item = waiting && firstOf(waiting)
      if (tenant === undefined || waiting === undefined || item === undefined) return undefined
      remove(tenant, item)
      // Its next turn is after everyone's.
      if (tenants.delete(tenant)) tenants.set(tenant, waiting)
      return item
    },
    remove,
    size: () => size,
    sizeOf(tenant, { isUrgent = false } = {}) {
      return tenants.get(tenant)?.[isUrgent ? 'urgent' : 'others'].size ?? 0
    },
  }
}
