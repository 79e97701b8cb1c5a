/**
 * `pnpm bench api`: measures placing and reading a call against the same work written by hand on bare Fastify and pg, and the
 * overhead of metrics and traces. The servers take turns within one run, so that drift in the machine's speed affects them alike.
 * `pnpm bench api 20` runs 20 rounds.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import pg from 'pg'
import { measureLayers } from './api/layers.ts'
import { type Load, measureLoad, median } from './api/load.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const ROUND_MS = 2000
const KEY = 'sk_test_bench_0123456789abcdef'
const root = path.resolve(import.meta.dirname, '../../..')
const bundle = path.join(root, 'apps/server/dist/main.js')

interface Server {
  name: string
  child: ChildProcess
  pid: number
  url: string
  callPath: string
}

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-'))
const postgres = await startEmbeddedPostgres({ directory: path.join(folder, 'postgres') })
const { host, user } = postgres.connection
const urlOf = (database: string) =>
  `postgres://localhost/${database}?${new URLSearchParams({ host: String(host), user: String(user) })}`

const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
const body = {
  to: '+9779812345678',
  agent_id: 'reminder',
  language: 'en-US',
  metadata: { name: 'Sita', clinic: 'Patan', room: 4 },
}

async function start(
  name: string,
  args: string[],
  database: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await findFreePort()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: urlOf(database),
      PORT: String(port),
      VAANI_ROLES: 'api',
      // The hand-written server does not log either; a line written to a pipe costs some 40 µs.
      LOG_LEVEL: 'warn',
      VAANI_BOOTSTRAP_API_KEY: KEY,
      VAANI_DATA_DIR: path.join(folder, database),
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  // It logs no line about its start. The server by hand has no such route, and answers 404.
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode}`)
    await delay(100)
  }
  return { name, child, pid: child.pid ?? 0, url, callPath: '' }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status < 500,
    () => false,
  )

async function findFreePort(): Promise<number> {
  await using probe = createServer()
  await once(probe.listen(0, '127.0.0.1'), 'listening')
  return (probe.address() as AddressInfo).port
}

/** Removes the rows of the last round, so that each round begins with the same tables. */
async function clear(database: string, keep = ''): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(database) })
  await client.connect()
  await client.query('truncate events')
  await client.query('delete from calls where call_id <> $1', [keep])
  await client.query(
    `update accounts set rate_overrides = '{"place_call":{"limit":1000000,"period_seconds":1},"waiting_calls":{"limit":100000}}'`,
  )
  await client.query('vacuum analyze calls')
  await client.end()
}

