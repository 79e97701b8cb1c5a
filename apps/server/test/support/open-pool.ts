import pg from 'pg'

/** Unlike the server's, without a limit for statements: on a busy machine, filling tables may take longer. */
export function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  // The end of a pool does not wait for its connections, which fail if the database is dropped first.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}
