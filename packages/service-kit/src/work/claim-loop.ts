import type { WorkerLease } from '../leases/worker-lease.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import { endOf, type StopDeadline } from '../lifecycle/stop-deadline.ts'
import { createHeldRows } from './held-rows.ts'
import { repeat } from '../lifecycle/repeat.ts'
import { createRowRunner, type RowWork } from './run-rows.ts'

export interface ClaimRequest<Row> {
  /** The lease under which the rows are claimed. */
  readonly workerId: string
  /** Maximum number of rows to claim. */
  readonly room: number
  /** Rows that the loop already holds under this lease. Others that name this worker are held unknowingly: a reply was lost. */
  readonly held: readonly Row[]
}

export interface ClaimLoopOptions<Row, Result> extends RowWork<Row, Result> {
  /** Name of the check in `/readyz`. */
  readonly name: string
  readonly lease: WorkerLease
  /** How late the loop notices rows of other processes, and rows that became due. */
  readonly pollMs: number
  claim(request: ClaimRequest<Row>): Promise<readonly Row[]>
  /** How many rows to claim beyond those that have a place. None by default. */
  ahead?(): number
  /** Gives back rows that will not be finished before the process stops. By default, they are free once its lease is. */
  giveBack?(rows: readonly Row[], workerId: string): Promise<void>
  /** Called with the first of several claims in a row that fail, and if rows cannot be given back. */
  onClaimError(error: unknown): void
}

/** Claims rows and works on them. */
export interface ClaimLoop<Row> extends BackgroundWorker {
  /** Signals new rows, to claim them now instead of at the next poll. */
  wake(): void
  /** Drops rows that are claimed but not started. */
  drop(which: (row: Row) => boolean): void
  /** Rows that are claimed but not started. */
  waiting(): readonly Row[]
  /** Counts the rows that are worked on. */
  working(): number
}

/**
 * Claims rows whenever places are free, and works on each at its place. Claims again at once while there is room and claims
 * find something; otherwise as soon as a place is free, and every `pollMs`. A row claimed under a lease that was lost is not
 * started.
 *
 * On stop, work goes on until the grace period ends. Rows that are still held then are given back, and their work is aborted.
 */
export function startClaimLoop<Row, Result = void>(options: ClaimLoopOptions<Row, Result>): ClaimLoop<Row> {
  const { name, lease, places, pollMs, ahead = () => 0, onClaimError } = options
  const rows = createHeldRows<Row>()
  const room = () => rows.room({ places, ahead: ahead() })
  const runner = createRowRunner({
    ...options,
    rows,
    onRoom() {
      if (room() > 0) claiming.wake()
    },
  })
  const claiming = repeat({ name, everyMs: pollMs, run: claimMore, onError: onClaimError })

  async function claimMore(): Promise<number> {
    const holder = lease.current()
    if (holder === null || room() === 0) return pollMs
    const { workerId } = holder
    const claimed = await options.claim({ workerId, room: room(), held: rows.heldBy(workerId) })
    rows.add(claimed, workerId)
    runner.startAll()
    return claimed.length > 0 && room() > 0 ? 0 : pollMs
  }

  async function giveBack(): Promise<void> {
    const workerId = lease.current()?.workerId
    // Without a lease, other workers may have claimed them already.
    if (workerId === undefined) return
    const unfinished = rows.heldBy(workerId)
    if (unfinished.length > 0) await options.giveBack?.(unfinished, workerId)
  }

  return {
    name,
    isWorking: claiming.isWorking,
    wake: claiming.wake,
    drop: (which) => void rows.drop(which),
    waiting: rows.waiting,
    working: rows.working,
    async stop({ graceOver, timeOver }: StopDeadline) {
      runner.stop()
      await endOf(claiming.stop(), timeOver)
      await endOf(runner.ended(), graceOver)
      await endOf(giveBack().catch(onClaimError), timeOver)
      runner.cut()
      await endOf(runner.ended(), timeOver)
    },
  }
}
