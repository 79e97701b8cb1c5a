import { randomBytes } from 'node:crypto'

import { Client } from 'pg'
import { inject } from 'vitest'

import './provided-context.ts'

export interface TestDatabase extends AsyncDisposable {
  /** The connection string. */
  readonly url: string
  /** Drops the database, even if clients are still connected. */
  drop(): Promise<void>
}

export interface TestDatabaseOptions {
  readonly template?: {
    /** Letters and underscores; databases with the same template name are copies of one template. */
    readonly name: string
    /** Prepares an empty database for the tests, and disconnects. Called once per run. */
    readonly migrate: (url: string) => Promise<void>
  }
}

/** Arbitrary, as long as nothing else on the server locks by this number. */
const templateLock = 7_203_114

/**
 * Creates a separate database for a test file: empty, or a copy of the migrated template.
 *
 * @example
 * ```ts
 * await using database = await createTestDatabase()
 * const pool = new pg.Pool({ connectionString: database.url })
 * ```
 */
export async function createTestDatabase({ template }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const postgresUrl = inject('postgresUrl')
  const prefix = prefixOf(inject('testRunId'))
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  await withClient(postgresUrl, async (client) => {
    const source = template && {
      client,
      postgresUrl,
      name: `${prefix}_template_${template.name}`,
      migrate: template.migrate,
    }
    const from = source ? await provideTemplate(source) : 'template0'
    // Copies files rather than logging each page, for less than half the work.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY file_copy`)
  })
  const drop = () => withClient(postgresUrl, (client) => dropDatabase(client, name))
  return { url: withDatabase(postgresUrl, name), drop, [Symbol.asyncDispose]: drop }
}

/** Drops the databases that a run's test files left behind, including its template. */
export function dropDatabasesOfRun(run: { postgresUrl: string; testRunId: string }): Promise<void> {
  return withClient(run.postgresUrl, async (client) => {
    const pattern = `${prefixOf(run.testRunId)}\\_%`
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE datname LIKE $1',
      [pattern],
    )
    for (const { datname } of rows) await dropDatabase(client, datname)
  })
}

interface TemplateOptions {
  readonly client: Client
  readonly postgresUrl: string
  readonly name: string
  readonly migrate: (url: string) => Promise<void>
}

/** Test files run in parallel: the first one creates the template under a lock, and the others wait for it. */
async function provideTemplate({ client, postgresUrl, name, migrate }: TemplateOptions): Promise<string> {
  await client.query('SELECT pg_advisory_lock($1)', [templateLock])
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`
      await dropDatabase(client, unfinished)
      await client.query(`CREATE DATABASE ${unfinished} TEMPLATE template0`)
      await migrate(withDatabase(postgresUrl, unfinished))
      await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`)
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [templateLock])
  }
  return name
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** Runs a function with a connection that ends after it. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

function prefixOf(testRunId: string): string {
  return `vaani_test_${testRunId}`
}
