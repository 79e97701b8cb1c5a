import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { claimProcessFolder } from '@vaani/service-kit/blobs/process-folder'
import type { SocketConnection } from '@vaani/service-kit/database/embedded/presence'
import pg from 'pg'

const PREFIX = 'vaani_test_'

export interface OwnDatabase {
  /** Connection string. */
  url: string
  drop(): Promise<void>
}

/** Creates a database for this process on a Postgres server that the test processes of this machine share. */
export async function createOwnDatabase(options: {
  /** Directory of the Postgres server. */
  directory: string
  postgres: SocketConnection
}): Promise<OwnDatabase> {
  const { postgres } = options
  const directory = path.join(options.directory, 'databases')
  const claim = await claimProcessFolder(directory)
  const name = databaseOf(path.basename(claim.path))
  await withClient(postgres, async (client) => {
    await dropAbandoned(client, directory)
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`)
  })
  return {
    // The socket's folder goes into the query, which pg reads, so that the connection string stays a valid URL.
    url: `postgres://${postgres.user}@localhost/${name}?host=${encodeURIComponent(postgres.host)}`,
    async drop() {
      await withClient(postgres, (client) => dropDatabase(client, name))
      await claim[Symbol.asyncDispose]()
    },
  }
}

const databaseOf = (claimed: string): string => PREFIX + claimed.replaceAll('-', '_')

/** Drops databases of dead processes. Reads claims after databases, because a process claims its name before creating one. */
async function dropAbandoned(client: pg.Client, directory: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [PREFIX],
  )
  const claimed = new Set((await readdir(directory)).map(databaseOf))
  for (const { datname } of rows) if (!claimed.has(datname)) await dropDatabase(client, datname)
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
