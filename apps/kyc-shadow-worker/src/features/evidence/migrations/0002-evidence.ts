import { type Kysely, sql } from 'kysely'

/**
 * Creates the counters. Every pair changes the same few rows, so there is room on their pages for versions that touch no index.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table evidence_counts (
      epoch integer not null,
      subject text not null,
      kind text not null,
      stage text not null,
      value text not null,
      other_value text not null,
      pairs bigint not null,
      primary key (epoch, subject, kind, stage, value, other_value)
    ) with (fillfactor = 30);

    create table evidence_hours (
      hour timestamptz not null,
      stage text not null,
      epoch integer not null,
      first_at timestamptz not null,
      pairs bigint not null,
      mild bigint not null,
      serious bigint not null,
      worst bigint not null,
      errors bigint not null,
      primary key (hour, stage, epoch)
    ) with (fillfactor = 30);
  `.execute(database)
}
