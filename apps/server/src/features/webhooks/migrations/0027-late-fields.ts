import { type Kysely, sql } from 'kysely'

/** Lets an account have `extracted` in its webhooks, which is added when they are sent, because it must not be stored in them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts add column webhooks_include_extracted boolean not null default false;
    alter table events add column late_field text;
  `.execute(database)
}
