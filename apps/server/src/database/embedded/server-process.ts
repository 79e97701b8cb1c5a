import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { exists } from './binaries.ts'
import type { Place } from './choose-place.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { announcePresence, type Presence, type SocketConnection } from './presence.ts'

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 30_000
const POLL_MS = 15
const LAUNCH_AGAIN_MS = 200
const LOG_CHARACTERS = 4000
const SETTINGS = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '64MB',
  unix_socket_permissions: '0700',
}

/** Another server has the data: it may be starting, or stopping, or its last processes may be ending after a crash. */
const TAKEN = ['lock file "postmaster.pid" already exists', 'is still in use']

interface Attempt {
  child: ChildProcess
  log(): string
  hasEnded(): boolean
}

/**
 * Starts the server and waits until one answers, whether ours or another process's that was faster.
 *
 * @throws EmbeddedPostgresError `start_failed`, `start_timed_out`
 */
export async function launchServer(options: {
  binaries: string
  place: Place
  connection: SocketConnection
}): Promise<{ presence: Presence; adopted: boolean }> {
  const { binaries, place, connection } = options
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  let attempt = spawnServer(binaries, place)
  let againMs = performance.now() + LAUNCH_AGAIN_MS
  let presence: Presence | undefined
  while ((presence = await announcePresence(connection)) === undefined) {
    if (attempt.hasEnded()) {
      if (!TAKEN.some((text) => attempt.log().includes(text)))
        throw new EmbeddedPostgresError('start_failed', `Postgres ended at its start: ${attempt.log()}`)
      if (performance.now() > againMs) {
        attempt = spawnServer(binaries, place)
        againMs = performance.now() + LAUNCH_AGAIN_MS
      }
    }
    if (performance.now() > deadlineMs) {
      attempt.child.kill('SIGINT')
      throw new EmbeddedPostgresError('start_timed_out', `Postgres did not start: ${attempt.log()}`)
    }
    await delay(POLL_MS)
  }
  attempt.child.unref()
  attempt.child.stderr?.destroy()
  return { presence, adopted: (await readServerPid(place)) !== attempt.child.pid }
}

function spawnServer(binaries: string, place: Place): Attempt {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(
    path.join(binaries, 'bin', 'postgres'),
    ['-D', place.data, '-k', place.socket, '-p', '5432', ...settings],
    {
      ...place.ids,
      cwd: place.data,
      // None of our secrets, and messages in the language that is looked for in them.
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own: Ctrl-C is for us, and we stop it once we no longer need it.
      detached: true,
    },
  )
  let log = ''
  child.stderr.on('data', (text: Buffer) => (log = (log + String(text)).slice(-LOG_CHARACTERS)))
  child.once('error', (error) => (log += error.message))
  return { child, log: () => log, hasEnded: () => child.exitCode !== null || child.signalCode !== null }
}

const pidFileOf = (place: Place): string => path.join(place.data, 'postmaster.pid')

async function readServerPid(place: Place): Promise<number> {
  return Number((await readFile(pidFileOf(place), 'utf8')).split('\n', 1)[0])
}

/** Ends the server's sessions, has it write what it holds, and waits for its end. */
export async function stopServer(place: Place): Promise<void> {
  try {
    process.kill(await readServerPid(place), 'SIGINT')
  } catch (error) {
    if (isGone(error)) return
    throw error
  }
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS
  while ((await exists(pidFileOf(place))) && performance.now() < deadlineMs) await delay(POLL_MS)
}

/** Another process stopped it at the same moment. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
}
