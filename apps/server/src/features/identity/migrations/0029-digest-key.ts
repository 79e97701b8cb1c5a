import { type Kysely, sql } from 'kysely'

/** Makes the new unique index the primary key, which also replaces the index by verification. A verification has 19 digests. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table media_fingerprints drop constraint media_fingerprints_pkey,
      add constraint media_fingerprints_pkey primary key using index media_fingerprints_of_one;
    drop index media_fingerprints_of_verification;
  `.execute(database)
}
