import { type Kysely, sql } from 'kysely'

/** Counts what accounts use of phone lines in a UTC day. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table line_use (
      account_id text not null references accounts on delete cascade,
      day date not null,
      minutes integer not null,
      spend_micros bigint not null,
      primary key (account_id, day)
    );
    create index line_use_by_day on line_use (day);
    create table line_attempts (
      account_id text not null references accounts on delete cascade,
      phone_number text not null,
      day date not null,
      attempts integer not null,
      primary key (account_id, phone_number, day)
    );
    create index line_attempts_by_day on line_attempts (day);
  `.execute(database)
}