async function place(server: Server): Promise<{ call_id: string }> {
  const response = await fetch(`${server.url}/agent/calls`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (response.status !== 201)
    throw new Error(`${server.name} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as { call_id: string }
}

const servers: Server[] = []
const source = ['--conditions=vaani-source', 'apps/server/src/main.ts']
const hasBundle = await access(bundle).then(
  () => true,
  () => false,
)
const DEPLOYED = 'deployed (bundled)'
const METERED = 'deployed, with metrics'
const TRACED = 'deployed, traces at 10 %'
/** Accepts spans and discards them. */
const collector = createServer((request, response) => void request.on('end', () => response.end()).resume())
await once(collector.listen(0, '127.0.0.1'), 'listening')
type Variant = [name: string, args: string[], database: string, environment?: Record<string, string>]
const variants: Variant[] = [
  ['by hand', ['apps/server/bench/api/by-hand-server.ts'], 'by_hand'],
  ['from source', source, 'from_source'],
  ...(hasBundle
    ? ([
        [DEPLOYED, [bundle], 'bundled'],
        [METERED, [bundle], 'metered', { VAANI_METRICS_PORT: '0' }],
        [
          TRACED,
          [bundle],
          'traced',
          {
            OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
            OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
            OTEL_TRACES_SAMPLER_ARG: '0.1',
          },
        ],
      ] satisfies Variant[])
    : []),
]

const admin = new pg.Client({ connectionString: urlOf('postgres') })
await admin.connect()
try {
  for (const [name, args, database, environment] of variants) {
    await admin.query(`create database ${database}`)
    // Start the real server first to create the schema and the account, which the hand-written server needs.
    const first = await start(name, source, database)
    await clear(database)
    if (args !== source) {
      first.child.kill('SIGTERM')
      await once(first.child, 'exit')
    }
    const server = args === source ? first : await start(name, args, database, environment)
    server.callPath = `/agent/calls/${(await place(server)).call_id}`
    servers.push(server)
  }

  const loads = new Map<string, Load[]>()
  for (let round = 0; round <= ROUNDS; round++)
    for (const server of round % 2 === 0 ? servers : servers.toReversed())
      for (const route of ['POST /agent/calls', 'GET /agent/calls/{id}'] as const) {
        const database = variants.find(([name]) => name === server.name)?.[2] ?? ''
        await clear(database, server.callPath.split('/').at(-1))
        const request = route.startsWith('POST')
          ? {
              method: 'POST' as const,
              path: '/agent/calls',
              headers,
              body: JSON.stringify(body),
              expected: 201,
            }
          : { method: 'GET' as const, path: server.callPath, headers, expected: 200 }
        const load = await measureLoad({ url: server.url, pid: server.pid, durationMs: ROUND_MS, request })
        const id = `${route} ${server.name}`
        // The first round warms up.
        if (round > 0) loads.set(id, [...(loads.get(id) ?? []), load])
      }

  const table = (['POST /agent/calls', 'GET /agent/calls/{id}'] as const).flatMap((route) =>
    servers.map(({ name }) => {
      const own = loads.get(`${route} ${name}`) ?? []
      const limit = loads.get(`${route} by hand`) ?? []
      const ratio = median(
        own.map((load, round) => load.requestsPerSecond / (limit[round]?.requestsPerSecond ?? Number.NaN)),
      )
      return {
        route,
        server: name,
        'requests/s': Math.round(median(own.map((load) => load.requestsPerSecond))),
        'of by hand': ratio.toFixed(2),
        'CPU µs/request': Math.round(median(own.map((load) => load.cpuMicrosPerRequest))),
      }
    }),
  )
  console.log(`${ROUNDS} interleaved rounds of ${ROUND_MS} ms, 16 connections; medians`)
  console.table(table)
  for (const route of ['POST /agent/calls', 'GET /agent/calls/{id}']) {
    const without = loads.get(`${route} ${DEPLOYED}`) ?? []
    for (const name of [METERED, TRACED]) {
      const ratios = (loads.get(`${route} ${name}`) ?? [])
        .map(
          ({ cpuMicrosPerRequest }, round) =>
            cpuMicrosPerRequest / (without[round]?.cpuMicrosPerRequest ?? Number.NaN),
        )
        .toSorted((a, b) => a - b)
      const [quarter, half, threeQuarters] = [0.25, 0.5, 0.75].map((share) =>
        ratios[Math.floor(ratios.length * share)]?.toFixed(3),
      )
      console.log(
        `${route}: CPU ratio of "${name}" to "${DEPLOYED}": median ${half}, quartiles ${quarter} and ${threeQuarters}`,
      )
    }
  }

  const pool = new pg.Pool({ connectionString: urlOf('from_source') })
  const database = createDatabase(pool)
  const { account_id } = await database.selectFrom('accounts').select('account_id').executeTakeFirstOrThrow()
  const [, fromSource] = servers
  if (fromSource === undefined) throw new Error('No server was started')
  const call = await place(fromSource)
  const layers = await measureLayers({ pool, database, key: KEY, accountId: account_id, body, call })
  console.table(Object.entries(layers).map(([layer, micros]) => ({ layer, 'µs each': micros.toFixed(1) })))
  await database.destroy()
} finally {
  await admin.end()
  for (const { child } of servers) {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }
  collector.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
