import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { keepFresh } from './keep-fresh.ts'

/** How much waits, and since when. */
export interface Backlog {
  /** Up to `MOST_COUNTED`. */
  waiting: number
  /** Null if nothing waits. */
  oldest: Date | null
}

/** A backlog is counted no further, so a long one costs a scrape no more than this many entries of an index. */
export const MOST_COUNTED = 10_000

/**
 * Reads a backlog from the database for metrics: by indexes alone, within a second, and at most every 5 s.
 *
 * @param query gives one row with the columns of `Backlog`
 */
export const backlogReader = (database: Db, query: () => RawBuilder<Backlog>): (() => Promise<Backlog>) =>
  keepFresh(() =>
    database.transaction().execute(async (tx) => {
      // What the planner knows of a queue is often wrong, as it is empty one minute and long the next.
      await sql`
        select set_config(name, value, true)
        from (values ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'), ('jit', 'off'), ('statement_timeout', '1000'))
          as setting (name, value)`.execute(tx)
      const { rows } = await query().execute(tx)
      return rows[0] ?? { waiting: 0, oldest: null }
    }),
  )

/** How long the oldest has waited; 0 if nothing waits. */
export const latenessSeconds = ({ oldest }: Backlog, nowMs: number): number =>
  oldest === null ? 0 : Math.max(0, nowMs - oldest.getTime()) / 1000
