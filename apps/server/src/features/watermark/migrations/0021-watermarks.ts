import { type Kysely, sql } from 'kysely'

/** Adds the requests that marked speech leads to. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table watermarks (
      payload bigint primary key check (payload between 0 and 4294967295),
      account_id text not null references accounts,
      livemode boolean not null,
      request_id text not null,
      created_at timestamptz not null
    );
    create index watermarks_by_age on watermarks (created_at);
  `.execute(database)
}
