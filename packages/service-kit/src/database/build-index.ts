import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * Builds an index concurrently with writes to the table. Works only outside a transaction, so the migration must set
 * `outsideTransaction`. Rebuilds an invalid index that an interrupted run has left.
 *
 * ```ts
 * await buildIndex(database, 'calls_of_agent', sql`on calls (account_id, agent_id, call_id desc)`)
 * ```
 */
export async function buildIndex(
  database: Kysely<unknown>,
  name: string,
  definition: RawBuilder<unknown>,
  { isUnique = false } = {},
): Promise<void> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(database)
  if (rows.length > 0) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(database)
  const kind = isUnique ? sql`unique index` : sql`index`
  await sql`create ${kind} concurrently if not exists ${sql.ref(name)} ${definition}`.execute(database)
}
