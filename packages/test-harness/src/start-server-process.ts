import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Vaani } from '@vaani/client'
import type { AdvanceMessage, ServerMessage, TestingSettings } from './protocol.ts'
import { startPostgresContainer } from './postgres-container.ts'

/** The first start unpacks Postgres and creates a database, on a machine that may be busy with other tests. */
const START_TIMEOUT_MS = 60_000
const ADVANCE_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000
/** Allows for a `now` that was computed as `new Date()` a moment ago. */
const PAST_MS = 60_000
/** The latest characters of the server's output that are kept. */
const LOG_CHARACTERS = 65_536

export interface StartVaaniOptions {
  /**
   * Database of the server. `embedded` (default): a Postgres that comes with the server and is shared by all tests on this
   * machine. `container`: a Postgres started with testcontainers, which needs `@testcontainers/postgresql`; the variable
   * `PG_IMAGE` names the image, by default `postgres:18-alpine`. Otherwise the `postgres://` address of an empty database.
   */
  readonly postgres?: 'embedded' | 'container' | (string & {})
  /** Time on the server's clock at the start, not in the past; default: the current time. The clock continues from there. */
  readonly now?: Date
  /** Speed of the simulator of phones as a multiple of real time: it rings, speaks and listens that much faster. Default 10. */
  readonly phoneSpeed?: number
  /** Further settings of the server; its README lists them: `{ VAANI_IDENTITY_POLICY: 'document-only' }`. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Clock of a server: it determines timestamps, expiry, retries and scheduled calls. */
export interface VaaniClock {
  /** In ms since 1970. */
  nowMs(): number
  /** Moves the clock forward by `ms`, which must not be negative; resolves when the server uses the new time. */
  advance(ms: number): Promise<void>
}

export interface RunningVaani extends AsyncDisposable {
  /** For example `http://127.0.0.1:40123`. */
  readonly url: string
  /** An operator's test key with every scope. */
  readonly key: string
  /** A client with that key. */
  readonly client: Vaani
  readonly clock: VaaniClock
  /** Returns the server's log as JSON lines; at most the last 64 Ki characters. */
  logs(): string
  /** Kills the server without draining, like a crash or a power failure. */
  kill(): Promise<void>
  /** Stops the server and deletes its data. Idempotent; the same as `await using`. */
  stop(): Promise<void>
}

/**
 * Starts a server in a separate process, on a free port of this machine and with its own database. It can reach webhook
 * receivers on this machine, and ends with the process that started it.
 *
 * @param entry path of the program: it takes `TestingSettings` and sends `ServerMessage`s
 * @throws Error with the server's output, if it could not start; RangeError if `now` is in the past or not a valid date
 */
export async function startServerProcess(
  entry: string,
  options: StartVaaniOptions = {},
): Promise<RunningVaani> {
  const { postgres = 'embedded', now, phoneSpeed = 10, environment = {} } = options
  if (now !== undefined && !(now.getTime() >= Date.now() - PAST_MS))
    throw new RangeError('`now` must be a date that is not in the past')
  await using held = new AsyncDisposableStack()
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-testing-'))
  held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const databaseUrl = postgres === 'container' ? held.use(await startPostgresContainer()).url : postgres
  let offsetMs = now === undefined ? 0 : now.getTime() - Date.now()
  const settings: TestingSettings = {
    offsetMs,
    phoneSpeed,
    temporaryDirectory: dataDirectory,
    // By user id, because users in containers may have no name.
    postgresDirectory: path.join(tmpdir(), `vaani-testing-postgres-${process.getuid?.()}`),
  }
  const child = forkServer(entry, {
    dataDirectory,
    settings,
    environment: { ...(databaseUrl !== 'embedded' && { DATABASE_URL: databaseUrl }), ...environment },
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  held.defer(async () => {
    if (child.connected) child.disconnect()
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(late)
  })
  const { receive, logs } = listenTo(child)
  const { url, key } = await receive(
    (message) => (message.type === 'started' ? message : undefined),
    START_TIMEOUT_MS,
  )
  async function advance(ms: number): Promise<void> {
    if (!child.connected) throw new Error('The server has ended')
    // Update the offset before the reply, because the server may apply it even if its reply is too late.
    const target = (offsetMs += ms)
    const answered = receive(
      (message) => (message.type === 'advanced' && message.offsetMs === target) || undefined,
      ADVANCE_TIMEOUT_MS,
    )
    // If the channel closes now, the end of the process reports it.
    child.send({ type: 'advance', offsetMs: target } satisfies AdvanceMessage, () => undefined)
    await answered
  }
  let advancing: Promise<unknown> = Promise.resolve()
  const resources = held.move()
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= resources.disposeAsync())
  return {
    url,
    key,
    client: new Vaani({ apiKey: key, baseUrl: url }),
    clock: {
      nowMs: () => Date.now() + offsetMs,
      async advance(ms) {
        if (!(ms >= 0 && Number.isSafeInteger(ms)))
          throw new RangeError('A clock can be advanced only by a whole number of ms, 0 or more')
        // One at a time, so that none overtakes another.
        const done = advancing.then(() => advance(ms))
        advancing = done.catch(() => undefined)
        await done
      },
    },
    logs,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Starts the program with nothing of our environment but what it needs. */
const forkServer = (
  entry: string,
  server: { dataDirectory: string; settings: TestingSettings; environment: Readonly<Record<string, string>> },
): ChildProcess =>
  fork(entry, {
    execArgv: entry.endsWith('.js') ? [] : ['--conditions=vaani-source'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // Saves each start after the first half of its work.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      LOG_LEVEL: 'warn',
      VAANI_DATA_DIR: server.dataDirectory,
      VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
      VAANI_SHUTDOWN_GRACE_SECONDS: '0',
      ...server.environment,
      VAANI_TESTING: JSON.stringify(server.settings),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In its own process group, Ctrl-C reaches only the tests, and the server shuts down cleanly after them.
    detached: true,
  })

/** Collects the output of a server, and waits for its messages. */
function listenTo(child: ChildProcess) {
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_CHARACTERS)
    })

  /** Resolves to the first result of `pick` that is not undefined. */
  function receive<Result>(
    pick: (message: ServerMessage) => Result | undefined,
    timeoutMs: number,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer)
        child.off('message', onMessage).off('close', onClose)
      }
      const fail = (what: string): void => {
        settle()
        reject(new Error(`The server ${what}\n${log}`))
      }
      const onMessage = (message: ServerMessage): void => {
        const picked = pick(message)
        if (picked === undefined) return
        settle()
        resolve(picked)
      }
      const onClose = (): void => fail('has ended')
      const timer = setTimeout(() => fail(`took longer than ${timeoutMs / 1000} s`), timeoutMs)
      child.on('message', onMessage).on('close', onClose)
    })
  }
  return { receive, logs: () => log }
}
