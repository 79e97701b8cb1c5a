import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import type { Clock } from '@vaani/service-kit/clock'
import { migrateDatabase } from '@vaani/service-kit/database/open-database'
import { loggerOptions } from '@vaani/service-kit/telemetry/log'
import { createTestDatabase } from '@vaani/test-services'
import { pino } from 'pino'
import { type Config, features } from '../../src/features.ts'
import { DATABASE_SCHEMA, type RunningWorker, startWorker } from '../../src/server.ts'

export const ADMIN_KEY = 'sk_live_administration_of_tests'

export interface TestWorker extends AsyncDisposable {
  readonly context: RunningWorker['context']
  readonly url: string
  readonly config: Config
  /** Lines of its log. */
  readonly lines: readonly string[]
  /** Sends a request with the key of the administration, or another, or none. */
  send<Body = Record<string, never>>(
    method: string,
    route: string,
    request?: { body?: unknown; key?: string | null },
  ): Promise<{ status: number; body: Body }>
  /** Reads the metrics as a collector does. */
  scrape(): Promise<string>
}

/** Creates a database that is migrated for a worker. */
export const createWorkerDatabase = () =>
  createTestDatabase({ template: { name: 'shadow_worker', migrate: migrateUrl } })

async function migrateUrl(url: string): Promise<void> {
  await migrateDatabase({
    settings: { databaseUrl: url, dataDirectory: '' },
    migrations: features.migrations,
    schema: DATABASE_SCHEMA,
    log: pino({ level: 'silent' }),
    waitMs: 0,
    signal: new AbortController().signal,
    isCheck: false,
  })
}

/** Starts a worker, on a database and a data directory of its own unless it shares those of another. */
export async function startTestWorker(
  options: {
    environment?: Record<string, string>
    /** Worker whose database and data directory this one shares. */
    beside?: TestWorker
    databaseUrl?: string
    clock?: Clock
  } = {},
): Promise<TestWorker> {
  await using held = new AsyncDisposableStack()
  const { beside, clock } = options
  async function ownDatabase(): Promise<string> {
    const database = held.use(await createWorkerDatabase())
    return database.url
  }
  async function ownDirectory(): Promise<string> {
    const directory = await mkdtemp(path.join(tmpdir(), 'shadow-worker-'))
    held.defer(() => rm(directory, { recursive: true, force: true }))
    return directory
  }
  const config = features.settings.read({
    DATABASE_URL: beside?.config.databaseUrl ?? options.databaseUrl ?? (await ownDatabase()),
    VAANI_DATA_DIR: beside?.config.dataDirectory ?? (await ownDirectory()),
    PORT: '0',
    VAANI_METRICS_PORT: '0',
    VAANI_SHUTDOWN_GRACE_SECONDS: '0',
    VAANI_SHADOW_PRIMARY_URL: 'http://127.0.0.1:1',
    VAANI_SHADOW_CANDIDATE_URL: 'http://127.0.0.1:2',
    VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_candidate',
    ...options.environment,
  })
  const lines: string[] = []
  const kept = new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) })
  const worker = held.use(
    await startWorker({
      config,
      log: pino(loggerOptions('debug'), kept),
      adminKey: ADMIN_KEY,
      ...(clock && { clock }),
    }),
  )
  const { address, context, metricsAddress } = worker
  if (address === null) throw new Error('The worker has no address')
  const resources = held.move()
  return {
    context,
    url: address,
    config,
    lines,
    async send(method, route, { body, key = ADMIN_KEY } = {}) {
      const response = await fetch(address + route, {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    },
    scrape: async () => (await fetch(`${metricsAddress}/metrics`)).text(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
