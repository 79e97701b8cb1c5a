import { buildIndex } from '@vaani/service-kit/database/build-index'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Indexes digests by external id, so that a comparison passes over those of the same person without reading them, and by
 * verification, to replace the primary key.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await buildIndex(
    database,
    'media_fingerprints_by_digest',
    sql`on media_fingerprints (fingerprint, livemode, external_id, verification_id)`,
  )
  await buildIndex(
    database,
    'media_fingerprints_of_one',
    sql`on media_fingerprints (verification_id, fingerprint)`,
    { isUnique: true },
  )
}
