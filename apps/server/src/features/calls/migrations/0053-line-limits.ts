import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Lets workers share the limits of a line: when it dialled, and indexes of its calls under way and of those that wait for it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column if not exists line_admitted_at timestamptz`.execute(database)
  await sql`
    create table if not exists lines (carrier text primary key, dialled_at timestamptz[] not null)`.execute(
    database,
  )
  await buildIndex(
    database,
    'calls_on_line',
    sql`on calls (carrier) where ended_at is null and dial_started_at is not null`,
  )
  await buildIndex(
    database,
    'calls_waiting_for_line',
    sql`on calls (carrier, account_id, waiting_since)
      where status = 'queued' and dial_started_at is null and waiting_since is not null`,
  )
}
