import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Adds what erasing a person needs: when it was done, and indexes to find the digests, the pending verifications, the new
 * deliveries and the stored responses of a verification, and the verifications that have reached their retention. That index
 * replaces `verifications_to_erase`, which missed extracted data whose media was never stored.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table verifications add column if not exists erased_at timestamptz`.execute(database)
  await sql`alter table idempotency_keys add column if not exists object_id text`.execute(database)
  const due = sql`(account_id, (coalesce(decided_at, created_at))) where status <> 'pending'`
  await buildIndex(
    database,
    'verifications_media_due',
    sql`on verifications ${due} and (data_key is not null or media_erased_at is null)`,
  )
  await buildIndex(database, 'verifications_person_due', sql`on verifications ${due} and erased_at is null`)
  await buildIndex(
    database,
    'verifications_pending_of_subject',
    sql`on verifications (account_id, livemode, external_id) where status = 'pending' and external_id is not null`,
  )
  await buildIndex(
    database,
    'media_fingerprints_of_verification',
    sql`on media_fingerprints (verification_id)`,
  )
  await buildIndex(database, 'webhook_outbox_of_event', sql`on webhook_outbox (event_id)`)
  await buildIndex(
    database,
    'idempotency_keys_of_object',
    sql`on idempotency_keys (object_id) where object_id is not null`,
  )
  await sql`drop index concurrently if exists verifications_to_erase`.execute(database)
}
