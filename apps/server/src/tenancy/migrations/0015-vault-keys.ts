import { type Kysely, sql } from 'kysely'

/** Records the keys that secrets are sealed under, so that a start need not read every secret to find out. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table vault_keys (key_id bytea primary key check (length(key_id) = 4));
    insert into vault_keys
      select substring(sealed for 4) from webhook_secrets
      union select substring(previous_sealed for 4) from webhook_secrets where previous_sealed is not null
      union select substring(data_key for 4) from verifications where data_key is not null
      union select substring(recording_data_key for 4) from calls where recording_data_key is not null
  `.execute(database)
}
