import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Id, type Scope, SCOPES } from '@vaani/contracts'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { migrate } from '@vaani/service-kit/database/migrate'
import { createMigrationPool } from '@vaani/service-kit/database/pools'
import { createSimulatorCarrier } from '@vaani/telephony-sip/simulator'
import { createTestDatabase } from '@vaani/test-services'
import { type Config, features } from '../../src/features.ts'
import { createAccountRows, type NewAccount } from '../../src/features/admin/create-account-rows.ts'
import { type ServerContext, type ServerOptions, startServer } from '../../src/server.ts'
import { createApiKey } from '../../src/tenancy/api-key.ts'
import { insertKey } from '../../src/tenancy/key-rows.ts'
import { SPEECH_ON_DEMAND } from './process-environment.ts'
import { createFollowedLog } from './written-lines.ts'

/** Ten times faster than real time. */
const FRAME_INTERVAL_MS = 2

export interface TestRequest {
  method?: string
  body?: unknown
  /** Sent as is, instead of `body`. */
  rawBody?: string | Uint8Array
  headers?: Record<string, string>
  /** Null to send no key. */
  key?: string | null
  signal?: AbortSignal
}

export interface TestServer extends AsyncDisposable {
  context: ServerContext
  url: string
  /** An operator's key with every scope. */
  key: string
  databaseUrl: string
  /** Reads the metrics as a collector would; fails unless a metrics port is set. */
  scrape(): Promise<string>
  fetch(route: string, request?: TestRequest): Promise<Response>
  /** Sends a request and parses the JSON body of the response. */
  json<Body = Record<string, never>>(
    route: string,
    request?: TestRequest,
  ): Promise<{ status: number; body: Body; headers: Headers }>
  createAccount(
    account?: Partial<NewAccount>,
    scopes?: readonly Scope[],
  ): Promise<{ accountId: Id<'account'>; key: string }>
  /** Adds a key to an account, with every scope by default. */
  createKey(accountId: Id<'account'>, livemode: boolean, scopes?: readonly Scope[]): Promise<string>
}

/** Migrates the template that test databases are copied from. */
export async function migrateUrl(url: string): Promise<void> {
  const database = createDatabase(createMigrationPool({ connectionString: url }))
  await migrate(database, features.migrations)
  await database.destroy()
}

/** Starts a server on its own database and a free port, with a fast simulator. */
export async function startTestServer(
  options: {
    config?: Partial<Config>
    /** The first key, if the database belongs to another server. */
    key?: string
  } & Partial<Pick<ServerOptions, 'clock' | 'createSimulator' | 'log' | 'tracer'>> = {},
): Promise<TestServer> {
  await using held = new AsyncDisposableStack()
  const database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  held.defer(() => database.drop())
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-test-'))
  // A request that the stop cut short may still be writing.
  held.defer(() => rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 }))
  const config: Config = {
    ...features.settings.read({}),
    databaseUrl: database.url,
    port: 0,
    dataDirectory,
    shutdownGraceMs: 0,
    speechEnginesFile: SPEECH_ON_DEMAND,
    ...options.config,
  }
  const server = held.use(
    await startServer({
      createSimulator: () => createSimulatorCarrier({ frameIntervalMs: FRAME_INTERVAL_MS }),
      ...(options.clock && { clock: options.clock }),
      ...(options.createSimulator && { createSimulator: options.createSimulator }),
      config,
      tracer: options.tracer,
      log: options.log ?? createFollowedLog(),
    }),
  )
  const { context, address, metricsAddress } = server
  const firstKey = options.key ?? context.admin.firstKey
  if (address === null || firstKey === null) throw new Error('The test server has no address or no key')

  const send = (route: string, request: TestRequest = {}) => {
    const { body, rawBody, headers = {}, key = firstKey, signal } = request
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    return fetch(address + route, {
      method: request.method ?? (payload === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
      ...(signal && { signal }),
    })
  }
  async function createKey(accountId: Id<'account'>, livemode: boolean, scopes: readonly Scope[] = SCOPES) {
    const { clock, makeId, database } = context
    const key = createApiKey(livemode)
    await database
      .transaction()
      .execute((tx) => insertKey({ tx, clock, makeId, key, accountId, name: 'Test', scopes, actor: 'test' }))
    return key
  }
  const resources = held.move()
  return {
    context,
    url: address,
    key: firstKey,
    databaseUrl: database.url,
    scrape: async () => (await fetch(`${metricsAddress}/metrics`)).text(),
    fetch: send,
    async json(route, request) {
      const response = await send(route, request)
      const text = await response.text()
      return {
        status: response.status,
        body: text === '' ? undefined : JSON.parse(text),
        headers: response.headers,
      }
    },
    createKey,
    async createAccount(account = {}, scopes = SCOPES) {
      const row = await context.database.transaction().execute((tx) =>
        createAccountRows({
          tx,
          clock: context.clock,
          makeId: context.makeId,
          account: {
            name: 'Test',
            tier: 'pro',
            operator: false,
            callWebhookUrl: null,
            rateOverrides: {},
            ...account,
          },
        }),
      )
      return { accountId: row.account_id, key: await createKey(row.account_id, false, scopes) }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
