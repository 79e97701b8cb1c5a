import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import type { BackgroundWorker } from './background-worker.ts'
import { endOf } from './stop-deadline.ts'

/** What must hold for a server to be ready. */
export type ReadinessCheck = 'running' | 'database' | 'migrations' | BackgroundWorker['name']

/** What Kubernetes gives a probe, unless it is told otherwise. */
const TIMEOUT_MS = 1000

/** Checks whether this process can do its work, and names the checks that fail. */
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
      // There is no such table: another database, or an emptied one.
      return error instanceof Error && 'code' in error && error.code === '42P01' ? 'migrations' : 'database'
    }
  }

  /** One question at a time, however many ask: a database that hangs must not be given more. */
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
