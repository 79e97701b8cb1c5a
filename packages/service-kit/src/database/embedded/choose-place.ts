import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  access,
  chmod,
  chown,
  constants,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '../../telemetry/log.ts'
import { exists } from './binaries.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** Postgres refuses to run as root; every Unix has the user `nobody`. */
const NOBODY_ID = 65_534
/** `sun_path` of a Unix socket holds 107 bytes on Linux and 103 on macOS; the socket's own name takes 18. */
const MAX_SOCKET_DIRECTORY = 80
/** The system's folder for state, which is not swept like folders for temporary files. */
const SYSTEM_STATE = process.platform === 'darwin' ? '/var/db' : '/var/lib'

export interface Place {
  /** Contains the programs, the data and, unless its path is too long, the socket. */
  home: string
  data: string
  socket: string
  /** User and group that the server runs as; empty if they are our own. */
  ids: { uid?: number; gid?: number }
}

const run = promisify(execFile)
const isRoot = (): boolean => process.getuid?.() === 0

/** Chooses the paths for the database of a directory. */
export async function choosePlace(directory: string, logger: Logger | undefined): Promise<Place> {
  const ids = isRoot() ? { uid: NOBODY_ID, gid: NOBODY_ID } : {}
  const home = await chooseHome(directory, logger)
  const near = path.join(home, 'run')
  const socket =
    Buffer.byteLength(near) <= MAX_SOCKET_DIRECTORY ? near : path.join(tmpdir(), `vaani-${digest(home)}`)
  await makePrivate(socket, ids)
  return { home, data: path.join(home, 'data'), socket, ids }
}

/** Creates a folder that only the server's user may enter. Users who may enter the socket's folder could connect. */
export async function makePrivate(folder: string, ids: Place['ids']): Promise<void> {
  await makeOwn(folder, ids)
  await chmod(folder, 0o700)
  if (ids.uid !== undefined && ids.gid !== undefined) await chown(folder, ids.uid, ids.gid)
}

/** Creates a folder, or accepts one of ours or the server's user. @throws EmbeddedPostgresError if another user owns it */
export async function makeOwn(folder: string, { uid }: Place['ids'] = {}): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting)
  // In a folder for temporary files, another user may have placed a link to something of ours.
  const found = await lstat(folder)
  if (!found.isDirectory() || ![process.getuid?.(), uid].includes(found.uid))
    throw new EmbeddedPostgresError('directory_not_usable', `${folder} belongs to another user`)
}

/**
 * When we run as root, every folder above the data must let `nobody` pass. If one does not (e.g. a home of mode 0700), the data
 * goes to the system's state folder instead. A file in the directory names it, so that deleting the directory starts over.
 */
async function chooseHome(directory: string, logger: Logger | undefined): Promise<string> {
  const full = path.resolve(directory)
  try {
    await mkdir(full, { recursive: true })
    await access(full, constants.W_OK)
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'directory_not_usable',
      `${full} cannot be created or written; set VAANI_DATA_DIR to a writable directory, or set DATABASE_URL`,
      { cause },
    )
  }
  if (!isRoot() || (await letsNobodyPass(full))) return full
  const pointer = path.join(full, 'location')
  if (!(await exists(pointer))) await writePointer(pointer)
  const home = await readFile(pointer, 'utf8')
  await mkdir(home, { recursive: true })
  await chmod(home, 0o755)
  logger?.warn(
    { event: 'embedded_postgres', reason: 'directory not open to the user nobody' },
    `The database is stored under ${home}`,
  )
  return home
}

/** Writes the pointer atomically: if two processes start concurrently, both use the first link, and never a partial name. */
async function writePointer(pointer: string): Promise<void> {
  const home = await mkdtemp(path.join(SYSTEM_STATE, 'vaani-postgres-'))
  const aside = `${pointer}.${randomUUID()}`
  await writeFile(aside, home, { flush: true })
  try {
    await link(aside, pointer)
  } catch (error) {
    await rm(home, { recursive: true })
    ignoreExisting(error)
  } finally {
    await rm(aside)
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

async function letsNobodyPass(directory: string): Promise<boolean> {
  await chmod(directory, 0o755)
  return run('test', ['-x', directory], { uid: NOBODY_ID, gid: NOBODY_ID, cwd: '/' }).then(
    () => true,
    () => false,
  )
}
