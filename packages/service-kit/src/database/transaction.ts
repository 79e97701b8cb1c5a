import type { Pool, PoolClient } from 'pg'

/** Runs statements: a pool, or one of its connections in a transaction. */
export type Queryable = Pick<Pool, 'query'> | Pick<PoolClient, 'query'>

/** Runs a function in a transaction. For the few statements that are too hot for the query builder. */
export async function inTransaction<T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await run(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((cause: unknown) => {
      broken = cause instanceof Error ? cause : new Error('The connection is broken')
    })
    throw error
  } finally {
    // Discard a connection that cannot roll back.
    client.release(broken)
  }
}
