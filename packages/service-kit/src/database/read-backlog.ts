import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { keepFresh } from '../telemetry/keep-fresh.ts'

/** The size and age of a queue. */
export interface Backlog {
  /** Counted up to `MOST_COUNTED`. */
  waiting: number
  /** Null if nothing waits. */
  oldest: Date | null
}

/** Limit of a backlog count, so that a scrape never reads more index entries than this. */
export const MOST_COUNTED = 10_000

/**
 * Creates a reader of a backlog for metrics. It uses plain index scans only, for at most a second, at most every 5 s.
 *
 * @param query returns one row with the columns of `Backlog`
 */
export const backlogReader = (database: Db, query: () => RawBuilder<Backlog>): (() => Promise<Backlog>) =>
  keepFresh(() =>
    database.transaction().execute(async (tx) => {
      // The planner's statistics on a queue are often wrong, because it is empty one minute and long the next.
      await sql`
        select set_config(name, value, true)
        from (values ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'), ('jit', 'off'), ('statement_timeout', '1000'))
          as setting (name, value)`.execute(tx)
      const { rows } = await query().execute(tx)
      return rows[0] ?? { waiting: 0, oldest: null }
    }),
  )

/** Returns how long the oldest entry has waited; 0 if nothing waits. */
export const latenessSeconds = ({ oldest }: Backlog, nowMs: number): number =>
  oldest === null ? 0 : Math.max(0, nowMs - oldest.getTime()) / 1000
