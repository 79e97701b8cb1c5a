import { Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as calls from './migrations/0002-calls.ts'
import * as webhooks from './migrations/0003-webhooks.ts'
import * as verifications from './migrations/0004-verifications.ts'
import * as accountIdentity from './migrations/0005-account-identity.ts'
import * as modes from './migrations/0006-modes.ts'
import * as webhookOutbox from './migrations/0007-webhook-outbox.ts'
import * as atRest from './migrations/0008-at-rest.ts'
import * as pendingVerifications from './migrations/0009-pending-verifications.ts'
import * as verificationAttempts from './migrations/0010-verification-attempts.ts'
import * as bounds from './migrations/0011-bounds.ts'

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
}

/** Whether this one was applied says whether the schema is that of this version, or of a later one. */
export const LATEST_MIGRATION = Object.keys(MIGRATIONS).toSorted().at(-1) ?? ''

/** Brings the schema up to date. Safe when several processes start at once: they take turns on an advisory lock. */
export async function migrate(database: Db): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
