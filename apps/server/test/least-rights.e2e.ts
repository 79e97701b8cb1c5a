import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Call } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import { expect, test } from 'vitest'
import { query } from './support/query.ts'
import { startServerProcess } from './support/server-process.ts'

const KEY = 'sk_test_least_0123456789abcdefg'

test('a role that owns its database and has no other right is enough', async () => {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-least-rights-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const role = `vaani_${randomBytes(6).toString('hex')}`
  const other = held.use(await createTestDatabase())
  // Deferred before its database is, so that it owns nothing when it is dropped.
  held.defer(async () => void (await query(other.url, `drop role ${role}`)))
  const database = held.use(await createTestDatabase())
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  // As docs/operate/deploy.md says.
  await query(database.url, `create role ${role} login password 'least'`)
  await query(database.url, `alter database ${name} owner to ${role}`)
  await query(database.url, `revoke all on database ${name} from public`)
  url.username = role
  url.password = 'least'

  const server = await startServerProcess({
    DATABASE_URL: url.href,
    VAANI_DATA_DIR: folder,
    VAANI_BOOTSTRAP_API_KEY: KEY,
  })
  held.defer(async () => void (await server.kill('SIGKILL')))
  const ask = async (route: string, body?: object) => {
    const response = await fetch(server.url + route, {
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
  const rights = await query(
    database.url,
    `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = '${role}'`,
  )
  expect(rights).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }])
  const months = await query(
    database.url,
    `select from pg_inherits where pg_get_userbyid((select relowner from pg_class where oid = inhrelid)) = '${role}'`,
  )
  expect(months.length).toBeGreaterThan(0)
})
