import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { hasRoom } from '../files/has-room.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import { endOf } from '../lifecycle/stop-deadline.ts'

/** The checks that must pass for a server to be ready. */
export type ReadinessCheck = 'running' | 'database' | 'migrations' | 'storage' | BackgroundWorker['name']

/** The default timeout of a Kubernetes probe. */
const TIMEOUT_MS = 1000

/** Creates a function that checks whether this process can do its work, and returns the failing checks. */
export function createReadiness(options: {
  database: Db
  latestMigration: string
  workers: readonly BackgroundWorker[]
  /** Folders that the process writes to. */
  folders: readonly string[]
  stopping: AbortSignal
}): () => Promise<readonly ReadinessCheck[]> {
  const { database, latestMigration, workers, folders, stopping } = options

  async function ask(): Promise<ReadinessCheck | null> {
    try {
      const { rows } = await sql<{ done: boolean }>`
        select exists (select from kysely_migration where name = ${latestMigration}) as done`.execute(
        database,
      )
      return rows[0]?.done === true ? null : 'migrations'
    } catch (error) {
      // The table is missing, so this is another database, or an emptied one.
      return error instanceof Error && 'code' in error && error.code === '42P01' ? 'migrations' : 'database'
    }
  }

  async function look(): Promise<ReadinessCheck | null> {
    const room = await Promise.all(folders.map(hasRoom))
    return room.includes(false) ? 'storage' : null
  }

  const askDatabase = shareRuns(ask, 'database')
  const lookForRoom = shareRuns(look, 'storage')

  return async () => {
    if (stopping.aborted) return ['running']
    const found = await Promise.all([askDatabase(), lookForRoom()])
    const stuck = workers.filter((worker) => !worker.isWorking()).map(({ name }) => name)
    return [...found.filter((check) => check !== null), ...stuck]
  }
}

/** Shares one run of a check between concurrent callers, so that what hangs is not asked again. A late run counts as failed. */
function shareRuns(
  run: () => Promise<ReadinessCheck | null>,
  late: ReadinessCheck,
): () => Promise<ReadinessCheck | null> {
  let running: Promise<ReadinessCheck | null> | undefined
  return async () => {
    running ??= run().finally(() => (running = undefined))
    let failing: ReadinessCheck | null = late
    await endOf(
      running.then((found) => (failing = found)),
      AbortSignal.timeout(TIMEOUT_MS),
    )
    return failing
  }
}
