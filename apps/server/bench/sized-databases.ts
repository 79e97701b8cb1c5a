import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDatabase, type Db } from '@vaani/service-kit/database/connect'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import { migrate } from '@vaani/service-kit/database/migrate'
import pg from 'pg'
import { features } from '../src/features.ts'

export interface SizedDatabases extends AsyncDisposable {
  /** Creates a migrated database, and fills it. */
  prepare(rows: number, fill: (pool: pg.Pool, rows: number) => Promise<void>): Promise<Db>
}

/** Starts a Postgres for databases that differ in size only. */
export async function startSizedDatabases(): Promise<SizedDatabases> {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-sized-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
  held.defer(() => postgres.stop())
  const cleanUp = held.move()
  return {
    async prepare(rows, fill) {
      const admin = new pg.Client(postgres.connection)
      await admin.connect()
      await admin.query(`create database rows_${rows}`)
      await admin.end()
      const pool = new pg.Pool({ ...postgres.connection, database: `rows_${rows}` })
      // Ignore connection errors after Postgres stops, so that they do not mask the first error.
      pool.on('error', () => undefined)
      const database = createDatabase(pool)
      await migrate(database, features.migrations)
      cleanUp.defer(() => database.destroy())
      await fill(pool, rows)
      return database
    },
    [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
  }
}
