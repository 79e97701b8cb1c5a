import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { latestOf } from '@vaani/service-kit/database/migrate'
import { createTestDatabase } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { features } from '../src/features.ts'
import { query } from './support/query.ts'
import { runToEnd } from './support/run-to-end.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'

const latest = latestOf(features.migrations)

let environment: Record<string, string>
let databaseUrl: string
const held: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  const database = await createTestDatabase()
  databaseUrl = database.url
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-migrations-'))
  held.push(
    () => database.drop(),
    () => rm(dataDirectory, { recursive: true, force: true }),
  )
  environment = { DATABASE_URL: databaseUrl, VAANI_DATA_DIR: dataDirectory }
})
afterEach(async () => {
  for (const release of held.splice(0).toReversed()) await release()
})

async function start(): Promise<ServerProcess> {
  const server = await startServerProcess(environment)
  held.push(() => server.kill('SIGKILL'))
  return server
}

/** Changes the database as a later version would. */
const migrateLater = (name: string) =>
  query(
    databaseUrl,
    `
    alter table calls add column made_later text;
    insert into kysely_migration (name, timestamp) values ('${name}', '${new Date().toISOString()}')`,
  )

describe('vaani-server migrate', () => {
  test('lists pending migrations, runs them, and then has none', async () => {
    const first = await runToEnd(['migrate', '--check'], environment)
    expect(first).toMatchObject({ code: 1, stderr: '' })
    expect(first.stdout).toContain(`to do: ${latest}\n`)
    expect(await query(databaseUrl, "select to_regclass('calls') as calls")).toEqual([{ calls: null }])

    const done = await runToEnd(['migrate'], environment)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toContain(`done: ${latest}\n`)
    expect(await query(databaseUrl, 'select from accounts')).toEqual([])

    const over = { code: 0, stdout: 'The database is up to date\n', stderr: '' }
    expect(await runToEnd(['migrate', '--check'], environment)).toEqual(over)
    expect(await runToEnd(['migrate'], environment)).toEqual(over)
  })

  test('does not create a database to list its pending migrations', async () => {
    const { VAANI_DATA_DIR } = environment
    const embedded = { VAANI_DATA_DIR: VAANI_DATA_DIR ?? '' }
    const { code, stderr } = await runToEnd(['migrate', '--check'], embedded)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The configuration is wrong: There is no database of a server here/)
    expect(await readdir(embedded.VAANI_DATA_DIR)).toEqual([])
  })
})

describe('a database changed by a later version', () => {
  test('is served and left untouched if the change is additive', async () => {
    await runToEnd(['migrate'], environment)
    await migrateLater('9999-later')
    expect(await runToEnd(['migrate', '--check'], environment)).toMatchObject({ code: 0 })
    const server = await start()
    await until(
      async () => (await fetch(`${server.url}/readyz`)).status,
      (status) => status === 200,
    )
  })

  test('is rejected with the migration’s name and left untouched if the change breaks this version', async () => {
    await runToEnd(['migrate'], environment)
    await migrateLater('9999-later-breaking')
    for (const args of [[], ['migrate'], ['migrate', '--check']]) {
      const { code, stderr } = await runToEnd(args, environment)
      expect(code).toBe(1)
      expect(stderr).toMatch(/^The server could not run: A later version .*\(9999-later-breaking\)/)
      expect(stderr).not.toContain(' at ')
    }
    expect(await query(databaseUrl, 'select from accounts')).toEqual([])
  })
})
