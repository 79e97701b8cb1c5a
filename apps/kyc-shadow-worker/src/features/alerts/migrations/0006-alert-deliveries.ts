import { type Kysely, sql } from 'kysely'

/** Creates the alerts that are due, one row for each target. A row is deleted once its alert was accepted or given up. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_deliveries (
      target text not null,
      event_id text not null,
      event json not null,
      attempts smallint not null default 0,
      due_at timestamptz not null,
      primary key (target, event_id)
    );
    create index alert_deliveries_due on alert_deliveries (target, due_at);
  `.execute(database)
}
