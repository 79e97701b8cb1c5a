import type { Migration } from '@vaani/client'
import { createMigration } from '@vaani/client/migration'
import { connection } from '../../session/session.ts'

/** The worker of the migration, which the server asks with a key that no page has. */
export const worker = createMigration(connection)

/** Names what was read of the migration. */
export const MIGRATION_KEY = ['migration'] as const

export type Stage = Migration['stage']

/** From the first to the last. */
export const STAGES: readonly Stage[] = [
  'off',
  'shadow-1',
  'shadow-10',
  'shadow-25',
  'shadow-50',
  'shadow-100',
  'live',
  'complete',
]

/** Whether callers get the answers of v2. */
export const isAnsweredByV2 = (stage: Stage): boolean => stage === 'live' || stage === 'complete'
