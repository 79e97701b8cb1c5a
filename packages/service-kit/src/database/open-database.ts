import path from 'node:path'
import type { Pool, PoolConfig } from 'pg'
import type { Logger } from '../telemetry/log.ts'
import { createDatabase, type Db } from './connect.ts'
import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { type Migrations, migrate, pendingMigrations } from './migrate.ts'
import { createMigrationPool, createPool } from './pools.ts'
import { createDatabaseSockets, type DatabaseSockets } from './sockets.ts'
import { inTurn } from './take-turn.ts'
import { waitForDatabase } from './wait-for-database.ts'

export interface DatabaseSettings {
  /** If undefined, an embedded Postgres under the data directory is used. */
  databaseUrl: string | undefined
  dataDirectory: string
}

interface OpenDatabaseOptions {
  settings: DatabaseSettings
  migrations: Migrations
  /** Schema of all tables; that of the database user by default. Created if it is missing. */
  schema?: string | undefined
  log: Logger
  held: AsyncDisposableStack
  /** How long to wait for a database that is starting too. */
  waitMs: number
  /** Aborts the start. */
  signal: AbortSignal
}

/** The database of this process, migrated to the schema of this version. */
export interface OpenDatabase {
  connection: PoolConfig
  pool: Pool
  database: Db
  /** All connections to the database. */
  sockets: DatabaseSockets
  /** Resolves if an embedded database is lost for good. Never resolves for others, which may always come back. */
  lost: Promise<Error>
}

/** Opens and migrates the configured database, or else an embedded one. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { migrations, log, held, signal } = options
  const { connection, lost } = await connect(options)
  const sockets = createDatabaseSockets()
  const pool = createPool(connection, log, sockets)
  const database = createDatabase(pool)
  held.defer(() => database.destroy())
  await withMigrations({ connection, sockets, signal, run: (on) => migrate(on, migrations) })
  return { connection, pool, database, sockets, lost }
}

/** Runs migrations on connections without timeouts, because they may take long. Aborting the signal cuts the connections. */
async function withMigrations<Result>(options: {
  connection: PoolConfig
  sockets: DatabaseSockets
  signal: AbortSignal
  run: (database: Db) => Promise<Result>
}): Promise<Result> {
  const { connection, sockets, signal, run } = options
  signal.addEventListener('abort', sockets.cut)
  const database = createDatabase(createMigrationPool(connection, sockets))
  try {
    return await run(database)
  } finally {
    await database.destroy()
    signal.removeEventListener('abort', sockets.cut)
  }
}

/**
 * Migrates the configured database, or only checks for pending migrations.
 *
 * @returns the names of the applied migrations, or of the pending ones
 */
export async function migrateDatabase(
  options: Omit<OpenDatabaseOptions, 'held'> & { isCheck: boolean },
): Promise<string[]> {
  const { migrations, isCheck, signal } = options
  await using held = new AsyncDisposableStack()
  const { connection } = await connect({ ...options, held })
  const run = (database: Db) => (isCheck ? pendingMigrations : migrate)(database, migrations)
  return await withMigrations({ connection, sockets: createDatabaseSockets(), signal, run })
}

async function connect(options: OpenDatabaseOptions) {
  const { schema } = options
  const { connection, lost } = await connectToDefault(options)
  if (schema === undefined) return { connection, lost }
  await createSchema(connection, schema)
  return { connection: { ...connection, options: `-c search_path=${schema}` }, lost }
}

async function createSchema(connection: PoolConfig, schema: string): Promise<void> {
  const database = createDatabase(createMigrationPool(connection))
  try {
    await inTurn(database, (turn) => turn.schema.createSchema(schema).ifNotExists().execute())
  } finally {
    await database.destroy()
  }
}

async function connectToDefault({ settings, log, held, waitMs, signal }: OpenDatabaseOptions): Promise<{
  connection: PoolConfig
  lost: Promise<Error>
}> {
  if (settings.databaseUrl !== undefined) {
    await waitForDatabase({ connectionString: settings.databaseUrl, log, waitMs, signal })
    return {
      connection: { connectionString: settings.databaseUrl },
      lost: new Promise<Error>(() => undefined),
    }
  }
  const directory = path.join(settings.dataDirectory, 'postgres')
  const postgres = await startEmbeddedPostgres({ directory, logger: log, signal })
  held.defer(() => postgres.stop())
  return { connection: postgres.connection, lost: postgres.lost }
}
