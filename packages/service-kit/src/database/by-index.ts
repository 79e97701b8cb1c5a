import { sql } from 'kysely'
import type { Db, Tx } from './connect.ts'

/**
 * Runs a query with plain index scans forced, which read hardly more rows than they return. With missing or outdated
 * statistics, the planner might otherwise read all rows of an account and sort them.
 */
export const byIndex = <Result>(database: Db, run: (tx: Tx) => Promise<Result>): Promise<Result> =>
  database.transaction().execute(async (tx) => {
    await sql`
      select set_config(name, 'off', true)
      from unnest(array['enable_seqscan', 'enable_bitmapscan']) as setting (name)`.execute(tx)
    return run(tx)
  })
