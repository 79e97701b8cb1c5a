import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Place } from './choose-place.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { lifelineOf } from './lifeline.ts'
import { announcePresence, type Presence, type SocketConnection } from './presence.ts'

/** Recovery after a crash may read 1 GB of WAL on a busy machine. */
const START_TIMEOUT_MS = 120_000
/**
 * Time for a fast shutdown, which writes a checkpoint. After that, the server is stopped like in a crash, which loses nothing
 * either. This is needed because Postgres 18 never stops if asked to while it recovers from a crash of one of its processes.
 */
const STOP_TIMEOUT_SECONDS = 5
const CRASH_TIMEOUT_SECONDS = 5
const POLL_MS = 15
const LAUNCH_AGAIN_MS = 200
const LOG_CHARACTERS = 4000
const SETTINGS = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '64MB',
  unix_socket_permissions: '0700',
  // Ends queries of killed clients, so that they do not delay the next start.
  client_connection_check_interval: '1s',
}

/**
 * The server's parent process. Prints the server's process id, stops the server once no process holds the lifeline, and ends
 * with it. A parent cannot signal an unrelated process that reused the id.
 */
const SUPERVISOR = `
exec 3<"$1"
shift
"$@" >/dev/null 3<&- &
server=$!
echo "$server"
{ read -r _ <&3; kill -INT "$server"; sleep ${STOP_TIMEOUT_SECONDS}; kill -QUIT "$server"; } >/dev/null &
watch=$!
wait "$server"
kill "$watch"`

/** Messages if another server holds the data: it may be starting, stopping, or ending its last processes after a crash. */
const TAKEN = ['lock file "postmaster.pid" already exists', 'is still in use']

interface Attempt {
  child: ChildProcess
  /** Process id of the server itself; undefined until it is known. */
  serverPid(): number | undefined
  log(): string
  hasEnded(): boolean
}

/**
 * Starts the server and waits until one responds, ours or that of a faster process. The caller must hold the lifeline.
 *
 * @throws EmbeddedPostgresError `start_failed`, `start_timed_out`; the signal's reason if it aborts
 */
export async function launchServer(options: {
  binaries: string
  place: Place
  connection: SocketConnection
  signal?: AbortSignal
}): Promise<{ presence: Presence; adopted: boolean }> {
  const { binaries, place, connection, signal } = options
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  let attempt = spawnServer(binaries, place)
  let againMs = performance.now() + LAUNCH_AGAIN_MS
  let presence: Presence | undefined
  try {
    while ((presence = await announcePresence(connection)) === undefined) {
      signal?.throwIfAborted()
      if (attempt.hasEnded()) {
        if (!TAKEN.some((text) => attempt.log().includes(text)))
          throw new EmbeddedPostgresError(
            'start_failed',
            `Postgres exited during its start: ${attempt.log()}`,
          )
        if (performance.now() > againMs) {
          attempt = spawnServer(binaries, place)
          againMs = performance.now() + LAUNCH_AGAIN_MS
        }
      }
      if (performance.now() > deadlineMs)
        throw new EmbeddedPostgresError('start_timed_out', `Postgres did not start: ${attempt.log()}`)
      await delay(POLL_MS)
    }
  } catch (error) {
    stopAttempt(attempt)
    throw error
  } finally {
    attempt.child.unref()
    attempt.child.stdout?.destroy()
    attempt.child.stderr?.destroy()
  }
  return { presence, adopted: (await readServerPid(place)) !== attempt.serverPid() }
}

function spawnServer(binaries: string, place: Place): Attempt {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [path.join(binaries, 'bin', 'postgres'), '-D', place.data, '-k', place.socket, '-p', '5432']
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', lifelineOf(place), ...server, ...settings], {
    ...place.ids,
    cwd: place.data,
    // Keeps our secrets out of the environment, and messages in the language that `TAKEN` matches.
    env: { LC_ALL: 'C', PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, so that Ctrl-C reaches only us, and we stop the server when we no longer need it.
    detached: true,
  })
  let log = ''
  let printed = ''
  let ended = false
  child.stderr.on('data', (text: Buffer) => (log = (log + String(text)).slice(-LOG_CHARACTERS)))
  child.stdout.on('data', (text: Buffer) => (printed += String(text)))
  child.once('error', (error) => {
    log += error.message
    ended = true
  })
  // Not `exit`, because the last lines of the log may not have been read by then.
  child.once('close', () => (ended = true))
  return {
    child,
    serverPid: () => (printed.endsWith('\n') ? Number(printed) : undefined),
    log: () => log,
    hasEnded: () => ended,
  }
}

/** Stops a server that does not respond yet. */
function stopAttempt({ serverPid, hasEnded }: Attempt): void {
  const pid = serverPid()
  if (pid !== undefined && !hasEnded()) sendSignal(pid, 'SIGINT')
}

const pidFileOf = (place: Place): string => path.join(place.data, 'postmaster.pid')

async function readServerPid(place: Place): Promise<number> {
  return Number((await readFile(pidFileOf(place), 'utf8')).split('\n', 1)[0])
}

/** Stops the server: ends its sessions, lets it write a checkpoint, and waits for its exit. */
export async function stopServer(place: Place): Promise<void> {
  await signalServer(place, 'SIGINT')
  if (await hasStopped(place, STOP_TIMEOUT_SECONDS)) return
  await signalServer(place, 'SIGQUIT')
  await hasStopped(place, CRASH_TIMEOUT_SECONDS)
}

async function hasStopped(place: Place, withinSeconds: number): Promise<boolean> {
  const deadlineMs = performance.now() + withinSeconds * 1000
  while (await signalServer(place, 0)) {
    if (performance.now() > deadlineMs) return false
    await delay(POLL_MS)
  }
  return true
}

/** @returns whether the server exists; signal 0 only checks that */
async function signalServer(place: Place, signal: NodeJS.Signals | 0): Promise<boolean> {
  try {
    return sendSignal(await readServerPid(place), signal)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
