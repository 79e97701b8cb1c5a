import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { SocketConnection } from '../database/embedded/presence.ts'

const PREFIX = 'vaani_test'

export interface OwnDatabase {
  /** The connection string. */
  url: string
  drop(): Promise<void>
}

/** A database for this process alone on a Postgres that other test processes of this machine share. */
export async function createOwnDatabase(postgres: SocketConnection): Promise<OwnDatabase> {
  const name = `${PREFIX}_${process.pid}_${randomBytes(4).toString('hex')}`
  await withClient(postgres, async (client) => {
    await dropAbandoned(client)
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`)
  })
  return {
    // The socket's folder goes in the query, where pg reads it, and the address stays a valid URL.
    url: `postgres://${postgres.user}@localhost/${name}?host=${encodeURIComponent(postgres.host)}`,
    drop: () => withClient(postgres, (client) => dropDatabase(client, name)),
  }
}

/** The name of a database tells the process that made it; one that was killed could not drop its own. */
async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE datname LIKE $1',
    [`${PREFIX}\\_%`],
  )
  for (const { datname } of rows)
    if (!isAlive(Number(datname.split('_')[2]))) await dropDatabase(client, datname)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Alive, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const dropDatabase = async (client: pg.Client, name: string): Promise<void> => {
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

async function withClient(
  postgres: SocketConnection,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...postgres })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
