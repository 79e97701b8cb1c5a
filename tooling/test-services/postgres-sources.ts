import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { PostgreSqlContainer, type StartedPostgreSqlContainer } from '@testcontainers/postgresql'
import { Client } from 'pg'
import { Wait } from 'testcontainers'

import { hasContainerEngine, runLabel } from './containers.ts'
import { withClient } from './test-database.ts'
import type { Source } from './start-first.ts'

interface SocketConnection {
  readonly host: string
  readonly user: string
  readonly database: string
}

/** The functions of the server's embedded Postgres that are used here. */
interface EmbeddedPostgresModule {
  startEmbeddedPostgres(options: {
    directory: string
  }): Promise<{ connection: SocketConnection; stop(): Promise<void> }>
}

// By address, not by name: a service cannot be a dependency of a tool that the service's tests depend on.
const embeddedModule = new URL(
  '../../packages/service-kit/src/database/embedded/start-embedded-postgres.ts',
  import.meta.url,
)
/** Lines of the log that say that the server or one of its sessions crashed. */
const CRASH = /PANIC|was terminated by signal|exited with exit code [^01]|not properly shut down/
const IS_READY = 'pg_isready --host localhost --username test --dbname test'
/** By default, four processes a second are started in the container until the end of the run, for a fifth of a core. */
const NO_HEALTH_CHECK: Parameters<PostgreSqlContainer['withHealthCheck']>[0] = {
  test: ['CMD', 'true'],
  interval: 86_400_000,
}
/** The list of who may connect, in the container. */
const accessFile = '/etc/vaani-test-hba.conf'
/**
 * The data is deleted at the end, so nothing of it must survive a crash, and its databases live too briefly to be vacuumed.
 * `CREATE DATABASE` and `DROP DATABASE` make a checkpoint each, after which each page that changes would be logged as a whole.
 */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'max_connections=300',
  `hba_file=${accessFile}`,
]
/** The superuser needs no password, which takes client and server longer than everything else about a connection. */
const ACCESS = `
local all all trust
host all test all trust
host all all all scram-sha-256
`
/** A tmpfs in the container; PGDATA points there, so that the image's own layout does not matter. */
const memoryFolder = '/pgdata'

/**
 * Sources of a Postgres for tests, in order of preference. The server has a superuser and empty databases. `TEST_POSTGRES=embedded`
 * leaves the last one only, to see what machines without Docker see.
 */
export function postgresSources(environment: NodeJS.ProcessEnv): Source[] {
  const embedded = { name: 'embedded Postgres', start: startEmbedded }
  if (environment['TEST_POSTGRES'] === 'embedded') return [embedded]
  const image = environment['PG_IMAGE'] ?? 'postgres:18-alpine'
  const givenUrl = environment['TEST_DATABASE_URL']
  return [
    {
      name: `container ${image}`,
      async start() {
        if (!(await hasContainerEngine())) return undefined
        const crashes: string[] = []
        const container = await new PostgreSqlContainer(image)
          .withLabels(runLabel(environment))
          .withTmpFs({ [memoryFolder]: 'rw' })
          .withEnvironment({ PGDATA: `${memoryFolder}/data` })
          .withCopyContentToContainer([{ content: ACCESS, target: accessFile }])
          .withCommand(['postgres', ...SETTINGS.flatMap((setting) => ['-c', setting])])
          .withHealthCheck(NO_HEALTH_CHECK)
          .withWaitStrategy(Wait.forAll([Wait.forSuccessfulCommand(IS_READY), Wait.forListeningPorts()]))
          .withLogConsumer((log) =>
            createInterface(log).on('line', (line) => {
              if (CRASH.test(line)) crashes.push(line)
            }),
          )
          .start()
        const stop = async () => {
          await container.stop()
          // Otherwise tests fail at once for no reason that can be seen.
          for (const line of crashes) console.error(`The Postgres of the tests: ${line}`)
        }
        return { url: (await ownAddress(container)) ?? container.getConnectionUri(), stop }
      },
    },
    {
      name: 'TEST_DATABASE_URL',
      start: () => Promise.resolve(givenUrl ? { url: givenUrl, stop: () => Promise.resolve() } : undefined),
    },
    embedded,
  ]
}

/** Enough for a machine that is busy, and short for one that has no way to the container. */
const REACHED_WITHIN_MS = 5000

/**
 * Returns the address of the container itself. The published port leads through a process of Docker that copies each byte, for a
 * twentieth of a core, and is late when all cores are busy.
 *
 * @returns undefined if only the published port can be reached, as where the engine runs in a virtual machine
 */
async function ownAddress(container: StartedPostgreSqlContainer): Promise<string | undefined> {
  const [network] = container.getNetworkNames()
  const address = network === undefined ? '' : container.getIpAddress(network)
  if (address === '') return undefined
  const url = new URL(container.getConnectionUri())
  url.host = `${address}:5432`
  const client = new Client({ connectionString: url.href, connectionTimeoutMillis: REACHED_WITHIN_MS })
  try {
    await client.connect()
    return url.href
  } catch {
    return undefined
  } finally {
    await client.end()
  }
}

async function startEmbedded() {
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-test-postgres-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const { startEmbeddedPostgres } = (await import(embeddedModule.href)) as EmbeddedPostgresModule
    const postgres = await startEmbeddedPostgres({ directory })
    await withClient(toUrl(postgres.connection), async (client) => {
      // As in the container: this data is deleted at the end.
      await client.query('ALTER SYSTEM SET fsync = off')
      await client.query('SELECT pg_reload_conf()')
    })
    const stop = async () => {
      await postgres.stop()
      await remove()
    }
    return { url: toUrl(postgres.connection), stop }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The socket's folder goes in the query, where libpq and pg read it, and the address stays a valid URL. */
function toUrl({ host, user, database }: SocketConnection): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}
