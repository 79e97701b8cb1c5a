import { type Kysely, sql } from 'kysely'

/** Creates the tables that the service kit uses in every service. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table leases (
      worker_id text primary key,
      expires_at timestamptz not null
    ) with (fillfactor = 50);

    create table vault_keys (key_id bytea primary key check (length(key_id) = 4));

    create table idempotency_keys (
      account_id text not null,
      livemode boolean not null,
      key text not null,
      fingerprint bytea not null,
      status integer,
      body text,
      locked_until timestamptz not null,
      created_at timestamptz not null,
      primary key (account_id, livemode, key)
    );
    create index idempotency_keys_by_age on idempotency_keys (created_at);
  `.execute(database)
}
