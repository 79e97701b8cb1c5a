import { type Kysely, sql } from 'kysely'

/**
 * Lets later work, or work in another process, continue the trace of the request that caused it: the row holds the
 * `traceparent`, or null if that request was not sampled.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table calls add column traceparent text;
    alter table verifications add column traceparent text;
    alter table events add column traceparent text;
  `.execute(database)
}
