import { type Kysely, sql } from 'kysely'

/**
 * Batches and their requests. Whatever a request or a result says is sealed under the batch's own data key. A batch exists
 * from the beginning of its upload, and is visible once `received_at` is set.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table batches (
      batch_id text primary key,
      account_id text not null references accounts,
      livemode boolean not null,
      key_id text not null,
      endpoint text not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed', 'canceled')),
      failure_reason text,
      callback_url text,
      data_key bytea not null,
      total integer not null,
      succeeded integer not null default 0,
      failed integer not null default 0,
      created_at timestamptz not null,
      received_at timestamptz,
      expires_at timestamptz not null,
      completed_at timestamptz,
      traceparent text,
      constraint batches_ended check ((status in ('completed', 'failed', 'canceled')) = (completed_at is not null)),
      constraint batches_counted check (succeeded + failed <= total)
    );
    create index batches_of_account on batches (account_id, batch_id desc) where received_at is not null;
    create index batches_open on batches (endpoint, account_id, livemode desc, batch_id)
      where status in ('queued', 'running') and received_at is not null;
    create index batches_open_of_account on batches (account_id, livemode)
      where status in ('queued', 'running') and received_at is not null;
    create index batches_expiring on batches (expires_at)
      where status in ('queued', 'running') and received_at is not null;
    create index batches_ended on batches (completed_at) where completed_at is not null;
    create index batches_arriving on batches (created_at) where received_at is null;

    create table batch_requests (
      batch_id text not null references batches,
      position integer not null,
      request bytea,
      worker_id text,
      attempts smallint not null default 0,
      not_before timestamptz not null default '-infinity',
      ended_sequence bigint,
      result bytea,
      primary key (batch_id, position),
      constraint batch_requests_held check (worker_id is null or ended_sequence is null),
      constraint batch_requests_ended check (request is null or ended_sequence is null)
    );
    create index batch_requests_waiting on batch_requests (batch_id, position)
      where worker_id is null and ended_sequence is null;
    create index batch_requests_held on batch_requests (worker_id) where worker_id is not null;
    create index batch_requests_results on batch_requests (batch_id, ended_sequence) where ended_sequence is not null;
    create sequence batch_results;
  `.execute(database)
}
