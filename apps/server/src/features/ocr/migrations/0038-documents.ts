import { type Kysely, sql } from 'kysely'

/**
 * Documents that are read in the background, and their pages. Whatever a page says is sealed under the data key of its document, as
 * is the uploaded file, which is a blob.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table documents (
      document_id text primary key,
      account_id text not null references accounts,
      livemode boolean not null,
      status text not null check (status in ('queued', 'processing', 'completed', 'failed')),
      failure_reason text,
      language text not null,
      data_key bytea not null,
      total smallint not null,
      read smallint not null default 0,
      unreadable smallint not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      completed_at timestamptz,
      traceparent text,
      constraint documents_ended check ((status in ('completed', 'failed')) = (completed_at is not null)),
      constraint documents_failed check ((status = 'failed') = (failure_reason is not null)),
      constraint documents_counted check (read + unreadable <= total)
    );
    create index documents_open on documents (account_id, livemode desc, document_id)
      where status in ('queued', 'processing');
    create index documents_expiring on documents (expires_at);

    create table document_pages (
      document_id text not null references documents,
      number smallint not null,
      worker_id text,
      attempts smallint not null default 0,
      not_before timestamptz not null default '-infinity',
      outcome text check (outcome in ('read', 'unreadable')),
      result bytea,
      bytes integer,
      primary key (document_id, number),
      constraint document_pages_held check (worker_id is null or outcome is null),
      constraint document_pages_ended check ((outcome is null) = (result is null) and (result is null) = (bytes is null))
    );
    create index document_pages_waiting on document_pages (document_id, number)
      where worker_id is null and outcome is null;
    create index document_pages_held on document_pages (worker_id) where worker_id is not null;
  `.execute(database)
}
