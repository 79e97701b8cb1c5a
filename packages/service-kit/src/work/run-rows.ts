import type { Lease, WorkerLease } from '../leases/worker-lease.ts'
import type { HeldRow, HeldRows } from './held-rows.ts'

/** What the work on a row has to watch. */
export interface Hold {
  /** Lease under which the row was claimed. */
  readonly lease: Lease
  /** Aborts at the end of the grace period of a stop. */
  readonly cut: AbortSignal
}

/** How rows are worked on. */
export interface RowWork<Row, Result> {
  /** Rows that are worked on at a time. */
  readonly places: number
  work(row: Row, hold: Hold): Promise<Result>
  /** Writes a result, while its row stays held but its place is free. The work writes it if this is missing. */
  settle?(result: Result, row: Row): Promise<void>
  /** How long to wait before the next row is started, in milliseconds. Not at all by default. */
  waitMs?(): number
  /** Called if the work on a row, or writing its result, fails. */
  onWorkError(error: unknown, row: Row): void
}

/** Works on the rows that a loop holds. */
export interface RowRunner {
  /** Starts waiting rows while places are free. */
  startAll(): void
  /** Starts no further row by itself. */
  stop(): void
  /** Aborts the work. */
  cut(): void
  /** Resolves once the work that is under way has ended. */
  ended(): Promise<unknown>
}

/** @param options.onRoom called after a row was started or has ended, when there may be room for others */
export function createRowRunner<Row, Result>(
  options: RowWork<Row, Result> & { rows: HeldRows<Row>; lease: WorkerLease; onRoom: () => void },
): RowRunner {
  const { rows, lease, places, waitMs = () => 0, onRoom } = options
  const tasks = new Set<Promise<void>>()
  const cut = new AbortController()
  let looking: NodeJS.Timeout | undefined
  let isStopping = false

  function startOne(): boolean {
    const pauseMs = waitMs()
    if (pauseMs > 0) lookAgain(pauseMs)
    const holder = pauseMs > 0 ? null : lease.current()
    if (holder === null) return false
    const next = rows.start(holder.workerId, { places })
    if (next === undefined) return false
    const task = run(next, { lease: holder, cut: cut.signal })
    tasks.add(task)
    void task.finally(() => tasks.delete(task))
    return true
  }

  function lookAgain(pauseMs: number): void {
    if (isStopping || rows.waiting().length === 0) return
    looking ??= setTimeout(() => {
      looking = undefined
      // Only then, because each look would cost a claim otherwise.
      if (startOne()) goOn()
    }, pauseMs)
  }

  function startAll(): void {
    while (startOne());
  }

  function goOn(): void {
    if (isStopping) return
    startAll()
    onRoom()
  }

  /** Never rejects. */
  async function run(held: HeldRow<Row>, hold: Hold): Promise<void> {
    const { row } = held
    try {
      const result = await options.work(row, hold)
      if (options.settle === undefined) return
      rows.freePlace(held)
      goOn()
      await options.settle(result, row)
    } catch (error) {
      options.onWorkError(error, row)
    } finally {
      rows.letGo(held)
      goOn()
    }
  }

  return {
    startAll,
    stop() {
      isStopping = true
      clearTimeout(looking)
    },
    cut: () => cut.abort(),
    ended: () => Promise.all(tasks),
  }
}
