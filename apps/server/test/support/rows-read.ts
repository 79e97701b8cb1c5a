import type { ClientBase, Pool } from 'pg'
import { until } from '@vaani/test-services/until'

/**
 * Returns the number of rows and index entries read from tables so far, by Postgres' own count. Reads of the pool's one
 * connection are counted at once, but those of other connections up to ten seconds after their last statement, so measure in a
 * database whose tables nothing else has read.
 *
 * @param tables - `like` patterns
 */
export async function countRowsRead(pool: Pool, tables: readonly string[]): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()')
  await pool.query('select pg_stat_clear_snapshot()')
  const { rows } = await pool.query<{ count: number }>(
    `select (select sum(seq_tup_read) from pg_stat_user_tables where relname like any ($1))::integer
       + (select sum(idx_tup_read) from pg_stat_user_indexes where relname like any ($1))::integer as count`,
    [tables],
  )
  return rows[0]?.count ?? Number.NaN
}

/**
 * Waits until all rows deleted or replaced so far are dead to every transaction. Until then, a scan that meets such a row cannot
 * mark its index entry as dead, and every later scan reads it again. A transaction delays this if it has a snapshot in this
 * database or writes in any database of the server, because no new snapshot advances past the oldest writer.
 */
export async function untilDeadToAll(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select pg_current_xact_id()::text as id')
  const readHolders = async () => {
    const { rows: holders } = await pool.query(
      `select 'a writer' as holder where pg_snapshot_xmin(pg_current_snapshot()) <= $1::xid8
       union all
       select coalesce(query, backend_type) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and age(backend_xmin) >= age($1::xid8::xid)`,
      [rows[0]?.id],
    )
    return holders
  }
  await until(readHolders, (holders) => holders.length === 0)
}

/** Turns off autovacuum, so that statistics stay as the test makes them and reads by vacuums are not counted. */
export async function turnOffAutovacuum(
  pool: Pick<ClientBase, 'query'>,
  tables: readonly string[],
): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select coalesce(inhrelid, given.name::regclass)::regclass::text as name
     from unnest($1::text[]) as given (name) left join pg_inherits on inhparent = given.name::regclass`,
    [tables],
  )
  for (const { name } of rows) await pool.query(`alter table ${name} set (autovacuum_enabled = off)`)
}
