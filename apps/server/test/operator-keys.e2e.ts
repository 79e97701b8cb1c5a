import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Scope } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { revokeKeyRow } from '../src/features/admin/revoke-key-row.ts'
import { query } from './support/query.ts'
import { runToEnd } from './support/run-to-end.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 150_000 })

interface Key {
  key_id: string
  key: string
}

describe('the last key that can administer the server', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server[Symbol.asyncDispose]())

  const revoke = (keyId: string, key: string) =>
    server.json(`/admin/keys/${keyId}`, { method: 'DELETE', key })
  async function idOf(key: string): Promise<string> {
    const { body } = await server.json<{ data: { key_id: string; hint: string }[] }>(
      '/admin/keys?limit=100',
      { key },
    )
    return body.data.find(({ hint }) => key.startsWith(hint))?.key_id ?? ''
  }
  async function operatorId(): Promise<string> {
    const { body } = await server.json<{ data: { account_id: string; operator: boolean }[] }>(
      '/admin/accounts',
    )
    return body.data.find(({ operator }) => operator)?.account_id ?? ''
  }
  const make = async (livemode: boolean, scopes?: readonly Scope[]) =>
    server.createKey(await operatorId(), livemode, scopes)
  const works = async (key: string) => (await server.fetch('/admin/keys', { key })).status === 200
  const conflict = { status: 409, body: { error: { code: 'state_conflict' } } }

  test('cannot be revoked', async () => {
    expect(await revoke(await idOf(server.key), server.key)).toMatchObject(conflict)
    expect(await works(server.key)).toBe(true)
  })

  test('is not replaced by keys of other accounts, keys with fewer scopes, or revoked keys', async () => {
    await server.createAccount()
    await make(false, ['calls:read', 'calls:write'])
    const spare = await make(false)
    expect((await revoke(await idOf(spare), server.key)).status).toBe(200)
    expect(await revoke(await idOf(server.key), server.key)).toMatchObject(conflict)
  })

  test('in live mode is not replaced by a test key, which cannot create live keys', async () => {
    const live = await make(true)
    expect(await revoke(await idOf(live), live)).toMatchObject(conflict)
    const otherLive = await make(true)
    expect((await revoke(await idOf(live), otherLive)).status).toBe(200)
  })

  test('in test mode can be replaced by a live key, which can create test keys', async () => {
    const live = await make(true)
    expect((await revoke(await idOf(server.key), server.key)).status).toBe(200)
    const body = { name: 'again', scopes: ['admin'], livemode: false }
    const again = await server.json<Key>('/admin/keys', { body, key: live })
    expect(await works(again.body.key)).toBe(true)
  })

  test('remains when all such keys are revoked at once', async () => {
    const keys = [server.key, ...(await Promise.all(Array.from({ length: 5 }, () => make(false))))]
    const ids = await Promise.all(keys.map(idOf))
    const { authenticator, database } = server.context
    // Authenticate first, so that no request is rejected because its own key was revoked first.
    const principal = await authenticator.authenticate(server.key)
    if (principal === null) throw new Error('The first key does not work')
    const outcomes = await Promise.allSettled(
      ids.map((keyId) =>
        database.transaction().execute((tx) => revokeKeyRow(tx, { keyId, principal, now: new Date() })),
      ),
    )
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refusals).toMatchObject([{ reason: { code: 'state_conflict' } }])
    const left = await database
      .selectFrom('api_keys')
      .where('revoked_at', 'is', null)
      .select('key_id')
      .execute()
    expect(left).toHaveLength(1)
  })

  test('is not protected in other accounts', async () => {
    const { key } = await server.createAccount()
    expect((await revoke(await idOf(key), key)).status).toBe(200)
  })

  test('appears as the actor in the audit log, which cannot be changed', async () => {
    const { body } = await server.json<Key>('/admin/keys', { body: { name: 'spare', scopes: ['admin'] } })
    for (const _ of ['first', 'again']) await revoke(body.key_id, server.key)
    const actor = await idOf(server.key)
    const { database } = server.context
    const rows = await database
      .selectFrom('audit_log')
      .where('key_id', '=', body.key_id)
      .selectAll()
      .execute()
    expect(rows).toMatchObject([
      { action: 'key.created', actor },
      { action: 'key.revoked', actor },
    ])
    await expect(database.updateTable('audit_log').set({ actor: 'nobody' }).execute()).rejects.toThrow(
      'audit_log',
    )
    await expect(database.deleteFrom('audit_log').execute()).rejects.toThrow('audit_log')
  })
})

