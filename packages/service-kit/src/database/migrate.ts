import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'

/** By name, in whose order they are done: a number, and what it changes. */
export type Migrations = Readonly<Record<string, Migration>>

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

/**
 * Names of the migrations of later versions that the database has had. Most only add, so this version runs on them: it can
 * be rolled back to, and restarted while a later one is rolled out.
 *
 * @throws LaterSchemaError if one of them says that it breaks this version
 */
async function laterMigrations(database: Db, migrations: Migrations): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name collate "C" > ${latestOf(migrations)}
    order by name collate "C"`.execute(database)
  const names = rows.map(({ name }) => name)
  const breaking = names.filter((name) => name.endsWith(BREAKING))
  if (breaking.length > 0) throw new LaterSchemaError(breaking)
  return names
}

/** Never runs: it was run by the version that has it. */
const LATER: Migration = {
  up: () => Promise.reject(new Error('A migration of a later version cannot be run by this one')),
}

const createMigrator = (database: Db, migrations: Migrations): Migrator =>
  new Migrator({
    db: database,
    provider: {
      // Asked for under the lock, when every other process has done its part.
      async getMigrations() {
        const later = await laterMigrations(database, migrations)
        return { ...migrations, ...Object.fromEntries(later.map((name) => [name, LATER])) }
      },
    },
  })

/**
 * Brings the schema up to date. Safe when several processes start at once: they take turns on an advisory lock.
 *
 * @returns the names of what was done now
 * @throws LaterSchemaError if the schema is a later one that this version cannot run on
 */
export async function migrate(database: Db, migrations: Migrations): Promise<string[]> {
  const { error, results = [] } = await createMigrator(database, migrations).migrateToLatest()
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
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
