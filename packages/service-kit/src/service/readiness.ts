import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import { endOf } from '../lifecycle/stop-deadline.ts'

/** The checks that must pass for a server to be ready. */
export type ReadinessCheck = 'running' | 'database' | 'migrations' | BackgroundWorker['name']

/** The default timeout of a Kubernetes probe. */
const TIMEOUT_MS = 1000

/** Creates a function that checks whether this process can do its work, and returns the failing checks. */
export function createReadiness(options: {
  database: Db
  latestMigration: string
  workers: readonly BackgroundWorker[]
  stopping: AbortSignal
}): () => Promise<readonly ReadinessCheck[]> {
  const { database, latestMigration, workers, stopping } = options
  let asking: Promise<ReadinessCheck | null> | undefined

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

  /** Shares one query between concurrent callers, so that a hanging database is not queried again. */
  async function askOnce(): Promise<ReadinessCheck | null> {
    asking ??= ask().finally(() => (asking = undefined))
    let failing: ReadinessCheck | null = 'database'
    await endOf(
      asking.then((found) => (failing = found)),
      AbortSignal.timeout(TIMEOUT_MS),
    )
    return failing
  }

  return async () => {
    if (stopping.aborted) return ['running']
    const storage = await askOnce()
    const failing = workers.filter((worker) => !worker.isWorking()).map(({ name }) => name)
    return storage === null ? failing : [storage, ...failing]
  }
}
