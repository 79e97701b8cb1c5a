/** How long a later segment waits before it takes turns with first ones. A stream requests it with 3 s still buffered. */
const LATER_WAITS_MS = 1000
/** The same for the rest of a segment that made way after 0.4 s of speech. */
const RESUMED_WAITS_MS = 200

export interface Entry<Task> {
  task: Task
  priority: 'first' | 'later'
  /** Tenants take turns with each other. */
  tenant: string
  /** Whether its start has been heard. */
  resumed?: boolean
}

/**
 * Queue of tasks. Tenants take turns, so none waits for another's burst. First segments precede later ones, but later
 * ones that have waited too long alternate with them, so that no stream runs dry while others begin.
 */
export interface TaskQueue<Task> {
  add(entry: Entry<Task>): void
  take(): Task | undefined
  /** Removes a task if it is queued. */
  remove(task: Task): void
  size(): number
  sizeOf(tenant: string): number
  /** Returns the number of tasks of the priority `first`. */
  firstSize(): number
}

interface Waiting<Task> extends Entry<Task> {
  sinceMs: number
}

export function createTaskQueue<Task>(nowMs: () => number): TaskQueue<Task> {
  const lanes = { first: createLane<Task>(), later: createLane<Task>() }
  const waiting = new Map<Task, Waiting<Task>>()
  const sizes = new Map<string, number>()
  let tookLater = false
  let firsts = 0

  function drop(entry: Waiting<Task>): void {
    waiting.delete(entry.task)
    if (entry.priority === 'first') firsts--
    const left = (sizes.get(entry.tenant) ?? 1) - 1
    if (left === 0) sizes.delete(entry.tenant)
    else sizes.set(entry.tenant, left)
  }
  return {
    add(entry) {
      const one = { ...entry, sinceMs: nowMs() }
      waiting.set(entry.task, one)
      if (entry.priority === 'first') firsts++
      sizes.set(entry.tenant, (sizes.get(entry.tenant) ?? 0) + 1)
      lanes[entry.priority].add(one)
    },
    take() {
      const later = lanes.later.next()
      const waitsMs = later?.resumed === true ? RESUMED_WAITS_MS : LATER_WAITS_MS
      const isLate = later !== undefined && nowMs() - later.sinceMs >= waitsMs
      const first = isLate && !tookLater ? undefined : lanes.first.next()
      const entry = first ?? later
      if (entry === undefined) return undefined
      tookLater = entry.priority === 'later'
      lanes[entry.priority].shift()
      drop(entry)
      return entry.task
    },
    remove(task) {
      const entry = waiting.get(task)
      if (entry === undefined) return
      lanes[entry.priority].remove(entry)
      drop(entry)
    },
    size: () => waiting.size,
    sizeOf: (tenant) => sizes.get(tenant) ?? 0,
    firstSize: () => firsts,
  }
}

/** Entries of one priority, by tenant. The first tenant has the turn and then moves to the end. */
function createLane<Task>() {
  const tenants = new Map<string, Set<Waiting<Task>>>()
  const head = () => tenants.entries().next().value
  return {
    add(entry: Waiting<Task>) {
      const entries = tenants.get(entry.tenant)
      if (entries === undefined) tenants.set(entry.tenant, new Set([entry]))
      else entries.add(entry)
    },
    next: (): Waiting<Task> | undefined => head()?.[1].values().next().value,
    shift() {
      const [tenant, entries] = head() ?? []
      if (tenant === undefined || entries === undefined) return
      for (const entry of entries) {
        entries.delete(entry)
        break
      }
      tenants.delete(tenant)
      if (entries.size > 0) tenants.set(tenant, entries)
    },
    remove(entry: Waiting<Task>) {
      const entries = tenants.get(entry.tenant)
      entries?.delete(entry)
      if (entries?.size === 0) tenants.delete(entry.tenant)
    },
  }
}
