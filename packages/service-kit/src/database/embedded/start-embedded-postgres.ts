import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '../../telemetry/log.ts'
import { syncDirectory } from '../../files/sync-directory.ts'
import { exists, installBinaries } from './binaries.ts'
import { choosePlace, makePrivate, type Place } from './choose-place.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { keepRunning } from './keep-running.ts'
import { holdLifeline } from './lifeline.ts'
import { announcePresence, connectionOn, type SocketConnection } from './presence.ts'
import { launchServer, stopServer } from './server-process.ts'

export interface EmbeddedPostgres {
  connection: SocketConnection
  /** Whether another process on the same directory started the server. */
  adopted: boolean
  /** Resolves if the server was lost and could not be restarted, which is final. */
  lost: Promise<EmbeddedPostgresError>
  /** Stops the server unless another process of ours still uses it. Idempotent. */
  stop(): Promise<void>
}

const run = promisify(execFile)

/**
 * Starts a Postgres server under a directory: fsync on, Unix socket only, never as root. Uses a server that already runs
 * there, restarts a lost one, and stops it with the last process that uses it.
 *
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: {
  directory: string
  logger?: Logger
  /** Aborts the start. */
  signal?: AbortSignal
}): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new EmbeddedPostgresError(
      'platform_not_supported',
      'The embedded Postgres needs Unix sockets; set DATABASE_URL',
    )
  const place = await choosePlace(options.directory, options.logger)
  const { directory: binaries, majorVersion } = await installBinaries(place.home)
  if (await exists(versionFileOf(place))) await requireVersion(place, majorVersion)
  else await initialize(binaries, place)
  const connection = connectionOn(place.socket)
  const letGo = await holdLifeline(place)
  const launch = (signal?: AbortSignal) =>
    launchServer({ binaries, place, connection, ...(signal && { signal }) })
  try {
    const running = await announcePresence(connection)
    const { presence, adopted } = running
      ? { presence: running, adopted: true }
      : await launch(options.signal)
    const keeper = keepRunning({
      presence,
      launch: async (signal) => (await launch(signal)).presence,
      onGivenUp: (cause) =>
        new EmbeddedPostgresError(
          'server_lost',
          `The embedded Postgres under ${place.home} was lost and could not be restarted: ${cause instanceof Error ? cause.message : 'it was lost too often'}`,
          { cause },
        ),
      logger: options.logger,
    })
    let stopped: Promise<void> | undefined
    async function stop(): Promise<void> {
      try {
        const { last = false } = (await (await keeper.stop())?.leave()) ?? {}
        if (last) await stopServer(place)
      } finally {
        letGo()
      }
    }
    return { connection, adopted, lost: keeper.lost, stop: () => (stopped ??= stop()) }
  } catch (error) {
    letGo()
    throw error
  }
}

const versionFileOf = (place: Place): string => path.join(place.data, 'PG_VERSION')

async function requireVersion(place: Place, majorVersion: string): Promise<void> {
  const found = (await readFile(versionFileOf(place), 'utf8')).trim()
  if (found !== majorVersion)
    throw new EmbeddedPostgresError(
      'data_directory_version',
      `The data under ${place.data} is from Postgres ${found}, but this is Postgres ${majorVersion}; move it with pg_dump, or start over`,
    )
}

/** Creates the database under a temporary name, then renames it, so that no crash or concurrent start leaves half of it. */
async function initialize(binaries: string, place: Place): Promise<void> {
  const made = `${place.data}.${randomUUID()}`
  await makePrivate(made, place.ids)
  const flags = ['-D', made, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  try {
    await run(path.join(binaries, 'bin', 'initdb'), flags, { ...place.ids, cwd: made, env: { LC_ALL: 'C' } })
    await rename(made, place.data)
    await syncDirectory(place.home)
  } catch (cause) {
    await rm(made, { recursive: true, force: true })
    // Another process was faster.
    if (await exists(versionFileOf(place))) return
    throw new EmbeddedPostgresError('start_failed', 'initdb failed', { cause })
  }
}
