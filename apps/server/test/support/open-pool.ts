import pg from 'pg'

/** Opens a pool without the server's statement timeout, because filling tables may take longer on a busy machine. */
export function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  // Ending a pool does not wait for its connections to close; they fail if the database is dropped first.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}
