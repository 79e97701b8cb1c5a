import { execFile, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Logger } from '../../log.ts'
import { exists, installBinaries } from './binaries.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** Postgres refuses to run as root; `nobody` is on every Unix. */
const NOBODY_ID = 65_534
/** `sun_path` of a Unix socket holds 107 bytes on Linux and 103 on macOS; the socket's own name takes 18. */
const MAX_SOCKET_DIRECTORY = 80
const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 30_000
const POLL_MS = 15
const LOG_CHARACTERS = 4000
const SUPERUSER = 'postgres'

export interface EmbeddedPostgres {
  connection: { host: string; user: string; database: string }
  /** Whether a server was running already: after a crash of ours, or of another process on the same directory. */
  adopted: boolean
  /** Stops the server unless another process still uses it. */
  stop(): Promise<void>
}

interface Place {
  data: string
  socket: string
  ids: { uid?: number; gid?: number }
}

const run = promisify(execFile)

/**
 * Starts a Postgres of our own under a directory: fsync on, a Unix socket only, never as root. A server that is running
 * there already is used.
 *
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: {
  directory: string
  logger?: Logger
}): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new EmbeddedPostgresError(
      'platform_not_supported',
      'The embedded Postgres needs Unix sockets: set DATABASE_URL',
    )
  const root = await choosePlace(options.directory, options.logger)
  const binaries = await installBinaries(root.home)
  const place = await prepare(root)
  await requireVersion(place, binaries.majorVersion)
  if (!(await exists(path.join(place.data, 'PG_VERSION')))) await initialize(binaries.directory, place)
  const connection = { host: place.socket, user: SUPERUSER, database: SUPERUSER }
  const adopted =
    (await ping(connection)) || (await launch(binaries.directory, place, connection)) === 'other'
  return { connection, adopted, stop: () => stop(place, connection) }
}

const isRoot = (): boolean => process.getuid?.() === 0

/**
 * As root, every folder above the data must let `nobody` pass; where one does not (a home of mode 0700), the data is
 * kept under /var/tmp instead. A file in the directory says where, so that deleting the directory begins anew.
 */
async function choosePlace(directory: string, logger: Logger | undefined): Promise<{ home: string }> {
  await mkdir(directory, { recursive: true })
  if (!isRoot() || (await letsNobodyPass(directory))) return { home: directory }
  const pointer = path.join(directory, 'location')
  if (!(await exists(pointer))) {
    const made = await mkdtemp('/var/tmp/vaani-postgres-')
    // Of two processes that begin at once, the first one to write is followed by both.
    await writeFile(pointer, made, { flag: 'wx' }).catch(ignoreExisting)
  }
  const home = await readFile(pointer, 'utf8')
  await mkdir(home, { recursive: true })
  await chmod(home, 0o755)
  logger?.warn(
    { event: 'embedded_postgres', reason: 'directory not open to the user nobody' },
    `The database is under ${home}`,
  )
  return { home }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

const digest = (text: string): string =>
  createHash('sha256').update(path.resolve(text)).digest('hex').slice(0, 16)

async function letsNobodyPass(directory: string): Promise<boolean> {
  await chmod(directory, 0o755)
  return run('test', ['-x', directory], { uid: NOBODY_ID, gid: NOBODY_ID, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

async function prepare({ home }: { home: string }): Promise<Place> {
  const ids = isRoot() ? { uid: NOBODY_ID, gid: NOBODY_ID } : {}
  const data = path.join(home, 'data')
  const near = path.join(home, 'run')
  const socket = near.length <= MAX_SOCKET_DIRECTORY ? near : path.join(tmpdir(), `vaani-${digest(home)}`)
  await makePrivate(socket, ids)
  return { data, socket, ids }
}

/** Makes a folder that only the server's user may enter: who may enter that of the socket may connect. */
async function makePrivate(folder: string, { uid, gid }: Place['ids']): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  await chmod(folder, 0o700)
}

async function requireVersion(place: Place, majorVersion: string): Promise<void> {
  const file = path.join(place.data, 'PG_VERSION')
  if (!(await exists(file))) return
  const found = (await readFile(file, 'utf8')).trim()
  if (found !== majorVersion)
    throw new EmbeddedPostgresError(
      'data_directory_version',
      `The data under ${place.data} is of Postgres ${found}, and this is ${majorVersion}: move it by pg_dump, or begin anew`,
    )
}

/** Made aside and then renamed: neither a crash nor a second process at the same moment leaves half a database. */
async function initialize(binaries: string, { data, ids }: Place): Promise<void> {
  const made = `${data}.${randomUUID()}`
  await makePrivate(made, ids)
  const flags = ['-D', made, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C']
  try {
    await run(path.join(binaries, 'bin', 'initdb'), flags, { ...ids, cwd: made })
    await rename(made, data)
  } catch (cause) {
    await rm(made, { recursive: true, force: true })
    if (await exists(path.join(data, 'PG_VERSION'))) return
    throw new EmbeddedPostgresError('start_failed', 'initdb failed', { cause })
  }
}

async function ping(connection: EmbeddedPostgres['connection']): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    // Whatever it says, it cannot be used yet.
    return false
  } finally {
    await client.end()
  }
}

/** Starts the server, and says whether it is ours: another process may have started one on the directory just before. */
async function launch(
  binaries: string,
  place: Place,
  connection: EmbeddedPostgres['connection'],
): Promise<'own' | 'other'> {
  const settings = {
    listen_addresses: '',
    max_connections: '100',
    shared_buffers: '64MB',
    unix_socket_permissions: '0700',
  }
  const child = spawn(
    path.join(binaries, 'bin', 'postgres'),
    [
      '-D',
      place.data,
      '-k',
      place.socket,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // A group of its own: Ctrl-C is for us, and we stop it once we no longer need it.
    { ...place.ids, cwd: place.data, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  let log = ''
  child.stderr.on('data', (text: Buffer) => (log = (log + String(text)).slice(-LOG_CHARACTERS)))
  child.once('error', (error) => (log += error.message))
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  while (!(await ping(connection))) {
    // It ended: it failed, or found that another had been faster, which may still be starting.
    if (child.exitCode !== null && !log.includes('lock file "postmaster.pid" already exists'))
      throw new EmbeddedPostgresError('start_failed', `Postgres ended at its start: ${log}`)
    if (performance.now() > deadlineMs)
      throw new EmbeddedPostgresError('start_timed_out', `Postgres did not start: ${log}`)
    await delay(POLL_MS)
  }
  child.unref()
  child.stderr.destroy()
  return child.exitCode === null ? 'own' : 'other'
}

/** Whether any client but the one that asks is connected. */
async function hasOtherClients(connection: EmbeddedPostgres['connection']): Promise<boolean> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
    )
    return rows.length > 0
  } finally {
    await client.end()
  }
}

async function stop(place: Place, connection: EmbeddedPostgres['connection']): Promise<void> {
  if (!(await ping(connection)) || (await hasOtherClients(connection))) return
  const pidFile = path.join(place.data, 'postmaster.pid')
  const pid = Number((await readFile(pidFile, 'utf8')).split('\n', 1)[0])
  process.kill(pid, 'SIGINT')
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS
  while ((await exists(pidFile)) && performance.now() < deadlineMs) await delay(POLL_MS)
}
