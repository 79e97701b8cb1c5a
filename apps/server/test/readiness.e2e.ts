/** Health and readiness of a server while it starts, runs, and waits for its database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ErrorBody } from '@vaani/contracts'
import { latestOf } from '@vaani/service-kit/database/migrate'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { createReadiness } from '@vaani/service-kit/service/readiness'
import { createTestDatabase } from '@vaani/test-services'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openConnection } from '../fuzz/connection.ts'
import { problemOfAnswer } from '../fuzz/judge.ts'
import { features } from '../src/features.ts'
import { createLogLines } from './support/log-lines.ts'
import { startOwnPostgres } from './support/own-postgres.ts'
import { freePort } from './support/redis-process.ts'
import { spawnServerProcess } from './support/server-process.ts'
import { startTestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

/** Longer than any health or readiness response may take. */
const HANGS_MS = 60_000

let cleanUp: AsyncDisposableStack
let environment: Record<string, string>
beforeEach(async () => {
  cleanUp = new AsyncDisposableStack()
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-readiness-'))
  cleanUp.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  environment = { VAANI_DATA_DIR: dataDirectory, VAANI_SHUTDOWN_GRACE_SECONDS: '0' }
})
afterEach(() => cleanUp.disposeAsync())

async function ask(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(HANGS_MS) })
  const body = (await response.json()) as ErrorBody
  return {
    status: response.status,
    body,
    retryAfter: Number(response.headers.get('retry-after')),
    failing: body.error?.details?.map(({ param }) => param),
  }
}

/** Sends raw bytes, and returns the status of the response and any problem with it. */
async function exchange(url: string, bytes: string) {
  using connection = await openConnection(url)
  await connection.write(Buffer.from(bytes))
  const answer = await connection.next()
  if (typeof answer === 'string') throw new Error(`The server did not respond: ${answer}`)
  return { status: answer.status, problem: problemOfAnswer(answer) }
}

describe('a server that waits for its database', () => {
  test('is alive but not ready, and starts once the database does', async () => {
    const postgres = cleanUp.use(await startOwnPostgres())
    await postgres.stop('fast')
    const url = `http://127.0.0.1:${await freePort()}`
    const server = spawnServerProcess({ ...environment, DATABASE_URL: postgres.url, PORT: new URL(url).port })
    cleanUp.defer(async () => void (await server.kill('SIGTERM')))
    await until(
      async () => server.output(),
      (output) => output.includes('Waiting for the database'),
    )
    expect(await ask(`${url}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } })
    for (const route of ['/readyz', '/agent/calls', '/nowhere']) {
      const answer = await ask(url + route)
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } })
      expect(answer.retryAfter).toBeGreaterThan(0)
    }
    expect(await exchange(url, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')).toMatchObject({
      status: 503,
      problem: null,
    })
    expect(await exchange(url, 'NO HTTP\r\n\r\n')).toMatchObject({ status: 400, problem: null })
    await postgres.start()
    expect(await server.started).toBe(url)
    expect(await ask(`${url}/readyz`)).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  test('exits at once if the database rejects it, with the reason but not the address', async () => {
    const database = await createTestDatabase()
    cleanUp.defer(() => database.drop())
    const url = new URL(database.url)
    url.pathname = '/no_such_database'
    const server = spawnServerProcess({ ...environment, DATABASE_URL: url.href })
    await expect(server.started).rejects.toThrow(
      /exited with 1.*DATABASE_URL: .*no such database.*\(3D000\)/s,
    )
    expect(server.output()).not.toContain('no_such_database')
  })

  test('exits at once if the password is wrong, with neither it nor the user', async () => {
    const database = await createTestDatabase()
    cleanUp.defer(() => database.drop())
    const url = new URL(database.url)
    url.username = 'wrong-user'
    url.password = 'wrong-secret'
    const server = spawnServerProcess({ ...environment, DATABASE_URL: url.href })
    await expect(server.started).rejects.toThrow(
      /exited with 1.*DATABASE_URL: the password or the user is wrong \(28P01\)/s,
    )
    expect(server.output()).not.toContain('wrong-')
  })
})

describe('a server is not ready', () => {
  test('without the migrations of its version, and logs no warning for a probe', async () => {
    const { log, troubles } = createLogLines()
    await using server = await startTestServer({ log })
    const { database } = server.context
    const rows = await sql<{
      name: string
    }>`select * from kysely_migration order by name desc limit 1`.execute(database)
    const last = rows.rows[0]?.name
    await sql`update kysely_migration set name = 'other' where name = ${last}`.execute(database)
    expect(await ask(`${server.url}/readyz`)).toMatchObject({ status: 503, failing: ['migrations'] })
    expect(troubles()).toEqual([])
    await sql`update kysely_migration set name = ${last} where name = 'other'`.execute(database)
    expect(await ask(`${server.url}/readyz`)).toMatchObject({ status: 200 })
  })

  test('while its database hangs, and responds quickly to many requests', async () => {
    const postgres = cleanUp.use(await startOwnPostgres())
    const server = cleanUp.use(await startTestServer({ config: { databaseUrl: postgres.url } }))
    expect(await ask(`${server.url}/readyz`)).toMatchObject({ status: 200 })
    await postgres.freeze()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(`${server.url}/readyz`)))
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, failing: ['database'] })
    expect(await ask(`${server.url}/healthz`)).toMatchObject({ status: 200 })
    postgres.thaw()
    await until(
      () => ask(`${server.url}/readyz`),
      ({ status }) => status === 200,
    )
  })

  test('with a stuck background loop, or once it is stopping', async () => {
    await using server = await startTestServer()
    const { database } = server.context
    const worker = (name: BackgroundWorker['name'], isWorking: boolean): BackgroundWorker => ({
      name,
      isWorking: () => isWorking,
      stop: () => Promise.resolve(),
    })
    const workers = [worker('calls', true), worker('webhooks', false)]
    const stopping = new AbortController()
    const latestMigration = latestOf(features.migrations)
    const readiness = createReadiness({
      database,
      latestMigration,
      workers,
      folders: [],
      stopping: stopping.signal,
    })
    expect(await readiness()).toEqual(['webhooks'])
    stopping.abort()
    expect(await readiness()).toEqual(['running'])
  })
})
