import { type Kysely, sql } from 'kysely'

/** Sessions of the console, and the links that start one. Both stand for a key, and end with it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table console_sessions (
      secret_hash bytea primary key check (length(secret_hash) = 32),
      account_id text not null references accounts,
      key_id text not null references api_keys,
      created_at timestamptz not null,
      used_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index console_sessions_of_key on console_sessions (key_id);
    create index console_sessions_by_expiry on console_sessions (expires_at);

    create table console_links (
      secret_hash bytea primary key check (length(secret_hash) = 32),
      key_id text not null references api_keys,
      expires_at timestamptz not null
    );
    create index console_links_by_expiry on console_links (expires_at);
  `.execute(database)
}
