/** A server stops by a single deadline, whatever hangs. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Call } from '@vaani/contracts'
import { createSimulatorCarrier, SIMULATOR_NUMBERS } from '@vaani/telephony-sip/simulator'
import { describe, expect, test } from 'vitest'
import { isAlive } from './support/is-alive.ts'
import { createLogLines } from './support/log-lines.ts'
import { startOwnPostgres } from './support/own-postgres.ts'
import { query } from './support/query.ts'
import { createMigrated } from './support/restored-database.ts'
import {
  MAIN,
  SERVER_ENVIRONMENT,
  type ServerProcess,
  spawnServerProcess,
  startServerProcess,
} from './support/server-process.ts'
import { startTestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const KEY = 'sk_test_stop_0123456789abcdef'
const PHONE = '+9779812345678'
const NEVER_ANSWERS = SIMULATOR_NUMBERS.neverAnswers.number
/** So long that, within a test, only finishing or a second signal ends the grace period. */
const LONG_GRACE = { VAANI_SHUTDOWN_GRACE_SECONDS: '600' }

interface CallRow {
  status: string
  failure_reason: string | null
  dial_started_at: Date | null
}

/** Creates a database for one test, and servers on it. Tests run concurrently, because they mostly wait for grace periods. */
async function openStand() {
  await using held = new AsyncDisposableStack()
  const database = held.use(await createMigrated())
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-stop-'))
  held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const environment = {
    DATABASE_URL: database.url,
    VAANI_DATA_DIR: dataDirectory,
    VAANI_BOOTSTRAP_API_KEY: KEY,
  }
  const cleanUp = held.move()
  /** Reads the row of a call. */
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
    /** Opens a connection that sends only this text. */
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

/** Waits for the exit, which has to be that of a clean stop. */
async function expectCleanExit({ child, output }: Pick<ServerProcess, 'child' | 'output'>): Promise<void> {
  const code = await until(
    async () => child.exitCode,
    (exitCode) => exitCode !== null,
  )
  expect(code, output()).toBe(0)
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: vaani\r\n\r\n'

test.concurrent('SIGHUP stops it as well, and connections without a request in flight do not delay it', async () => {
  await using stand = await openStand()
  const { connectTo, start } = stand
  const server = await start(LONG_GRACE)
  const silent = await connectTo(server)
  const partial = await connectTo(server, 'POST /agent/calls HTTP/1.1\r\nhost: ')
  const closed = Promise.all([silent, partial].map((socket) => once(socket, 'close')))
  // Each gets a response, and stays idle. The responses come only after the other connections were accepted.
  await Promise.all(Array.from({ length: 100 }, async () => once(await connectTo(server, HEALTH), 'data')))
  server.child.kill('SIGHUP')
  await expectCleanExit(server)
  await closed
  expect(server.output()).toContain('"event":"stopped"')
})

test.concurrent('what takes more than a second to release, such as threads that are still starting, does not cut the database', async () => {
  const { log, troubles } = createLogLines()
  const phone = createSimulatorCarrier()
  async function close() {
    await delay(1500)
    await phone.close()
  }
  await using database = await createMigrated()
  {
    await using _ = await startTestServer({
      config: { databaseUrl: database.url, shutdownGraceMs: 600_000 },
      createSimulator: () => ({ ...phone, close }),
      log,
    })
  }
  expect(troubles()).toEqual([])
})

describe.concurrent('nothing new starts', () => {
  test('a call that becomes due is not dialled, while another one continues', async () => {
    await using stand = await openStand()
    const { connectTo, readCall, start, untilDialled } = stand
    const server = await start({ VAANI_SHUTDOWN_GRACE_SECONDS: '16' })
    // Keeps the server running for the whole grace period.
    const ringing = await place(server, { to: NEVER_ANSWERS })
    await untilDialled(ringing.call_id)
    const due = await place(server, { scheduled_at: new Date(Date.now() + 8000).toISOString() })
    await connectTo(server)
    server.child.kill('SIGTERM')
    await expectCleanExit(server)
    expect(await readCall(ringing.call_id)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
    expect(await readCall(due.call_id)).toMatchObject({ status: 'queued', dial_started_at: null })
    expect(Date.now()).toBeGreaterThan(Date.parse(due.scheduled_at ?? ''))
  })

  test('a request in flight is answered, and its connection closed', async () => {
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
    // Also send another request after it, which must not be answered.
    socket.write(body.slice(10) + HEALTH)
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    await expectCleanExit(server)
  })
})

describe.concurrent('work that outlasts the grace period is ended', () => {
  test('at a single deadline: a call, a request, a receiver that never answers', async () => {
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
    await expectCleanExit(server)
    expect(await readCall(call.call_id)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
  })

  test('at once on a second signal, but not on an immediate duplicate of the first', async () => {
    await using stand = await openStand()
    const { readCall, start, untilDialled } = stand
    const server = await start(LONG_GRACE)
    const { call_id } = await place(server, { to: NEVER_ANSWERS })
    await untilDialled(call_id)
    server.child.kill('SIGTERM')
    server.child.kill('SIGTERM')
    await until(
      async () => server.output(),
      (output) => output.includes('Stopping'),
    )
    // A signal counts as the second a second after the first. Another one would end the process as by default.
    await delay(1200)
    expect(server.child.exitCode).toBe(null)
    server.child.kill('SIGINT')
    await expectCleanExit(server)
    expect(await readCall(call_id)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
  })

  test('with a database that hangs', async () => {
    await using stand = await openStand()
    const { cleanUp, connectTo, environment, start, untilDialled } = stand
    const postgres = cleanUp.use(await startOwnPostgres())
    environment.DATABASE_URL = postgres.url
    const server = await start({ VAANI_SHUTDOWN_GRACE_SECONDS: '2' })
    const { call_id } = await place(server, { to: NEVER_ANSWERS })
    await untilDialled(call_id)
    await postgres.freeze()
    // This request waits for the database too.
    await connectTo(
      server,
      `GET /agent/calls HTTP/1.1\r\nhost: vaani\r\nauthorization: Bearer ${KEY}\r\n\r\n`,
    )
    server.child.kill('SIGTERM')
    await expectCleanExit(server)
    postgres.thaw()
  })
})

const hasScript =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

test.skipIf(!hasScript)(
  'closing its terminal stops it gracefully, although it can no longer print',
  { concurrent: true },
  async () => {
    await using stand = await openStand()
    const { environment, readCall, untilDialled } = stand
    const command = `echo "pid: $$"; exec '${process.execPath}' --conditions=vaani-source '${MAIN}'`
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

test.concurrent('it stops although nothing reads its output', async () => {
  await using stand = await openStand()
  const { start } = stand
  const server = await start({ ...LONG_GRACE, LOG_LEVEL: 'debug' })
  server.child.stdout?.destroy()
  server.child.stderr?.destroy()
  await fetch(`${server.url}/healthz`)
  server.child.kill('SIGHUP')
  await expectCleanExit(server)
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
  await expectCleanExit(server)
})
