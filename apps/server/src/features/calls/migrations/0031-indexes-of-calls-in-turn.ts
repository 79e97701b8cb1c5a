import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes queued calls: those whose time has to come by that time, and those that wait by account. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const isQueued = sql`status = 'queued' and dial_started_at is null`
  await buildIndex(
    database,
    'calls_to_come',
    sql`on calls (coalesce(scheduled_at, created_at)) where ${isQueued} and waiting_since is null`,
  )
  await buildIndex(
    database,
    'calls_in_turn',
    sql`on calls (account_id, waiting_since) where ${isQueued} and waiting_since is not null`,
  )
}
