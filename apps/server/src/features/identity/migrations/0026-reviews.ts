import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Adds claims on reviews, and the record of what people did in them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table verifications
      add column if not exists claim_key_id text,
      add column if not exists claim_reviewer text,
      add column if not exists claim_expires_at timestamptz`.execute(database)
  await sql`
    create table if not exists review_entries (
      entry_id text primary key,
      verification_id text not null references verifications,
      type text not null check (type in ('claim', 'release', 'look', 'note', 'vote')),
      key_id text not null,
      reviewer text,
      decision text check ((type = 'vote') = (decision is not null)),
      artifact text check ((type = 'look') = (artifact is not null)),
      note bytea,
      created_at timestamptz not null
    )`.execute(database)
  await buildIndex(
    database,
    'review_entries_of_verification',
    sql`on review_entries (verification_id, entry_id desc)`,
  )
  await buildIndex(
    database,
    'review_entries_votes',
    sql`on review_entries (verification_id, entry_id) where type = 'vote'`,
  )
  const ofAccount = sql`on verifications (account_id, livemode, verification_id) where status = 'review'`
  await buildIndex(database, 'verifications_in_review', ofAccount)
  await buildIndex(
    database,
    'verifications_claimed_for_review',
    sql`${ofAccount} and claim_expires_at is not null`,
  )
}
