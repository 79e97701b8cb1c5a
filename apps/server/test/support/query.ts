import pg from 'pg'

/** Runs a statement on a connection of its own, beside the server. */
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
