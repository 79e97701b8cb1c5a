import { createMigration } from '@vaani/client/migration'
import { connection } from '../../session/session.ts'

/** The worker of the migration, which the server asks with a key that no page has. */
export const worker = createMigration(connection)

/** Names what was read of the migration. */
export const MIGRATION_KEY = ['migration'] as const

export const POLL_MS = 5000
