import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'
import * as accounts from '../../../../apps/server/src/tenancy/migrations/0001-accounts.ts'
import * as calls from '../../../../apps/server/src/features/calls/migrations/0002-calls.ts'
import * as webhooks from '../../../../apps/server/src/features/webhooks/migrations/0003-webhooks.ts'
import * as verifications from '../../../../apps/server/src/features/identity/migrations/0004-verifications.ts'
import * as accountIdentity from '../../../../apps/server/src/tenancy/migrations/0005-account-identity.ts'
import * as modes from '../../../../apps/server/src/tenancy/migrations/0006-modes.ts'
import * as webhookOutbox from '../../../../apps/server/src/features/webhooks/migrations/0007-webhook-outbox.ts'
import * as atRest from '../../../../apps/server/src/features/calls/migrations/0008-at-rest.ts'
import * as pendingVerifications from '../../../../apps/server/src/features/identity/migrations/0009-pending-verifications.ts'
import * as verificationAttempts from '../../../../apps/server/src/features/identity/migrations/0010-verification-attempts.ts'
import * as bounds from '../../../../apps/server/src/tenancy/migrations/0011-bounds.ts'
import * as erasure from '../../../../apps/server/src/tenancy/migrations/0012-erasure.ts'

const MIGRATIONS = {
  '0001-accounts': accounts,
  '0002-calls': calls,
  '0003-webhooks': webhooks,
  '0004-verifications': verifications,
  '0005-account-identity': accountIdentity,
  '0006-modes': modes,
  '0007-webhook-outbox': webhookOutbox,
  '0008-at-rest': atRest,
  '0009-pending-verifications': pendingVerifications,
  '0010-verification-attempts': verificationAttempts,
  '0011-bounds': bounds,
  '0012-erasure': erasure,
}

/** Whether this one was applied says whether the schema is that of this version, or of a later one. */
export const LATEST_MIGRATION = Object.keys(MIGRATIONS).toSorted().at(-1) ?? ''

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
async function laterMigrations(database: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name collate "C" > ${LATEST_MIGRATION}
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

const createMigrator = (database: Db): Migrator =>
  new Migrator({
    db: database,
    provider: {
      // Asked for under the lock, when every other process has done its part.
      async getMigrations() {
        const later = await laterMigrations(database)
        return { ...MIGRATIONS, ...Object.fromEntries(later.map((name) => [name, LATER])) }
      },
    },
  })

/**
 * Brings the schema up to date. Safe when several processes start at once: they take turns on an advisory lock.
 *
 * @returns the names of what was done now
 * @throws LaterSchemaError if the schema is a later one that this version cannot run on
 */
export async function migrate(database: Db): Promise<string[]> {
  const { error, results = [] } = await createMigrator(database).migrateToLatest()
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}

/**
 * Names of the migrations of this version that are still to be done.
 *
 * @throws LaterSchemaError if the schema is a later one that this version cannot run on
 */
export async function pendingMigrations(database: Db): Promise<string[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(database)
  if (rows[0]?.exists !== true) return Object.keys(MIGRATIONS).toSorted()
  const migrations = await createMigrator(database).getMigrations()
  return migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}
