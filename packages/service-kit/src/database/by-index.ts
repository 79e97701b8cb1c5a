import { sql } from 'kysely'
import type { Db, Tx } from './connect.ts'

/**
 * Runs a query that reads hardly more rows than it gives, as long as it goes by an index in its order. Without statistics,
 * or with those of another time, the planner may rather read all rows of an account and sort them.
 */
export const byIndex = <Result>(database: Db, run: (tx: Tx) => Promise<Result>): Promise<Result> =>
  database.transaction().execute(async (tx) => {
    await sql`
      select set_config(name, 'off', true)
      from unnest(array['enable_seqscan', 'enable_bitmapscan']) as setting (name)`.execute(tx)
    return run(tx)
  })
