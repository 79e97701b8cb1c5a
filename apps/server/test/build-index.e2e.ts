/** Migrations that run outside a transaction, on a table with concurrent writes. */
import { buildIndex } from '@vaani/service-kit/database/build-index'
import { createDatabase, type Db } from '@vaani/service-kit/database/connect'
import { migrate, type Migrations, pendingMigrations } from '@vaani/service-kit/database/migrate'
import { createMigrationPool } from '@vaani/service-kit/database/pools'
import { createTestDatabase, type TestDatabase } from '@vaani/test-services'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '@vaani/test-services/until'

const execute = (text: string) => async (database: Kysely<unknown>) =>
  void (await sql.raw(text).execute(database))

const before: Migrations = { '0001-notes': { up: execute('create table notes (note text not null)') } }
const after: Migrations = {
  ...before,
  '0002-more': { up: execute('create table others (other text)') },
  '0003-index': {
    outsideTransaction: true,
    up: (database: Kysely<unknown>) => buildIndex(database, 'notes_by_text', sql`on notes (note)`),
  },
  '0004-last': { up: execute('alter table others add column last text') },
}

let testDatabase: TestDatabase
/** A connection separate from the migrating ones. */
let writer: pg.Client
const databases: Db[] = []
beforeEach(async () => {
  testDatabase = await createTestDatabase()
  writer = new pg.Client({ connectionString: testDatabase.url })
  await writer.connect()
  await migrate(connect(), before)
})
afterEach(async () => {
  await writer.end()
  for (const database of databases.splice(0)) await database.destroy()
  await testDatabase.drop()
})

function connect(): Db {
  const database = createDatabase(createMigrationPool({ connectionString: testDatabase.url }))
  databases.push(database)
  return database
}

/** Opens a transaction that has written to the table. Building an index waits until it ends. */
async function holdUp(): Promise<{ end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: testDatabase.url })
  await client.connect()
  await client.query(`begin; insert into notes values ('under way')`)
  return {
    async end() {
      await client.query('commit')
      await client.end()
    },
  }
}

const read = async <Row extends pg.QueryResultRow>(text: string) => (await writer.query<Row>(text)).rows
const untilBuilding = async (): Promise<number> => {
  const builders = await until(
    () => read<{ pid: number }>(`select pid from pg_stat_progress_create_index where lockers_total > 0`),
    ({ length }) => length > 0,
  )
  return builders[0]?.pid ?? 0
}
const readIndex = () =>
  read(`select indisvalid from pg_index where indexrelid = to_regclass('notes_by_text')`)

test('an index is built during writes, by one of several processes that start at once', async () => {
  const held = await holdUp()
  const starts = Array.from({ length: 4 }, () => migrate(connect(), after))
  await untilBuilding()
  await writer.query(`set lock_timeout = '5s'`)
  await writer.query(`insert into notes values ('meanwhile')`)
  await held.end()
  const done = await Promise.all(starts)
  expect(done.flat()).toEqual(['0002-more', '0003-index', '0004-last'])
  expect(await readIndex()).toEqual([{ indisvalid: true }])
  expect(await read('select note from notes order by note')).toHaveLength(2)
})

test('an unfinished index of a process that died is built again by the next one', async () => {
  const held = await holdUp()
  const start = migrate(connect(), after)
  const failed = expect(start).rejects.toThrow()
  const pid = await untilBuilding()
  await writer.query('select pg_terminate_backend($1)', [pid])
  await failed
  await held.end()
  expect(await readIndex()).toEqual([{ indisvalid: false }])
  expect(await pendingMigrations(connect(), after)).toEqual(['0003-index', '0004-last'])

  expect(await migrate(connect(), after)).toEqual(['0003-index', '0004-last'])
  expect(await readIndex()).toEqual([{ indisvalid: true }])
  expect(await migrate(connect(), after)).toEqual([])
})

test('a finished index whose process died before recording it is kept', async () => {
  const most = Object.fromEntries(Object.entries(after).filter(([name]) => name !== '0004-last'))
  await migrate(connect(), most)
  const [built] = await read<{ oid: number }>(`select to_regclass('notes_by_text')::oid as oid`)
  await writer.query(`delete from kysely_migration where name = '0003-index'`)
  expect(await migrate(connect(), after)).toEqual(['0003-index', '0004-last'])
  expect(await read(`select to_regclass('notes_by_text')::oid as oid`)).toEqual([built])
})
