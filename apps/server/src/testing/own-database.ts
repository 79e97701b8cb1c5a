import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { claimProcessFolder } from '@vaani/service-kit/blobs/process-folder'
import type { SocketConnection } from '@vaani/service-kit/database/embedded/presence'
import type { Migrations } from '@vaani/service-kit/database/migrate'
import pg from 'pg'

const PREFIX = 'vaani_test_'
const TEMPLATE_PREFIX = 'vaani_template_'
const UNFINISHED = `${TEMPLATE_PREFIX}unfinished`
/** Arbitrary, as long as nothing else on the server locks by this number. */
const TEMPLATE_LOCK = 7_204_120

export interface OwnDatabase {
  /** Connection string. */
  url: string
  drop(): Promise<void>
}

export interface OwnDatabaseOptions {
  /** Directory of the Postgres server. */
  directory: string
  postgres: SocketConnection
  migrations: Migrations
  /** Migrates an empty database, and disconnects. */
  migrate: (url: string) => Promise<unknown>
}

/**
 * Creates a migrated database for this process on a Postgres server that the test processes of this machine share. It is a copy
 * of a template, which the first process of a version makes: to migrate takes several times as long.
 */
export async function createOwnDatabase(options: OwnDatabaseOptions): Promise<OwnDatabase> {
  const { postgres } = options
  const directory = path.join(options.directory, 'databases')
  const claim = await claimProcessFolder(directory)
  const name = databaseOf(path.basename(claim.path))
  await withClient(postgres, async (client) => {
    await dropAbandoned(client, directory)
    const template = await lockTemplate(client, options)
    // Copies files rather than logging each page.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  })
  return {
    url: urlOf(postgres, name),
    async drop() {
      await withClient(postgres, (client) => dropDatabase(client, name))
      await claim[Symbol.asyncDispose]()
    },
  }
}

/** The socket's folder is in the query, which pg reads, so that the connection string is a valid URL. */
const urlOf = ({ user, host }: SocketConnection, database: string): string =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

/** Returns a database with the schema of the migrations, which stays until the client disconnects. */
async function lockTemplate(client: pg.Client, options: OwnDatabaseOptions): Promise<string> {
  const template = TEMPLATE_PREFIX + digestOf(options.migrations)
  await client.query('SELECT pg_advisory_lock_shared($1)', [TEMPLATE_LOCK])
  if (await hasDatabase(client, template)) return template
  await client.query('SELECT pg_advisory_unlock_shared($1)', [TEMPLATE_LOCK])
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
  // Another process may have been faster.
  if (!(await hasDatabase(client, template))) await makeTemplate(client, template, options)
  return template
}

/** Replaces the template of another version, and one that a process left half-migrated. */
async function makeTemplate(
  client: pg.Client,
  template: string,
  { postgres, migrate }: OwnDatabaseOptions,
): Promise<void> {
  for (const stale of await databasesOf(client, TEMPLATE_PREFIX)) await dropDatabase(client, stale)
  await client.query(`CREATE DATABASE ${UNFINISHED} TEMPLATE template0`)
  await migrate(urlOf(postgres, UNFINISHED))
  await client.query(`ALTER DATABASE ${UNFINISHED} RENAME TO ${template}`)
}

/** Names a schema. Somebody who develops a migration changes its text, but not its name. */
function digestOf(migrations: Migrations): string {
  const texts = Object.entries(migrations).map(([name, { up }]) => [name, String(up)])
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
}

async function databasesOf(client: pg.Client, prefix: string): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  )
  return rows.map(({ datname }) => datname)
}

const hasDatabase = async (client: pg.Client, name: string): Promise<boolean> =>
  (await databasesOf(client, name)).includes(name)

const databaseOf = (claimed: string): string => PREFIX + claimed.replaceAll('-', '_')

/** Drops databases of dead processes. Reads claims after databases, because a process claims its name before creating one. */
async function dropAbandoned(client: pg.Client, directory: string): Promise<void> {
  const databases = await databasesOf(client, PREFIX)
  const claimed = new Set((await readdir(directory)).map(databaseOf))
  for (const name of databases) if (!claimed.has(name)) await dropDatabase(client, name)
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
