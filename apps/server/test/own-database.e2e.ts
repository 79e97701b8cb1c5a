import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOwnDatabase, type OwnDatabase } from '../src/testing/own-database.ts'
import { query } from './support/query.ts'

let directory: string
let postgres: EmbeddedPostgres
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'vaani-own-database-'))
  // If the test runs as root, Postgres runs as another user.
  await chmod(directory, 0o755)
  postgres = await startEmbeddedPostgres({ directory })
})
afterEach(async () => {
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
})

const create = (): Promise<OwnDatabase> => createOwnDatabase({ directory, postgres: postgres.connection })

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
  const made = await Promise.all(Array.from({ length: 4 }, create))
  expect(new Set(await databases())).toEqual(new Set(made.map(({ url }) => new URL(url).pathname.slice(1))))
  for (const database of made) await database.drop()
})
