import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'
import { inTurn } from './take-turn.ts'

/** One change of the schema. */
export interface SchemaMigration extends Migration {
  /**
   * Runs the migration without a transaction, which building an index concurrently requires. If the process dies midway, the
   * next one runs the migration again from the start, so each statement must be idempotent.
   */
  readonly outsideTransaction?: boolean
}

/** Migrations by name, e.g. `0002-calls`. They run in the order of their names. */
export type Migrations = Readonly<Record<string, SchemaMigration>>

/** Joins the migrations of several parts. Numbers must be unique. */
export function joinMigrations(parts: readonly Migrations[]): Migrations {
  const named = parts.flatMap((part) => Object.entries(part))
  const numbers = named.map(([name]) => name.slice(0, name.indexOf('-')))
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (twice !== undefined) throw new Error(`Two migrations have the number ${twice}`)
  return Object.fromEntries(named)
}

/** Returns the last migration. If it was applied, the schema is that of this version or of a later one. */
export const latestOf = (migrations: Migrations): string => Object.keys(migrations).toSorted().at(-1) ?? ''

/** Suffix of migrations whose schema earlier versions cannot run on. */
const BREAKING = '-breaking'

/** A later version changed the database so that this version cannot run on it. The message is for operators. */
export class LaterSchemaError extends Error {
  override readonly name = 'LaterSchemaError'
  readonly code = 'later_schema'

  constructor(migrations: readonly string[]) {
    super(
      `A later version has changed the database so that this one cannot run on it (${migrations.join(', ')}): run that version, or restore the backup from before it`,
    )
  }
}

/** There are migrations to apply, and the role of this process may not. The message is for operators. */
export class MigrationRightsError extends Error {
  override readonly name = 'MigrationRightsError'
  readonly code = 'migration_rights'

  constructor(migrations: readonly string[], options: ErrorOptions) {
    super(
      `The database must be migrated (${migrations.join(', ')}), and this role does not own its tables: run the command migrate with the DATABASE_URL of the role that owns them`,
      options,
    )
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

async function appliedMigrations(database: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database)
  return rows.map(({ name }) => name)
}

/**
 * Returns the names of applied migrations that come after the given one.
 *
 * @throws LaterSchemaError if this version cannot run on the schema of one of them that it does not have
 */
function laterThan(latest: string, applied: readonly string[], migrations: Migrations): string[] {
  const later = applied.filter((name) => name > latest).toSorted()
  const breaking = later.filter((name) => name.endsWith(BREAKING) && migrations[name] === undefined)
  if (breaking.length > 0) throw new LaterSchemaError(breaking)
  return later
}

/** Stands for a migration that was applied already, by a later version, or just before it is recorded. */
const DONE: Migration = { up: () => Promise.resolve() }

const migrationsOf = (migrations: Migrations, which: (name: string) => boolean): Migrations =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => which(name)))

/**
 * Creates a migrator that tolerates applied migrations of later versions. These mostly add to the schema, so this version can
 * run on it, which permits rollbacks, and restarts during the rollout of a later version.
 *
 * @param database for queries while the migrator is busy on `connection`
 */
const createMigrator = async (
  database: Db,
  migrations: Migrations,
  { until = latestOf(migrations), connection = database } = {},
): Promise<Migrator> =>
  new Migrator({
    db: connection,
    // Without it, the library would take the table of another service in the same database for ours.
    migrationTableSchema: await currentSchema(database),
    provider: {
      // Called under the lock, after all other processes have finished their migrations.
      async getMigrations() {
        const wanted = migrationsOf(migrations, (name) => name <= until)
        const later = laterThan(latestOf(wanted), await appliedMigrations(database), migrations)
        return { ...wanted, ...Object.fromEntries(later.map((name) => [name, DONE])) }
      },
    },
  })

async function currentSchema(database: Db): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(database)
  return rows[0]?.schema ?? 'public'
}

/**
 * Migrates the schema. Safe if several processes start concurrently, because they take turns. Consecutive migrations share a
 * transaction, except those outside transactions.
 *
 * @returns the names of the migrations applied now
 * @throws LaterSchemaError if the schema is a later one that this version cannot run on
 * @throws MigrationRightsError if the role may not change the schema
 */
export async function migrate(database: Db, migrations: Migrations): Promise<string[]> {
  const pending = await pendingMigrations(database, migrations)
  if (pending.length === 0) return []
  return migrateInTurn(database, migrations).catch((error: unknown) => {
    const isRefused = error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE
    throw isRefused ? new MigrationRightsError(pending, { cause: error }) : error
  })
}

const migrateInTurn = (database: Db, migrations: Migrations): Promise<string[]> =>
  inTurn(database, async (connection) => {
    const done: string[] = []
    for (const until of await stepsOf(database, migrations)) {
      const alone = migrations[until]?.outsideTransaction === true
      // Run without the migrator's lock, because another process waiting for it would block building an index.
      if (alone) await migrations[until]?.up(connection)
      const known = alone ? { ...migrations, [until]: DONE } : migrations
      const migrator = await createMigrator(database, known, { until, connection })
      const { error, results = [] } = await migrator.migrateToLatest()
      if (error) throw error
      done.push(...results.map(({ migrationName }) => migrationName))
    }
    return done
  })

/** Returns the last migration of each pending step. A step is one migration that runs alone, or those sharing a transaction. */
async function stepsOf(database: Db, migrations: Migrations): Promise<string[]> {
  const pending = await pendingMigrations(database, migrations)
  const isAlone = (name: string | undefined) =>
    name !== undefined && migrations[name]?.outsideTransaction === true
  return pending.filter((name, index) => {
    const next = pending[index + 1]
    return next === undefined || isAlone(name) || isAlone(next)
  })
}

/**
 * Returns the names of this version's pending migrations. Every start asks, so it does not ask the migrator, which describes every column
 * of the database first.
 *
 * @throws LaterSchemaError if the schema is a later one that this version cannot run on
 */
export async function pendingMigrations(database: Db, migrations: Migrations): Promise<string[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(database)
  const applied = rows[0]?.exists === true ? await appliedMigrations(database) : []
  laterThan(latestOf(migrations), applied, migrations)
  const known = new Set(applied)
  return Object.keys(migrations)
    .filter((name) => !known.has(name))
    .toSorted()
}