describe.concurrent('on the command line', () => {
  /** Creates a data folder for one test. Tests run concurrently, because each starts several processes one after another. */
  async function openPlace() {
    const held = new AsyncDisposableStack()
    const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-keys-'))
    held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
    let environment: Record<string, string> = { VAANI_DATA_DIR: dataDirectory }
    return {
      async useDatabase(): Promise<string> {
        const { url } = held.use(await createTestDatabase())
        environment = { ...environment, DATABASE_URL: url }
        return url
      },
      async start(more: Record<string, string> = {}): Promise<ServerProcess> {
        const server = await startServerProcess({ ...environment, ...more })
        held.defer(async () => void (await server.kill('SIGTERM')))
        return server
      },
      run: (args: string[], more: Record<string, string> = {}) => runToEnd(args, { ...environment, ...more }),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    }
  }
  const scopesOf = async (server: ServerProcess, key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${server.url}/admin/keys`, { headers })
    const { data } = (await response.json()) as {
      data: { hint: string; livemode: boolean; scopes: string[] }[]
    }
    return data.find(({ hint }) => key.startsWith(hint))
  }

  test('a key can be created while the server runs, for either mode, and is audited', async () => {
    await using place = await openPlace()
    const { run, start, useDatabase } = place
    const url = await useDatabase()
    const server = await start()
    const made = await run(['--new-key'])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sk_test_\w+\n$/) })
    const live = await run(['--new-key', '--live'])
    expect(live).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sk_live_\w+\n$/) })
    for (const [{ stdout }, livemode] of [
      [made, false],
      [live, true],
    ] as const)
      expect(await scopesOf(server, stdout.trim())).toMatchObject({
        livemode,
        scopes: expect.arrayContaining(['admin', 'calls:write']),
      })
    expect(await query(url, 'select action, actor from audit_log order by sequence')).toEqual([
      { action: 'key.created', actor: 'first start' },
      { action: 'key.created', actor: expect.stringMatching(/\S+ on \S+/) },
      { action: 'key.created', actor: expect.stringMatching(/\S+ on \S+/) },
    ])
  })

  test('a key can be created on the embedded database, whether the server runs or not', async () => {
    await using place = await openPlace()
    const { run, start } = place
    const first = await start()
    const running = await run(['--new-key'])
    expect(await scopesOf(first, running.stdout.trim())).toMatchObject({ livemode: false })
    expect(await first.kill('SIGTERM')).toBe(0)
    const stopped = await run(['--new-key', '--live'])
    const second = await start()
    for (const { stdout } of [running, stopped]) expect(await scopesOf(second, stdout.trim())).toBeDefined()
  })

  test('no key is created if no server has been started yet', async () => {
    await using place = await openPlace()
    const { run, useDatabase } = place
    expect(await run(['--new-key'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('VAANI_DATA_DIR'),
    })
    await useDatabase()
    expect(await run(['--new-key'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('DATABASE_URL'),
    })
  })

  test('unknown arguments do not start the server', async () => {
    await using place = await openPlace()
    const { run } = place
    expect(await run(['--newkey'])).toMatchObject({ code: 1, stderr: expect.stringContaining('--new-key') })
  })

  const GIVEN = 'sk_live_given_0123456789abcdefghij'

  test('a configured key is never printed', async () => {
    await using place = await openPlace()
    const { start, useDatabase } = place
    await useDatabase()
    for (const level of ['trace', 'info']) {
      const server = await start({ VAANI_BOOTSTRAP_API_KEY: GIVEN, LOG_LEVEL: level })
      expect(await scopesOf(server, GIVEN)).toMatchObject({ livemode: true })
      expect(await server.kill('SIGTERM')).toBe(0)
      expect(server.output()).not.toContain(GIVEN)
      expect(server.output()).toContain('$VAANI_BOOTSTRAP_API_KEY')
    }
  })

  test('a key that differs from the one in the database is rejected with a hint, and the suggested command works', async () => {
    await using place = await openPlace()
    const { run, start, useDatabase } = place
    await useDatabase()
    const server = await start({ VAANI_BOOTSTRAP_API_KEY: GIVEN })
    expect(await server.kill('SIGTERM')).toBe(0)
    const other = { VAANI_BOOTSTRAP_API_KEY: `${GIVEN}-changed` }
    const refused = await run([], other)
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/VAANI_BOOTSTRAP_API_KEY.*--new-key/s),
    })
    expect(refused.stdout + refused.stderr).not.toContain(GIVEN)
    expect(await run(['--new-key'], other)).toMatchObject({ code: 0 })
    await start({ VAANI_BOOTSTRAP_API_KEY: GIVEN })
  })

  test('a configured key that was revoked triggers a warning', async () => {
    await using place = await openPlace()
    const { run, start, useDatabase } = place
    await useDatabase()
    const first = await start({ VAANI_BOOTSTRAP_API_KEY: GIVEN })
    const { stdout } = await run(['--new-key', '--live'])
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    const listed = await fetch(`${first.url}/admin/keys`, { headers })
    const { data } = (await listed.json()) as { data: { key_id: string; name: string }[] }
    const id = data.find(({ name }) => name === 'First key')?.key_id
    expect((await fetch(`${first.url}/admin/keys/${id}`, { method: 'DELETE', headers })).status).toBe(200)
    expect(await first.kill('SIGTERM')).toBe(0)
    const second = await start({ VAANI_BOOTSTRAP_API_KEY: GIVEN })
    expect(second.output()).toMatch(/"level":40[^\n]*VAANI_BOOTSTRAP_API_KEY/)
  })
})
