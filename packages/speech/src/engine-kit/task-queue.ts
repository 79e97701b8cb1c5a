import { createFairQueue } from '@vaani/turns'

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
  const lanes = { first: createFairQueue<Waiting<Task>>(), later: createFairQueue<Waiting<Task>>() }
  const waiting = new Map<Task, Waiting<Task>>()
  let tookLater = false

  return {
    add(entry) {
      const one = { ...entry, sinceMs: nowMs() }
      waiting.set(entry.task, one)
      lanes[entry.priority].add(entry.tenant, one)
    },
    take() {
      const later = lanes.later.next()
      const waitsMs = later?.resumed === true ? RESUMED_WAITS_MS : LATER_WAITS_MS
      const isLate = later !== undefined && nowMs() - later.sinceMs >= waitsMs
      const first = isLate && !tookLater ? undefined : lanes.first.next()
      const entry = lanes[first === undefined ? 'later' : 'first'].take()
      if (entry === undefined) return undefined
      tookLater = entry.priority === 'later'
      waiting.delete(entry.task)
      return entry.task
    },
    remove(task) {
      const entry = waiting.get(task)
      if (entry === undefined) return
      lanes[entry.priority].remove(entry.tenant, entry)
      waiting.delete(task)
    },
    size: () => waiting.size,
    sizeOf: (tenant) => lanes.first.sizeOf(tenant) + lanes.later.sizeOf(tenant),
    firstSize: () => lanes.first.size(),
  }
}
