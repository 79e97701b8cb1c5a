import { type Kysely, sql } from 'kysely'

/**
 * A lane is the stream of deliveries to an endpoint, or to the account's URLs at one origin. One worker at a time holds a
 * lane, which keeps event order and request concurrency exact without a write per claim.
 * Events wait in the outbox until their deliveries are made, because a mark on the event would rewrite its whole row.
 * Deliveries have no foreign keys, because each would cost a lookup and a lock per row. The events they are made from do.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_secrets (
      owner_id text primary key,
      account_id text not null references accounts,
      sealed bytea not null,
      previous_sealed bytea,
      previous_until timestamptz,
      version integer not null default 1,
      constraint webhook_secrets_previous check ((previous_sealed is null) = (previous_until is null))
    );

    create table webhook_endpoints (
      endpoint_id text primary key,
      account_id text not null references accounts,
      url text not null,
      events text[] not null check (cardinality(events) > 0),
      enabled boolean not null default true,
      created_at timestamptz not null
    );
    create index webhook_endpoints_of_account on webhook_endpoints (account_id, endpoint_id desc);

    create table webhook_lanes (
      lane_id text primary key,
      endpoint_id text references webhook_endpoints,
      failures integer not null default 0,
      due_at timestamptz,
      worker_id text,
      lease_expires_at timestamptz,
      constraint webhook_lanes_lease check ((worker_id is null) = (lease_expires_at is null))
    );
    create index webhook_lanes_due on webhook_lanes (due_at) where due_at is not null;

    create table webhook_deliveries (
      delivery_id text not null,
      account_id text not null,
      lane_id text not null,
      endpoint_id text,
      url text,
      event_id text not null,
      event_type text not null,
      object_id text not null,
      sequence bigint not null,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
      dead_reason text,
      resent boolean not null default false,
      attempt_count integer not null default 0,
      round_attempts integer not null default 0,
      queued_at timestamptz not null,
      first_attempt_at timestamptz,
      next_attempt_at timestamptz,
      attempts jsonb not null default '[]',
      created_at timestamptz not null,
      primary key (account_id, delivery_id),
      constraint webhook_deliveries_destination check ((endpoint_id is null) <> (url is null)),
      constraint webhook_deliveries_next check ((status = 'pending') = (next_attempt_at is not null)),
      constraint webhook_deliveries_dead check ((status = 'dead') = (dead_reason is not null))
    );
    create index webhook_deliveries_dead on webhook_deliveries (account_id, created_at) where status = 'dead';
    create index webhook_deliveries_due on webhook_deliveries (lane_id, next_attempt_at) where status = 'pending';
    create index webhook_deliveries_order on webhook_deliveries (lane_id, object_id, sequence) where status = 'pending';

    alter table events add column callback_url text;
    create table webhook_outbox (
      sequence bigint primary key,
      event_id text not null
    );
    insert into webhook_outbox select sequence, event_id from events;
  `.execute(database)
}
