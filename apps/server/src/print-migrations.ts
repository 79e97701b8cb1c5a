import { migrateDatabase } from '@vaani/service-kit/database/open-database'
import { requireDatabase } from '@vaani/service-kit/database/require-database'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { type Config, features } from './features.ts'

const DATABASE_WAIT_MS = 60_000

/**
 * Migrates the database, or only checks it, and prints a line for each migration.
 *
 * @returns whether the database is up to date now
 * @throws ConfigError if there is no database to check
 */
export async function printMigrations(
  config: Config,
  { isCheck, signal }: { isCheck: boolean; signal: AbortSignal },
): Promise<boolean> {
  if (isCheck) await requireDatabase(config)
  // Silent, because log lines would be taken for migrations.
  const log = createLogger('silent')
  const names = await migrateDatabase({
    settings: config,
    migrations: features.migrations,
    log,
    waitMs: DATABASE_WAIT_MS,
    signal,
    isCheck,
  })
  for (const name of names) process.stdout.write(`${isCheck ? 'to do' : 'done'}: ${name}\n`)
  if (names.length === 0) process.stdout.write('The database is up to date\n')
  return !isCheck || names.length === 0
}
