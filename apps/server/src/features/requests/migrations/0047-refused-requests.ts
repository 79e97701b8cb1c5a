import { type Kysely, sql } from 'kysely'

/**
 * Requests that were refused. Each filter of their list has an index that returns its rows in their order; the columns after the
 * order serve filters that are combined. The filter is the first column, because an index with an array for a later one
 * returns its rows in no order before Postgres 17.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table refused_requests (
      refusal_id text not null,
      account_id text not null references accounts,
      livemode boolean not null,
      request_id text not null,
      key_id text not null,
      operation text not null,
      method text not null,
      route text not null,
      status smallint not null,
      code text not null,
      param text,
      duration_ms integer not null,
      omitted integer not null default 0,
      created_at timestamptz not null,
      primary key (account_id, livemode, refusal_id)
    );
    create index refused_requests_of_request on refused_requests (request_id, account_id, livemode, refusal_id desc);
    create index refused_requests_of_key
      on refused_requests (key_id, account_id, livemode, refusal_id desc, code, operation, status);
    create index refused_requests_of_code
      on refused_requests (code, account_id, livemode, refusal_id desc, operation, status);
    create index refused_requests_of_operation
      on refused_requests (operation, account_id, livemode, refusal_id desc, status);
    create index refused_requests_of_status on refused_requests (status, account_id, livemode, refusal_id desc);
    create index refused_requests_by_age on refused_requests (created_at);
  `.execute(database)
}
