import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Call } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import { expect, test } from 'vitest'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { sweepOldWebhooks } from '../src/features/webhooks/sweep-old.ts'
import { openPool } from './support/open-pool.ts'
import { query } from './support/query.ts'
import { runToEnd } from './support/run-to-end.ts'
import { startServerProcess } from './support/server-process.ts'

const KEY = 'sk_test_least_0123456789abcdefg'

/** Creates a database whose owner is a role of its own, with the SQL of the guide for operators and other names. */
async function createOwned() {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-least-rights-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const owner = `vaani_${randomBytes(6).toString('hex')}`
  const server = `${owner}_server`
  const other = held.use(await createTestDatabase())
  // Deferred before its database is, so that they own nothing and have no rights when they are dropped.
  held.defer(async () => void (await query(other.url, `drop role if exists ${server}, ${owner}`)))
  const database = held.use(await createTestDatabase())
  const name = new URL(database.url).pathname.slice(1)
  const urlOf = (role: string) => {
    const url = new URL(database.url)
    url.username = role
    url.password = role === owner ? 'long and random' : 'another one'
    return url.href
  }
  const guide = await readFile(new URL('../../../docs/operate/deploy.md', import.meta.url), 'utf8')
  const [ofOwner = '', ofServer = '', ofMigrations = ''] = Array.from(
    guide.matchAll(/^```sql\n([^]*?)^```/gm),
    ([, text = '']) =>
      text
        .replaceAll(/create database \w+ owner \w+/g, `alter database ${name} owner to ${owner}`)
        .replaceAll(/(?<=database )vaani\b/g, name)
        .replaceAll(/\bvaani_server\b/g, server)
        .replaceAll(/\bvaani\b/g, owner),
  )
  await query(database.url, ofOwner)
  const resources = held.move()
  return {
    owner,
    server,
    databaseUrl: database.url,
    urlOf,
    separateServer: () => query(database.url, ofServer),
    protectMigrations: () => query(database.url, ofMigrations),
    async start(role: string) {
      const server = await startServerProcess({
        DATABASE_URL: urlOf(role),
        VAANI_DATA_DIR: folder,
        VAANI_BOOTSTRAP_API_KEY: KEY,
      })
      resources.defer(async () => void (await server.kill('SIGKILL')))
      return server
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Places a call and waits for its end. */
async function expectCall({ url }: { url: string }): Promise<void> {
  const ask = async (route: string, body?: object) => {
    const response = await fetch(url + route, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(response.status).toBeLessThan(300)
    return (await response.json()) as Call
  }
  const { call_id } = await ask('/agent/calls', {
    to: '+9779812345678',
    agent_id: 'reminder',
    language: 'en-US',
  })
  await until(
    () => ask(`/agent/calls/${call_id}`),
    ({ status }) => status === 'completed',
  )
}

const listMonths = async (url: string, owner: string) => {
  const rows = await query<{ name: string }>(
    url,
    `select relname as name from pg_class where pg_get_userbyid(relowner) = '${owner}' and relname ~ '^events_\\d{4}'`,
  )
  return rows.map(({ name }) => name).toSorted()
}

test('a role that owns its database and has no other right is enough', async () => {
  await using database = await createOwned()
  const { owner, databaseUrl } = database
  await expectCall(await database.start(owner))
  const rights = await query(
    databaseUrl,
    `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = '${owner}'`,
  )
  expect(rights).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }])
  expect((await listMonths(databaseUrl, owner)).length).toBeGreaterThan(0)
})

test('servers work as a role that cannot change the schema, which another role migrates', async () => {
  await using database = await createOwned()
  const { owner, server, databaseUrl, urlOf } = database
  await database.separateServer()
  expect(await runToEnd([], { DATABASE_URL: urlOf(server) })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'run the command migrate with the DATABASE_URL of the role that owns them',
    ),
  })
  expect(await runToEnd(['migrate'], { DATABASE_URL: urlOf(owner) })).toMatchObject({ code: 0, stderr: '' })
  await database.protectMigrations()
  await expectCall(await database.start(server))

  const asServer = (text: string) => query(urlOf(server), text)
  for (const forbidden of [
    'create table more (id text)',
    'alter table calls add column more text',
    'drop table events_default',
    'delete from kysely_migration',
    'update kysely_migration_lock set is_locked = 1',
    'create or replace function drop_month(text, text) returns void language sql as $$ $$',
    `select attach_month('calls', 'calls_2026_11', 'a', 'b')`,
    `select attach_month('events', 'calls', 'a', 'b')`,
    `select drop_month('events', 'calls')`,
    `select drop_month('events', 'events_default')`,
  ])
    await expect(asServer(forbidden), forbidden).rejects.toThrow(
      /permission denied|must be owner|is no month/,
    )

  // Where all roles may create in the schema, as in databases of Postgres 14 that were upgraded.
  await query(databaseUrl, 'grant create on schema public to public')
  await asServer(`
    create function format(text, text, text) returns text language sql as $$ select 'drop table calls' $$;
    create function is_same(oid, regclass) returns boolean language plpgsql as $$
      begin execute 'drop table calls'; return true; end $$;
    create operator public.= (leftarg = oid, rightarg = regclass, function = is_same)`)
  await expect(asServer(`select drop_month('events', 'events_2000_01')`)).rejects.toThrow(
    'table "events_2000_01" does not exist',
  )
  await asServer('drop operator public.= (oid, regclass)')

  const before = await listMonths(databaseUrl, owner)
  const pool = openPool(urlOf(server), 1)
  const db = createDatabase(pool)
  await sweepOldWebhooks(db, { nowMs: () => Date.now() + 400 * 86_400_000 })
  await db.destroy()
  const after = await listMonths(databaseUrl, owner)
  expect(after.length).toBeGreaterThan(0)
  expect(after.filter((name) => before.includes(name))).toEqual([])
})
