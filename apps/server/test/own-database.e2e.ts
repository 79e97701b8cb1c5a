import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import type { Migrations } from '@vaani/service-kit/database/migrate'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOwnDatabase, type OwnDatabase } from '../src/testing/own-database.ts'
import { startTestPostgres } from '../src/testing/start-test-postgres.ts'
import { type InitializedPostgres, initializePostgres } from './support/initialized-postgres.ts'
import { query } from './support/query.ts'

let initialized: InitializedPostgres
beforeAll(async () => {
  initialized = await initializePostgres()
})
afterAll(() => initialized?.[Symbol.asyncDispose]())

let directory: string
let postgres: EmbeddedPostgres
beforeEach(async () => {
  migrated = 0
  directory = await mkdtemp(path.join(tmpdir(), 'vaani-own-database-'))
  // If the test runs as root, Postgres runs as another user.
  await chmod(directory, 0o755)
  await initialized.copyTo(directory)
  postgres = await startEmbeddedPostgres({ directory })
})
afterEach(async () => {
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
})

let migrated: number
const migrate = async (url: string): Promise<void> => {
  migrated++
  await query(url, 'create table made_by_a_migration ()')
}
const migrationsOf = (table: string): Migrations => ({ [`0001-${table}`]: { up: () => Promise.resolve() } })
const create = (migrations = migrationsOf('first')): Promise<OwnDatabase> =>
  createOwnDatabase({ directory, postgres: postgres.connection, migrations, migrate })

const databases = async (): Promise<string[]> =>
  (
    await query<{ datname: string }>(
      postgres.connection,
      `select datname from pg_database where datname like 'vaani\\_test%'`,
    )
  ).map(({ datname }) => datname)

test('a database of a dead process is dropped, even if another process has its pid now', async () => {
  await query(postgres.connection, `create database vaani_test_${process.pid}_0badcafe`)
  const own = await create()
  expect(await databases()).toEqual([new URL(own.url).pathname.slice(1)])
  await own.drop()
  expect(await databases()).toEqual([])
})

test('databases that are created at once all exist', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => create()))
  expect(new Set(await databases())).toEqual(new Set(made.map(({ url }) => new URL(url).pathname.slice(1))))
  expect(migrated).toBe(1)
  for (const database of made) {
    await expect(query(database.url, 'table made_by_a_migration')).resolves.toEqual([])
    await database.drop()
  }
})

test('a template is kept, until a version with other migrations or a dead process has left another', async () => {
  const templates = () =>
    query(postgres.connection, `select datname from pg_database where datname like 'vaani\\_template%'`)
  await (await create()).drop()
  const first = await templates()
  await (await create()).drop()
  expect(await templates()).toEqual(first)
  expect(migrated).toBe(1)
  await query(postgres.connection, 'create database vaani_template_unfinished')
  await (await create(migrationsOf('second'))).drop()
  expect(migrated).toBe(2)
  const second = await templates()
  expect(second).toHaveLength(1)
  expect(second).not.toEqual(first)
})

const DAMAGES: [string, () => Promise<void>][] = [
  ['lost a folder to a sweep', () => rm(path.join(directory, 'data/pg_notify'), { recursive: true })],
  ['lost its version file to a sweep', () => rm(path.join(directory, 'data/PG_VERSION'))],
  ['was made by another version', () => writeFile(path.join(directory, 'data/PG_VERSION'), '13\n')],
]

test.each(thorough({ usual: DAMAGES.slice(0, 1), long: DAMAGES }))(
  'data that %s is replaced',
  async (_, damage) => {
    await postgres.stop()
    await damage()
    await expect(startEmbeddedPostgres({ directory })).rejects.toThrow()
    postgres = await startTestPostgres({ directory })
    const own = await create()
    expect(await query(own.url, 'select 1 as answer')).toEqual([{ answer: 1 }])
    await own.drop()
  },
)
