import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WEBHOOK_EVENT_TYPES, type WebhookDelivery, type WebhookEndpoint } from '@vaani/contracts'
import pg from 'pg'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { createMigrated } from './restored-database.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const KEY = 'sk_test_faults_0123456789abcdef'
const NO_LIMIT = { place_call: { limit: 100_000, period_seconds: 1 } }

export interface ApiAnswer<Body> {
  status: number
  body: Body
}

/** Server processes on one database, and the receiver of their webhooks. */
export interface Fleet extends AsyncDisposable {
  receiver: Receiver
  /** Reads the database directly, bypassing the servers. */
  pool: pg.Pool
  start(more?: Record<string, string>): Promise<ServerProcess>
  /** @throws if the server exits before it has answered */
  ask<Body>(server: ServerProcess, route: string, body?: object, method?: string): Promise<ApiAnswer<Body>>
  /** Creates an endpoint for every event type at a path of the receiver. */
  createEndpoint(server: ServerProcess, at: string): Promise<WebhookEndpoint>
  /** Sends test events one after another, each for its own object. */
  sendTests(server: ServerProcess, endpointId: string, count: number): Promise<WebhookDelivery[]>
}

export async function startFleet(
  options: {
    databaseUrl?: string
    /** The database URL for the servers, if it differs from the test’s. */
    serversDatabaseUrl?: string
    /** Delays before the attempts; the length is the number of attempts per delivery. */
    scheduleSeconds?: readonly number[]
  } = {},
): Promise<Fleet> {
  const { scheduleSeconds = [0, ...Array.from({ length: 9 }, () => 0.2)] } = options
  await using held = new AsyncDisposableStack()
  const databaseUrl = options.databaseUrl ?? held.use(await createMigrated()).url
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-faults-'))
  held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const receiver = held.use(await startReceiver())
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  // Tests stop the database while the pool is open.
  pool.on('error', () => undefined)
  held.defer(() => pool.end())
  const processes: ServerProcess[] = []
  held.defer(async () => void (await Promise.all(processes.map((one) => one.kill('SIGKILL')))))
  const environment = {
    DATABASE_URL: options.serversDatabaseUrl ?? databaseUrl,
    VAANI_DATA_DIR: dataDirectory,
    VAANI_BOOTSTRAP_API_KEY: KEY,
    VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    VAANI_WEBHOOK_SCHEDULE_SECONDS: scheduleSeconds.join(','),
  }

  const ask: Fleet['ask'] = async (server, route, body, method = body ? 'POST' : 'GET') => {
    const response = await fetch(server.url + route, {
      method,
      headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  async function askFor<Body>(status: number, ...request: Parameters<Fleet['ask']>): Promise<Body> {
    const answer = await ask<Body>(...request)
    if (answer.status !== status) throw new Error(`${request[1]} answered ${JSON.stringify(answer)}`)
    return answer.body
  }

  const resources = held.move()
  return {
    receiver,
    pool,
    ask,
    async start(more = {}) {
      const server = await startServerProcess({ ...environment, ...more })
      processes.push(server)
      const { rows } = await pool.query<{ account_id: string }>('select account_id from accounts')
      const route = `/admin/accounts/${rows[0]?.account_id}`
      if (server.url !== '') await askFor(200, server, route, { rate_overrides: NO_LIMIT }, 'PATCH')
      return server
    },
    createEndpoint: (server, at) =>
      askFor(201, server, '/webhooks/endpoints', {
        url: receiver.url + at,
        events: [...WEBHOOK_EVENT_TYPES],
      }),
    async sendTests(server, endpointId, count) {
      const sent: WebhookDelivery[] = []
      const route = `/webhooks/endpoints/${endpointId}/test`
      while (sent.length < count) sent.push(await askFor(202, server, route, { type: 'call.completed' }))
      return sent
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
