/** How a server stops: by one deadline for all, whatever hangs. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Call } from '@vaani/contracts'
import { LOOPBACK_TEST_NUMBERS } from '@vaani/telephony'
import { createTestDatabase } from '@vaani/test-services'
import { describe, expect, test } from 'vitest'
import { isAlive } from './support/is-alive.ts'
import { startOwnPostgres } from './support/own-postgres.ts'
import { query } from './support/query.ts'
import {
  MAIN,
  SERVER_ENVIRONMENT,
  type ServerProcess,
  spawnServerProcess,
  startServerProcess,
} from './support/server-process.ts'
import { until } from './support/until.ts'

const KEY = 'sk_test_stop_0123456789abcdef'
const PHONE = '+9779812345678'
const NEVER_ANSWERS = LOOPBACK_TEST_NUMBERS.neverAnswers.number
/** Nothing but its end, or a second signal, ends such a grace within a test. */
const LONG_GRACE = { VAANI_SHUTDOWN_GRACE_SECONDS: '600' }
/** For what ends long before: the end of several graces one after another. */
const WITHIN_MS = 30_000

interface CallRow {
  status: string
  failure_reason: string | null
  dial_started_at: Date | null
}

/** A database of a test's own, and servers on it. Tests run side by side, as most of each is a grace that runs out. */
async function openStand() {
  await using held = new AsyncDisposableStack()
  const database = held.use(await createTestDatabase())
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-stop-'))
  held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const environment = {
    DATABASE_URL: database.url,
    VAANI_DATA_DIR: dataDirectory,
    VAANI_BOOTSTRAP_API_KEY: KEY,
  }
  const cleanUp = held.move()
  /** What the database says of a call. */
  async function readCall(callId: string): Promise<CallRow> {
    const [row] = await query<CallRow>(
      environment.DATABASE_URL,
      `select status, failure_reason, dial_started_at from calls where call_id = '${callId}'`,
    )
    if (row === undefined) throw new Error('There is no such call')
    return row
  }
  return {
    environment,
    cleanUp,
    readCall,
    untilDialled: (callId: string) =>
      until(
        () => readCall(callId),
        ({ dial_started_at }) => dial_started_at !== null,
      ),
    async start(more: Record<string, string> = {}): Promise<ServerProcess> {
      const server = await startServerProcess({ ...environment, ...more })
      cleanUp.defer(async () => void (await server.kill('SIGKILL')))
      return server
    },
    /** A connection that says this much, and nothing more. */
    async connectTo(server: ServerProcess, text = ''): Promise<Socket> {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(text)
      cleanUp.defer(() => void socket.destroy())
      return socket
    },
    [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
  }
}

async function api<Body>(server: Pick<ServerProcess, 'url'>, route: string, body?: object): Promise<Body> {
  const response = await fetch(server.url + route, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.ok).toBe(true)
  return response.json() as Promise<Body>
}
const place = (server: Pick<ServerProcess, 'url'>, more: Partial<Call> = {}) =>
  api<Call>(server, '/agent/calls', { to: PHONE, agent_id: 'reminder', language: 'en-US', ...more })

/** The exit code, once there is one. */
function exitOf({ child }: Pick<ServerProcess, 'child'>): Promise<number | null> {
  return until(
    async () => child.exitCode,
    (code) => code !== null,
    { withinMs: WITHIN_MS },
  )
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: vaani\r\n\r\n'

describe.concurrent('connections on which no request is under way do not delay it', () => {
  test.each([
    ['silent', ''],
    ['with half a head', 'POST /agent/calls HTTP/1.1\r\nhost: '],
  ])('%s', async (_, text) => {
    await using stand = await openStand()
    const { connectTo, start } = stand
    const server = await start(LONG_GRACE)
    const socket = await connectTo(server, text)
    const closed = once(socket, 'close')
    // Answered after the other was accepted.
    await fetch(`${server.url}/healthz`)
    server.child.kill('SIGTERM')
    expect(await exitOf(server)).toBe(0)
    await closed
  })

  test('idle, a hundred of them', async () => {
    await using stand = await openStand()
    const { connectTo, start } = stand
    const server = await start(LONG_GRACE)
    await Promise.all(Array.from({ length: 100 }, async () => once(await connectTo(server, HEALTH), 'data')))
    server.child.kill('SIGTERM')
    expect(await exitOf(server)).toBe(0)
  })
})

describe.concurrent('nothing new begins', () => {
  test('a call whose time comes is not dialled, while another one goes on', async () => {
    await using stand = await openStand()
    const { connectTo, readCall, start, untilDialled } = stand
    const server = await start({ VAANI_SHUTDOWN_GRACE_SECONDS: '6' })
    // Keeps the server for the whole of the grace.
    const ringing = await place(server, { to: NEVER_ANSWERS })
    await untilDialled(ringing.call_id)
    const due = await place(server, { scheduled_at: new Date(Date.now() + 2000).toISOString() })
    await connectTo(server)
    server.child.kill('SIGTERM')
    expect(await exitOf(server)).toBe(0)
    expect(await readCall(ringing.call_id)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
    expect(await readCall(due.call_id)).toMatchObject({ status: 'queued', dial_started_at: null })
    expect(Date.now()).toBeGreaterThan(Date.parse(due.scheduled_at ?? ''))
  })

  test('a request that was under way is answered, and its connection closed', async () => {
    await using stand = await openStand()
    const { connectTo, start } = stand
    const server = await start(LONG_GRACE)
    const body = JSON.stringify({ to: PHONE, agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' })
    const socket = await connectTo(
      server,
      `POST /agent/calls HTTP/1.1\r\nhost: vaani\r\nauthorization: Bearer ${KEY}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    )
    let answer = ''
    socket.on('data', (data) => (answer += String(data)))
    await fetch(`${server.url}/healthz`)
    server.child.kill('SIGTERM')
    await until(
      async () => server.output(),
      (output) => output.includes('Stopping'),
    )
    // And one more after it, which nobody takes.
    socket.write(body.slice(10) + HEALTH)
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(await exitOf(server)).toBe(0)
  })
})

describe.concurrent('what outlasts the grace is ended', () => {
  test('all of it at one deadline: a call, a request, a receiver that never answers', async () => {
    await using stand = await openStand()
    const { cleanUp, connectTo, readCall, start, untilDialled } = stand
    const receiver = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    cleanUp.defer(() => void receiver.close())
    const sockets: Socket[] = []
    receiver.on('connection', (socket) => sockets.push(socket))
    cleanUp.defer(() => sockets.forEach((socket) => socket.destroy()))
    const server = await start({
      VAANI_SHUTDOWN_GRACE_SECONDS: '16',
      VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    })
    const { port } = receiver.address() as AddressInfo
    await api(server, '/webhooks/endpoints', { url: `http://127.0.0.1:${port}/`, events: ['call.queued'] })
    const call = await place(server, { to: NEVER_ANSWERS })
    await untilDialled(call.call_id)
    await until(
      async () => sockets.length,
      (count) => count > 0,
    )
    await connectTo(server, 'POST /agent/calls HTTP/1.1\r\nhost: vaani\r\ncontent-length: 10\r\n\r\n{')
    server.child.kill('SIGTERM')
    expect(await exitOf(server)).toBe(0)
    expect(await readCall(call.call_id)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
  })

  test('at once by a second signal, and not by the same one that came twice', async () => {
    await using stand = await openStand()
    const { cleanUp, readCall, start, untilDialled } = stand
    const server = await start(LONG_GRACE)
    const { call_id } = await place(server, { to: NEVER_ANSWERS })
    await untilDialled(call_id)
    server.child.kill('SIGTERM')
    server.child.kill('SIGTERM')
    await until(
      async () => server.output(),
      (output) => output.includes('Stopping'),
    )
    // Until one counts as the second: so long the call keeps the server.
    const exitCodes: (number | null)[] = []
    const again = setInterval(() => {
      exitCodes.push(server.child.exitCode)
      server.child.kill('SIGINT')
    }, 1200)
    cleanUp.defer(() => clearInterval(again))
    expect(await exitOf(server)).toBe(0)
    clearInterval(again)
    expect(exitCodes[0]).toBe(null)
    expect(await readCall(call_id)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
  })

  test('a database that hangs', async () => {
    await using stand = await openStand()
    const { cleanUp, connectTo, environment, start, untilDialled } = stand
    const postgres = cleanUp.use(await startOwnPostgres())
    environment.DATABASE_URL = postgres.url
    const server = await start({ VAANI_SHUTDOWN_GRACE_SECONDS: '2' })
    const { call_id } = await place(server, { to: NEVER_ANSWERS })
    await untilDialled(call_id)
    await postgres.freeze()
    // Waits for the database too.
    await connectTo(
      server,
      `GET /agent/calls HTTP/1.1\r\nhost: vaani\r\nauthorization: Bearer ${KEY}\r\n\r\n`,
    )
    server.child.kill('SIGTERM')
    expect(await exitOf(server)).toBe(0)
    postgres.thaw()
  })
})

test.concurrent('a hang-up of the terminal stops it as well', async () => {
  await using stand = await openStand()
  const { start } = stand
  const server = await start(LONG_GRACE)
  server.child.kill('SIGHUP')
  expect(await exitOf(server)).toBe(0)
  expect(server.output()).toContain('"event":"stopped"')
})

const hasScript =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

test.skipIf(!hasScript)(
  'a terminal that is closed stops it in order, though it can print no more',
  { concurrent: true },
  async () => {
    await using stand = await openStand()
    const { environment, readCall, untilDialled } = stand
    const command = `echo "pid: $$"; exec '${process.execPath}' --conditions=source '${MAIN}'`
    const terminal = spawn('script', ['--quiet', '--command', command, '/dev/null'], {
      env: { ...SERVER_ENVIRONMENT, ...environment, VAANI_SHUTDOWN_GRACE_SECONDS: '2' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let text = ''
    terminal.stdout.on('data', (data: Buffer) => (text += String(data)))
    const url = await until(
      async () => /"address":"(http[^"]+)"/.exec(text)?.[1] ?? '',
      (address) => address !== '',
    )
    const pid = Number(/pid: (\d+)/.exec(text)?.[1])
    const { call_id } = await place({ url }, { to: NEVER_ANSWERS })
    await untilDialled(call_id)
    terminal.kill('SIGKILL')
    await until(
      async () => isAlive(pid),
      (alive) => !alive,
    )
    expect(await readCall(call_id)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
  },
)

test.concurrent('it stops although nobody reads what it prints', async () => {
  await using stand = await openStand()
  const { start } = stand
  const server = await start({ ...LONG_GRACE, LOG_LEVEL: 'debug' })
  server.child.stdout?.destroy()
  server.child.stderr?.destroy()
  await fetch(`${server.url}/healthz`)
  server.child.kill('SIGHUP')
  expect(await exitOf(server)).toBe(0)
})

test.concurrent('it stops while it waits for its database', async () => {
  await using stand = await openStand()
  const { cleanUp, environment } = stand
  const server = spawnServerProcess({ ...environment, DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  cleanUp.defer(async () => void (await server.kill('SIGKILL')))
  await until(
    async () => server.output(),
    (output) => output.includes('Waiting for the database'),
  )
  server.child.kill('SIGTERM')
  expect(await exitOf(server)).toBe(0)
})
