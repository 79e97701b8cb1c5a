import { createFairQueue } from '@vaani/turns'

/** With less audio in hand, speech takes turns with that which nobody has heard yet. */
export const URGENT_MS = 200
/** Audio in hand that is assumed of speech that goes on, if nobody says how much it is. */
const AHEAD_MS = 1000

export interface Entry<Task> {
  task: Task
  priority: 'first' | 'later'
  /** Tenants take turns with each other. */
  tenant: string
  /** Audio that its listener has in hand, in milliseconds. Default: none for `first`, a second for `later`. */
  aheadMs?: number | undefined
}

/**
 * Queue of tasks in which tenants take turns, so that none waits for another's burst. Those whose listeners would soon hear a gap precede
 * the others. Within a tenant, whoever would hear it first comes first.
 */
export interface TaskQueue<Task> {
  add(entry: Entry<Task>): void
  take(): Task | undefined
  /** Removes a task if it is queued. */
  remove(task: Task): void
  size(): number
  sizeOf(tenant: string): number
  /** Returns the number of urgent tasks. */
  urgentSize(): number
}

interface Waiting<Task> {
  readonly task: Task
  readonly tenant: string
  /** When it becomes urgent. */
  readonly urgentAtMs: number
}

export function createTaskQueue<Task>(nowMs: () => number): TaskQueue<Task> {
  const urgent = createFairQueue<Waiting<Task>>()
  /** The others, ordered by when they become urgent; and whose turn it is. */
  const calm: Waiting<Task>[] = []
  const calmTurns = createFairQueue<Waiting<Task>>()
  const waiting = new Map<Task, Waiting<Task>>()
  const sizes = new Map<string, number>()

  function addCalm(one: Waiting<Task>): void {
    const after = calm.findLastIndex(({ urgentAtMs }) => urgentAtMs <= one.urgentAtMs)
    calm.splice(after + 1, 0, one)
    calmTurns.add(one.tenant, one)
  }
  function removeCalm(one: Waiting<Task>): void {
    const at = calm.indexOf(one)
    if (at < 0) return
    calm.splice(at, 1)
    calmTurns.remove(one.tenant, one)
  }
  function takeCalm(): Waiting<Task> | undefined {
    const turn = calmTurns.take()
    const earliest = calm.find(({ tenant }) => tenant === turn?.tenant)
    if (turn === undefined || earliest === undefined) return undefined
    // It took the turn of another task of its tenant.
    if (earliest !== turn) calmTurns.add(turn.tenant, turn)
    removeCalm(earliest)
    return earliest
  }
  function findUrgent(): void {
    const now = nowMs()
    for (let [one] = calm; one !== undefined && one.urgentAtMs <= now; [one] = calm) {
      removeCalm(one)
      urgent.add(one.tenant, one)
    }
  }
  function forget({ task, tenant }: Waiting<Task>): void {
    waiting.delete(task)
    const left = (sizes.get(tenant) ?? 0) - 1
    if (left > 0) sizes.set(tenant, left)
    else sizes.delete(tenant)
  }

  return {
    add({ task, priority, tenant, aheadMs = priority === 'first' ? 0 : AHEAD_MS }) {
      const one = { task, tenant, urgentAtMs: nowMs() + aheadMs - URGENT_MS }
      waiting.set(task, one)
      sizes.set(tenant, (sizes.get(tenant) ?? 0) + 1)
      addCalm(one)
      findUrgent()
    },
    take() {
      findUrgent()
      const one = urgent.take() ?? takeCalm()
      if (one === undefined) return undefined
      forget(one)
      return one.task
    },
    remove(task) {
      const one = waiting.get(task)
      if (one === undefined) return
      urgent.remove(one.tenant, one)
      removeCalm(one)
      forget(one)
    },
    size: () => waiting.size,
    sizeOf: (tenant) => sizes.get(tenant) ?? 0,
    urgentSize() {
      findUrgent()
      return urgent.size()
    },
  }
}
