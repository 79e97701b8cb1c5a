import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Any number will do that nothing else on the database locks by. */
const TURN = 7_203_115
const POLL_MS = 100

/**
 * Runs something while no other process does, on one connection that holds the turn as long as it lives. Others ask again and again:
 * a statement that waited for the lock would hold a snapshot, which building an index concurrently waits for.
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
