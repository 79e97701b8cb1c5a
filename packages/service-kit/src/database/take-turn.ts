import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Arbitrary, but no other lock on the database may use it. */
const TURN = 7_203_115
const POLL_MS = 100

/**
 * Runs a function while no other process does, on the connection that holds the lock. Waiting processes poll, because a
 * statement that waits for the lock would hold a snapshot, and building an index concurrently waits for snapshots.
 */
export const inTurn = <Result>(database: Db, run: (connection: Db) => Promise<Result>): Promise<Result> =>
  database.connection().execute(async (connection) => {
    while (!(await takeTurn(connection))) await delay(POLL_MS)
    try {
      return await run(connection)
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(TURN)})`.execute(connection)
    }
  })

async function takeTurn(connection: Db): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${sql.lit(TURN)}) as taken`.execute(connection)
  return rows[0]?.taken === true
}
