import { beginMonths } from '@vaani/service-kit/database/monthly-partitions'
import { type Kysely, sql } from 'kysely'
import { MONTHLY_DELIVERIES, MONTHLY_EVENTS } from '../sweep-old.ts'

/**
 * Partitions events and ended deliveries by month, so that old rows are dropped with their partition instead of deleted. The
 * existing rows become the first partition, which Postgres scans once to check the bounds. Earlier versions cannot run on this
 * schema, because they sweep by the physical location of rows (`ctid`), which is unique only within a partition.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const nowMs = Date.now()
  await sql`
    create sequence events_in_order as bigint;
    select setval('events_in_order', last_value, is_called) from events_sequence_seq;
    alter table events alter column sequence drop identity;
    alter table events alter column sequence set default nextval('events_in_order');
    alter table events rename to former_events;
    alter table former_events rename constraint events_pkey to former_events_pkey;
    alter index events_of_object rename to former_events_of_object;
    create table events (like former_events including defaults including constraints,
      primary key (event_id), foreign key (account_id) references accounts)
      partition by range (event_id);
    create index events_of_object on events (object_id, sequence);
    alter sequence events_in_order owned by events.sequence;
  `.execute(database)
  await beginMonths(database, MONTHLY_EVENTS, { former: 'former_events', nowMs })
  await sql`
    alter table webhook_deliveries
      drop column queued_at, drop column round_attempts, drop column first_attempt_at, drop column next_attempt_at;
    alter table webhook_deliveries rename to former_deliveries;
    alter table former_deliveries rename constraint webhook_deliveries_pkey to former_deliveries_pkey;
    alter index webhook_deliveries_of_endpoint rename to former_deliveries_of_endpoint;
    alter index webhook_deliveries_of_type rename to former_deliveries_of_type;
    alter index webhook_deliveries_of_object rename to former_deliveries_of_object;
    create table webhook_deliveries (like former_deliveries including defaults including constraints,
      primary key (account_id, livemode, status, delivery_id))
      partition by range (delivery_id);
    create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, status, delivery_id)
      where endpoint_id is not null;
    create index webhook_deliveries_of_type
      on webhook_deliveries ((account_id || ' ' || event_type), livemode, status, delivery_id);
    create index webhook_deliveries_of_object on webhook_deliveries (object_id, delivery_id);
  `.execute(database)
  await beginMonths(database, MONTHLY_DELIVERIES, { former: 'former_deliveries', nowMs })
}
