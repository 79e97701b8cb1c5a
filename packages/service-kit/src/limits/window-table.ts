import type { NamedRate } from './rate-limiter.ts'
import { createWindow, type RateWindow } from './window.ts'

export interface WindowBounds {
  windows: number
  times: number
}

/** Limits of each table; some 60 MB. */
const BOUNDS: WindowBounds = { windows: 100_000, times: 2_000_000 }
const MS_PER_SECOND = 1000
const QUIET_MS = 60_000

/** A window in a linked list in the order of use. A Map finds its first entry only by passing all deleted ones. */
export interface KeptWindow {
  readonly subject: string
  readonly window: RateWindow
  keptMs: number
  /** Number of times in the window when it was last kept. */
  times: number
  older: KeptWindow | null
  newer: KeptWindow | null
}

/** The windows of all subjects under one rate. */
export interface WindowTable {
  /** Returns the window of a subject, if there is one. */
  find(subject: string): RateWindow | undefined
  /** Returns the window of a subject, or a new one that counts as reported over `connection`. */
  open(subject: string, at: { nowMs: number; connection: number }): KeptWindow
  /** Call it after each change of the window. */
  keep(kept: KeptWindow, nowMs: number): void
}

export interface WindowTablesOptions {
  /** Called with the name of a rate that forgot a subject too early, at most once a minute per rate. */
  onForgotten: (name: string) => void
  bounds?: WindowBounds
}

/**
 * Creates a function that returns the table of a rate. A table keeps windows in the order in which they end, and drops up to
 * two expired ones whenever it keeps one. When it is full, it forgets the window that ends next, although it is not over. Its
 * subject then gets a new window. Refusing new subjects instead would let a crowd lock out everyone else.
 */
export function createWindowTables({
  onForgotten,
  bounds = BOUNDS,
}: WindowTablesOptions): (rate: NamedRate) => WindowTable {
  const tables = new Map<string, WindowTable>()
  return ({ name, periodSeconds }) => {
    // One table per period, because only then do windows end in the order of use.
    const id = `${name}/${periodSeconds}`
    let table = tables.get(id)
    if (table === undefined) {
      table = createWindowTable({
        periodMs: periodSeconds * MS_PER_SECOND,
        bounds,
        onForgotten: () => onForgotten(name),
      })
      tables.set(id, table)
    }
    return table
  }
}

function createWindowTable(options: {
  periodMs: number
  bounds: WindowBounds
  onForgotten: () => void
}): WindowTable {
  const { periodMs, bounds, onForgotten } = options
  const windows = new Map<string, KeptWindow>()
  let oldest: KeptWindow | null = null
  let newest: KeptWindow | null = null
  let times = 0
  let quietUntilMs = Number.NEGATIVE_INFINITY

  function unlink(kept: KeptWindow): void {
    const { older, newer } = kept
    if (older) older.newer = newer
    else oldest = newer
    if (newer) newer.older = older
    else newest = older
    times -= kept.times
  }

  function append(kept: KeptWindow): void {
    kept.older = newest
    kept.newer = null
    if (newest) newest.newer = kept
    else oldest = kept
    newest = kept
    times += kept.times
  }

  const hasRoom = () => windows.size === 1 || (windows.size <= bounds.windows && times <= bounds.times)

  function drop(nowMs: number): void {
    for (let removed = 0; oldest !== null; removed++) {
      const isOver = nowMs - oldest.keptMs >= periodMs
      if (hasRoom() && (!isOver || removed >= 2)) return
      if (!isOver && nowMs >= quietUntilMs) {
        quietUntilMs = nowMs + QUIET_MS
        onForgotten()
      }
      windows.delete(oldest.subject)
      unlink(oldest)
    }
  }

  function keep(kept: KeptWindow, nowMs: number): void {
    const listed = windows.get(kept.subject)
    if (listed) unlink(listed)
    // It may have been dropped while a reply was awaited.
    if (listed !== kept) windows.set(kept.subject, kept)
    kept.keptMs = nowMs
    kept.times = kept.window.times.length
    append(kept)
    drop(nowMs)
  }

  return {
    find: (subject) => windows.get(subject)?.window,
    open(subject, { nowMs, connection }) {
      const known = windows.get(subject)
      if (known) return known
      const window = createWindow(connection)
      const kept: KeptWindow = { subject, window, keptMs: nowMs, times: 0, older: null, newer: null }
      keep(kept, nowMs)
      return kept
    },
    keep,
  }
}
