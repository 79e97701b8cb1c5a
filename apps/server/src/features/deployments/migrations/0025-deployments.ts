import { type Kysely, sql } from 'kysely'

/** Adds the deployments of accounts, and what a server under a license remembers. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table deployments (
      deployment_id text primary key,
      account_id text not null references accounts on delete cascade,
      livemode boolean not null,
      name text not null,
      base_model text not null,
      target text not null,
      replicas integer not null,
      models text[] not null,
      seats integer not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index deployments_by_account on deployments (account_id, livemode, deployment_id desc);
    create index deployments_revoked on deployments (expires_at) where revoked_at is not null;

    create table license_state (
      single boolean primary key default true check (single),
      account_id text not null references accounts,
      key_id text not null,
      revocations text
    );

    create table license_seats (
      worker_id text primary key,
      sequence bigint not null generated always as identity
    );
  `.execute(database)
}
