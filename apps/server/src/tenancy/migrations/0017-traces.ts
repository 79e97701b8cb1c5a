import { type Kysely, sql } from 'kysely'

/**
 * What is done later, or by another process, goes on with the trace of the request that it comes from: the row holds the
 * `traceparent`, and null if that request was not sampled.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table calls add column traceparent text;
    alter table verifications add column traceparent text;
    alter table events add column traceparent text;
  `.execute(database)
}
