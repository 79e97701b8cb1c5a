import pg from 'pg'

/** Runs a statement on its own connection, separate from the server's. */
export async function query<Row extends pg.QueryResultRow>(
  connection: string | pg.ClientConfig,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
