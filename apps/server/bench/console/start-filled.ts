import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Vaani } from '@vaani/client'
import { SCOPES } from '@vaani/contracts'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import pg from 'pg'
import { fillDatabase, LARGEST_ACCOUNT } from '../../test/support/fill-database.ts'
import { type BenchServer, startServer } from '../speech/server.ts'

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts')
/** Two thirds of the rows are of test mode. */
const SHARE_OF_MODE = 2 / 3
const TABLES = ['accounts', 'agents', 'calls', 'verifications', 'refused_requests']
const NO_LIMIT = { limit: 100_000, period_seconds: 60 }

/** An account, and a key of it for test mode. */
export interface Account {
  key: string
  client: Vaani
}

/** A server with an account that has as many calls, verifications and refused requests as given, and one that has nothing. */
export interface FilledServer extends AsyncDisposable {
  server: BenchServer
  large: Account
  small: Account
}

export async function startFilled(rows: number): Promise<FilledServer> {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-console-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
  held.defer(() => postgres.stop())
  const { host, user, database } = postgres.connection
  const parameters = new URLSearchParams({ host: String(host), user: String(user) })
  const databaseUrl = `postgres://localhost/${database}?${parameters}`
  const server = held.use(
    await startServer({ DATABASE_URL: databaseUrl, VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' }, [
      '--conditions=vaani-source',
      MAIN,
    ]),
  )
  await fill(databaseUrl, Math.round(rows / SHARE_OF_MODE))
  const client = new Vaani({ apiKey: server.key, baseUrl: server.url })
  await client.admin.updateAccount(LARGEST_ACCOUNT, {
    tier: 'enterprise',
    rate_overrides: { verification_reads: NO_LIMIT },
  })
  const { key } = await client.admin.createKey({
    account_id: LARGEST_ACCOUNT,
    name: 'Bench',
    scopes: [...SCOPES],
  })
  const resources = held.move()
  return {
    server,
    small: { key: server.key, client },
    large: { key, client: new Vaani({ apiKey: key, baseUrl: server.url }) },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Fills the tables beside each other, and without their indexes, which are built afterwards. */
async function fill(connectionString: string, rows: number): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: TABLES.length })
  await pool.query(
    `update pg_index set indisready = false where indrelid = any (select to_regclass(name) from unnest($1::text[]) name)`,
    [TABLES],
  )
  await Promise.all(
    TABLES.map(async (table) => {
      await fillDatabase(pool, { rows, accounts: 1, sealed: randomBytes(64), tables: [table] })
      await pool.query(`reindex table ${table}`)
    }),
  )
  await pool.end()
}
