import { type Kysely, sql } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      account_id text primary key,
      name text not null,
      tier text not null check (tier in ('starter', 'pro', 'enterprise')),
      operator boolean not null default false,
      call_webhook_url text,
      rate_overrides json not null default '{}',
      created_at timestamptz not null
    );

    create table api_keys (
      key_id text primary key,
      account_id text not null references accounts,
      name text not null,
      hash bytea not null unique check (length(hash) = 32),
      hint text not null,
      scopes text[] not null check (cardinality(scopes) > 0),
      livemode boolean not null,
      created_at timestamptz not null,
      revoked_at timestamptz
    );
    create index api_keys_of_account on api_keys (account_id, key_id desc);

    create table caller_ids (
      caller_id_id text primary key,
      account_id text not null references accounts,
      phone_number text not null,
      verified_at timestamptz not null,
      removed_at timestamptz
    );
    create unique index caller_ids_in_use on caller_ids (account_id, phone_number) where removed_at is null;

    create table agents (
      account_id text not null references accounts,
      agent_id text not null,
      name text not null,
      language text not null,
      voice text not null,
      greeting text not null,
      translations json not null default '{}',
      primary key (account_id, agent_id)
    );

    create table idempotency_keys (
      account_id text not null references accounts,
      key text not null,
      fingerprint bytea not null,
      status integer,
      body text,
      locked_until timestamptz not null,
      created_at timestamptz not null,
      primary key (account_id, key)
    );
    create index idempotency_keys_by_age on idempotency_keys (created_at);
  `.execute(database)
}
