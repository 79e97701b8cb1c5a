import { type Kysely, sql } from 'kysely'

/**
 * An event is in the outbox once per destination, until its delivery has ended or has to wait. Waiting deliveries are in
 * `webhook_pending`, so `webhook_deliveries` only gets ended ones, each written once.
 *
 * Workers hold shards instead of lanes, which saves a write per lane. Lanes belong to shards by hash. The hash is the one
 * that hash partitioning stores rows by, so no version of Postgres changes it.
 *
 * `is_next` means that no earlier event of the object waits on the lane. Statements that add or remove rows lock the lane
 * first and keep `is_next` correct. No two indexes of pending and ended deliveries begin with the same column, and none with
 * the id alone, so every statement has exactly one usable index, whatever the planner believes about the rows.
 *
 * Columns that are no longer used (leases of lanes, the schedule in deliveries) are left for a later migration.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table tenant_modes on commit drop as
      select a.account_id, exists (select from api_keys k where k.account_id = a.account_id and k.livemode) as livemode
      from accounts a;

    alter table webhook_endpoints
      add column livemode boolean,
      add column disabled_at timestamptz,
      add column disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
      add column failing_since timestamptz,
      add column warned_at timestamptz,
      add column deleted_at timestamptz;
    update webhook_endpoints e
      set livemode = m.livemode,
        disabled_at = case when not e.enabled then now() end,
        disabled_reason = case when not e.enabled then 'requested' end
      from tenant_modes m where m.account_id = e.account_id;
    alter table webhook_endpoints
      alter column livemode set not null,
      add constraint webhook_endpoints_disabled
        check (enabled = (disabled_at is null) and (disabled_at is null) = (disabled_reason is null)),
      add constraint webhook_endpoints_deleted check (deleted_at is null or not enabled);
    drop index webhook_endpoints_of_account;
    create index webhook_endpoints_of_account on webhook_endpoints (account_id, livemode, endpoint_id desc)
      where deleted_at is null;

    alter table webhook_secrets
      drop constraint webhook_secrets_pkey,
      add column livemode boolean,
      add column previous_signs boolean not null default false;
    update webhook_secrets s
      set livemode = m.livemode, previous_signs = s.previous_sealed is not null
      from tenant_modes m where m.account_id = s.account_id;
    alter table webhook_secrets alter column livemode set not null, add primary key (owner_id, livemode);

    create table webhook_workers (
      worker_id text primary key,
      session integer not null,
      lease_expires_at timestamptz not null
    );
    create table webhook_shards (
      shard smallint primary key,
      worker_id text references webhook_workers on delete set null
    );
    insert into webhook_shards select generate_series(0, 63);

    create table webhook_pending (
      delivery_id text not null,
      account_id text not null,
      livemode boolean not null,
      lane_id text not null,
      shard smallint not null generated always as ((hashtextextended(lane_id, 0) & 63)::smallint) stored,
      endpoint_id text,
      url text,
      event_id text not null,
      event_type text not null,
      object_id text not null,
      sequence bigint not null,
      is_next boolean not null,
      resent boolean not null default false,
      attempt_count integer not null default 0,
      round_attempts integer not null default 0,
      queued_at timestamptz not null,
      first_attempt_at timestamptz,
      next_attempt_at timestamptz not null,
      expires_at timestamptz not null,
      attempts jsonb not null default '[]',
      created_at timestamptz not null,
      primary key (account_id, livemode, delivery_id),
      constraint webhook_pending_destination check ((endpoint_id is null) <> (url is null))
    ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
    create index webhook_pending_due on webhook_pending (lane_id, next_attempt_at, sequence) where is_next;
    create index webhook_pending_order on webhook_pending (object_id, lane_id, sequence);
    create index webhook_pending_expiry on webhook_pending (shard, expires_at);
    create index webhook_pending_of_endpoint on webhook_pending (endpoint_id, delivery_id);
    create index webhook_pending_of_type on webhook_pending ((account_id || ' ' || event_type), livemode, delivery_id);

    alter table webhook_deliveries add column livemode boolean;
    update webhook_deliveries d set livemode = coalesce(
      (select e.livemode from events e where e.event_id = d.event_id),
      (select m.livemode from tenant_modes m where m.account_id = d.account_id));
    update webhook_deliveries d
      set lane_id = concat(d.account_id, case when d.livemode then ' live ' else ' test ' end,
        coalesce(lower(substring(d.url from '^[^:/?#]+://[^/?#]+')), d.url))
      where d.endpoint_id is null;
    insert into webhook_pending (delivery_id, account_id, livemode, lane_id, endpoint_id, url, event_id, event_type,
        object_id, sequence, is_next, resent, attempt_count, round_attempts, queued_at, first_attempt_at,
        next_attempt_at, expires_at, attempts, created_at)
      select delivery_id, account_id, livemode, lane_id, endpoint_id, url, event_id, event_type, object_id, sequence,
        row_number() over (partition by lane_id, object_id order by sequence) = 1,
        resent, attempt_count, round_attempts, queued_at, first_attempt_at, next_attempt_at,
        coalesce(first_attempt_at, queued_at) + interval '1 day', attempts, created_at
      from webhook_deliveries where status = 'pending';
    delete from webhook_deliveries where status = 'pending';
    drop index webhook_deliveries_dead, webhook_deliveries_due, webhook_deliveries_order;
    alter table webhook_deliveries
      alter column livemode set not null,
      alter column queued_at drop not null,
      drop constraint webhook_deliveries_destination,
      drop constraint webhook_deliveries_pkey,
      add primary key (account_id, livemode, status, delivery_id);
    create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, status, delivery_id)
      where endpoint_id is not null;
    create index webhook_deliveries_of_type
      on webhook_deliveries ((account_id || ' ' || event_type), livemode, status, delivery_id);
    create index webhook_deliveries_of_object on webhook_deliveries (object_id, delivery_id);

    drop index webhook_lanes_due;
    delete from webhook_lanes;
    alter table webhook_lanes
      add column open_until timestamptz,
      add column shard smallint not null generated always as ((hashtextextended(lane_id, 0) & 63)::smallint) stored;
    insert into webhook_lanes (lane_id, due_at) select distinct lane_id, now() from webhook_pending;
    create index webhook_lanes_due on webhook_lanes (shard, due_at) where due_at is not null;

    create temporary table former_outbox on commit drop as select * from webhook_outbox;
    delete from webhook_outbox;
    alter table webhook_outbox
      drop constraint webhook_outbox_pkey,
      add column position bigint generated always as identity,
      add column lane_id text not null,
      add column shard smallint not null generated always as ((hashtextextended(lane_id, 0) & 63)::smallint) stored,
      add column endpoint_id text,
      add column url text,
      add primary key (shard, position);
    alter table webhook_outbox
      set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = off);
    insert into webhook_outbox (sequence, event_id, lane_id, endpoint_id)
      select o.sequence, o.event_id, w.endpoint_id, w.endpoint_id
      from former_outbox o join events e using (event_id)
        join webhook_endpoints w on w.account_id = e.account_id and w.livemode = e.livemode
      where w.enabled and e.type = any (w.events)
      order by o.sequence;
    insert into webhook_outbox (sequence, event_id, lane_id, url)
      select o.sequence, o.event_id, concat(e.account_id, case when e.livemode then ' live ' else ' test ' end,
        coalesce(lower(substring(own.url from '^[^:/?#]+://[^/?#]+')), own.url)), own.url
      from former_outbox o join events e using (event_id) join accounts a using (account_id)
        cross join lateral (select coalesce(e.callback_url, case
          when e.type like 'call.%' and e.livemode then a.call_webhook_url
          when e.type like 'call.%' then a.test_call_webhook_url end) as url) own
      where own.url is not null and not exists (
        select from webhook_endpoints w where w.account_id = e.account_id and w.livemode = e.livemode
          and w.enabled and e.type = any (w.events) and w.url = own.url)
      order by o.sequence;
  `.execute(database)
}
