import { type Kysely, sql } from 'kysely'

/**
 * Notes when a pair's next submission is due, which was the time of its job, and which worker sends it. The previous version
 * leaves the time to its default, and may have sent what is due: a worker finds that nothing is left to send.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pairs add column send_at timestamptz, add column worker_id text;
    alter table pairs alter column send_at set default now();
    update pairs set send_at = now() where next_at is not null;
  `.execute(database)
}
