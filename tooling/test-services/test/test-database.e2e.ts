import { Client } from 'pg'
import { expect, inject, test } from 'vitest'

import { createTestDatabase } from '../test-database.ts'

test('a database is empty and shares nothing', async () => {
  await using one = await createTestDatabase()
  await using other = await createTestDatabase()
  await query(one.url, 'CREATE TABLE a (b int)')
  expect(await query(other.url, "SELECT to_regclass('a') AS found")).toEqual([{ found: null }])
})

test('concurrent databases are copies of a template that is migrated once', async () => {
  let migrations = 0
  const migrate = async (url: string) => {
    migrations += 1
    await query(url, 'CREATE TABLE migrated AS SELECT 7 AS answer')
  }
  const databases = await Promise.all(
    Array.from({ length: 8 }, () => createTestDatabase({ template: { name: 'own', migrate } })),
  )
  const rows = await Promise.all(databases.map(({ url }) => query(url, 'SELECT answer FROM migrated')))
  expect(rows).toEqual(databases.map(() => [{ answer: 7 }]))
  expect(migrations).toBe(1)
  await Promise.all(databases.map((database) => database.drop()))
})

test('drops a database even if a client is connected', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.url })
  client.on('error', () => {})
  await client.connect()
  await database.drop()
  const name = new URL(database.url).pathname.slice(1)
  const found = await query(inject('postgresUrl'), `SELECT FROM pg_database WHERE datname = '${name}'`)
  expect(found).toEqual([])
  await client.end().catch(() => {})
})

test('a running Redis has an address', { tags: 'redis' }, () => {
  expect(inject('redisUrl')).toMatch(/^rediss?:\/\//)
})

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
