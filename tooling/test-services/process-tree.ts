import { readdirSync, readFileSync } from 'node:fs'

/** A process, and the clock ticks that it has used, from proc(5). */
export interface ProcessTimes {
  readonly pid: number
  readonly parent: number
  /** Tells apart processes that had the same id one after another. */
  readonly startedAt: number
  readonly own: number
  /** Of its children that have ended and that it waited for, with theirs. */
  readonly waitedFor: number
}

/** Clock ticks per second, in which Linux counts; USER_HZ is 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100
/** What a process uses after it was last seen is lost if nobody waits for its end. */
const INTERVAL_MS = 250

/**
 * Adds up what a process and all its descendants use, from what is seen of them again and again. The times of an ended process are
 * in those of the parent that waited for it. Those of Chromium's renderers are nowhere, and so are those of processes that
 * outlived their parent; of these, what was last seen counts.
 */
export class ProcessTree {
  readonly #root: number
  #members = new Map<number, ProcessTimes>()
  #unclaimed = 0

  constructor(root: number) {
    this.#root = root
  }

  /** @returns the clock ticks used so far */
  observe(all: readonly ProcessTimes[]): number {
    const members = new Map(all.filter((process) => this.#isMember(process)).map((one) => [one.pid, one]))
    const childrenOf = Map.groupBy(all, ({ parent }) => parent)
    // A map's iteration includes what is added during it.
    for (const pid of members.keys())
      for (const child of childrenOf.get(pid) ?? []) members.set(child.pid, child)
    const ended = [...this.#members.values()].filter(
      ({ pid, startedAt }) => members.get(pid)?.startedAt !== startedAt,
    )
    for (const [heir, processes] of Map.groupBy(ended, (process) => this.#heirOf(process, members))) {
      const received = (members.get(heir)?.waitedFor ?? 0) - (this.#members.get(heir)?.waitedFor ?? 0)
      this.#unclaimed += Math.max(0, sumOf(processes) - received)
    }
    this.#members = members
    return sumOf([...members.values()]) + this.#unclaimed
  }

  #isMember({ pid, startedAt }: ProcessTimes): boolean {
    return pid === this.#root || this.#members.get(pid)?.startedAt === startedAt
  }

  /** Returns the closest ancestor that still runs, or a process that is no member. */
  #heirOf({ parent }: ProcessTimes, running: ReadonlyMap<number, ProcessTimes>): number {
    const last = this.#members.get(parent)
    if (last === undefined || running.get(parent)?.startedAt === last.startedAt) return parent
    return this.#heirOf(last, running)
  }
}

const sumOf = (processes: readonly ProcessTimes[]): number =>
  processes.reduce((sum, { own, waitedFor }) => sum + own + waitedFor, 0)

export const COUNTS_DESCENDANTS = process.platform === 'linux'

/**
 * Watches this process and its descendants. What a process uses within the last quarter of a second before an end that nobody waits for
 * is missing. Elsewhere than on Linux, only this process counts.
 *
 * @returns a function that returns the processor time used so far, in seconds
 */
export function watchProcesses(): () => number {
  if (!COUNTS_DESCENDANTS)
    return () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }
  const tree = new ProcessTree(process.pid)
  const observe = (): number => tree.observe(readProcesses()) / TICKS_PER_SECOND
  setInterval(observe, INTERVAL_MS).unref()
  return observe
}

function readProcesses(): ProcessTimes[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return parseStat(Number(name), readFileSync(`/proc/${name}/stat`, 'utf8'))
    } catch {
      // It has just ended.
      return []
    }
  })
}

function parseStat(pid: number, stat: string): ProcessTimes {
  // The name of the program, in parentheses, may contain anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15)
  const [parent = 0, startedAt = 0] = [fields[1], fields[19]]
  return { pid, parent, startedAt, own: user + system, waitedFor: childrenUser + childrenSystem }
}
