import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'
import { inTurn } from './take-turn.ts'

/** One change of the schema. */
export interface SchemaMigration extends Migration {
  /**
   * It runs without a transaction, as building an index concurrently must. If the process dies in the middle, the next one runs
   * it again from its beginning, so each statement must do nothing if its work was done.
   */
  readonly outsideTransaction?: boolean
}

/** By name, in whose order they are done: a number, and what it changes. */
export type Migrations = Readonly<Record<string, SchemaMigration>>

/** Migrations of several parts as one; no two may have one number. */
export function joinMigrations(parts: readonly Migrations[]): Migrations {
  const named = parts.flatMap((part) => Object.entries(part))
  const numbers = named.map(([name]) => name.slice(0, name.indexOf('-')))
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (twice !== undefined) throw new Error(`Two migrations have the number ${twice}`)
  return Object.fromEntries(named)
}

/** Whether this one was applied says whether the schema is that of this version, or of a later one. */
export const latestOf = (migrations: Migrations): string => Object.keys(migrations).toSorted().at(-1) ?? ''

/** How the name of a migration ends on whose schema earlier versions cannot run. */
const BREAKING = '-breaking'

/** The database was changed by a later version in a way that this one cannot run on. The message is for operators. */
export class LaterSchemaError extends Error {
  override readonly name = 'LaterSchemaError'
  readonly code = 'later_schema'

  constructor(migrations: readonly string[]) {
    super(
      `A later version has changed the database so that this one cannot run on it (${migrations.join(', ')}): run that version, or restore the backup from before it`,
    )
  }
}

/** Names of the migrations after the last of these that the database has had. */
async function laterMigrations(database: Db, migrations: Migrations): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name collate "C" > ${latestOf(migrations)}
    order by name collate "C"`.execute(database)
  return rows.map(({ name }) => name)
}

/** Its work was done: by a later version, or before it is recorded. */
const DONE: Migration = { up: () => Promise.resolve() }

const migrationsOf = (migrations: Migrations, which: (name: string) => boolean): Migrations =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => which(name)))

/**
 * Later versions mostly add, so this one runs on their schema: it can be rolled back to, and restarted while a later one is
 * rolled out.
 *
 * @param database for what is looked up while the migrator is busy on `connection`
 */
const createMigrator = (
  database: Db,
  migrations: Migrations,
  { until = latestOf(migrations), connection = database } = {},
): Migrator =>
  new Migrator({
    db: connection,
    provider: {
      // Asked for under the lock, when every other process has done its part.
      async getMigrations() {
        const wanted = migrationsOf(migrations, (name) => name <= until)
        const later = await laterMigrations(database, wanted)
        const breaking = later.filter((name) => name.endsWith(BREAKING) && migrations[name] === undefined)
        if (breaking.length > 0) throw new LaterSchemaError(breaking)
        return { ...wanted, ...Object.fromEntries(later.map((name) => [name, DONE])) }
      },
    },
  })

/**
 * Brings the schema up to date. Safe when several processes start at once: they take turns. Migrations in a row that run in a
 * transaction share one.
 *
 * @returns the names of what was done now
 * @throws LaterSchemaError if the schema is a later one that this version cannot run on
 */
export async function migrate(database: Db, migrations: Migrations): Promise<string[]> {
  if ((await pendingMigrations(database, migrations)).length === 0) return []
  return inTurn(database, async (connection) => {
    const done: string[] = []
    for (const until of await stepsOf(database, migrations)) {
      const alone = migrations[until]?.outsideTransaction === true
      // Without the lock of the migrator: another process that waits for it would keep an index from being built.
      if (alone) await migrations[until]?.up(connection)
      const known = alone ? { ...migrations, [until]: DONE } : migrations
      const { error, results = [] } = await createMigrator(database, known, {
        until,
        connection,
      }).migrateToLatest()
      if (error) throw error
      done.push(...results.map(({ migrationName }) => migrationName))
    }
    return done
  })
}

/** The last migration of each step that is still to be done: one that runs alone, or as many as share a transaction. */
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
 * Names of the migrations of this version that are still to be done.
 *
 * @throws LaterSchemaError if the schema is a later one that this version cannot run on
 */
export async function pendingMigrations(database: Db, migrations: Migrations): Promise<string[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(database)
  if (rows[0]?.exists !== true) return Object.keys(migrations).toSorted()
  const known = await createMigrator(database, migrations).getMigrations()
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}
