import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Id, Scope } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeAllowedKey } from '../src/features/admin/revoke-allowed-key.ts'
import { query } from './support/query.ts'
import { runToEnd } from './support/run-to-end.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

interface Key {
  key_id: string
  key: string
}

// The tests share a server. Each leaves one key that can administer it: `last`.
describe('the last key that can administer the server', () => {
  let server: TestServer
  let last: string
  beforeAll(async () => {
    server = await startTestServer()
    last = server.key
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const revoke = (keyId: string, key: string) =>
    server.json(`/admin/keys/${keyId}`, { method: 'DELETE', key })
  async function idOf(key: string): Promise<string> {
    const { body } = await server.json<{ data: { key_id: string; hint: string }[] }>(
      '/admin/keys?limit=100',
      { key },
    )
    return body.data.find(({ hint }) => key.startsWith(hint))?.key_id ?? ''
  }
  const operator = () =>
    server.context.database
      .selectFrom('accounts')
      .where('operator', '=', true)
      .select('account_id')
      .executeTakeFirstOrThrow()
  const make = async (livemode: boolean, scopes?: readonly Scope[]) =>
    server.createKey((await operator()).account_id, livemode, scopes)
  const works = async (key: string) => (await server.fetch('/admin/keys', { key })).status === 200
  const conflict = { status: 409, body: { error: { code: 'state_conflict' } } }

  test('cannot be revoked', async () => {
    expect(await revoke(await idOf(last), last)).toMatchObject(conflict)
    expect(await works(last)).toBe(true)
  })

  test('is not replaced by keys of other accounts, keys with fewer scopes, or revoked keys', async () => {
    await server.createAccount()
    await make(false, ['calls:read', 'calls:write'])
    const spare = await make(false)
    expect((await revoke(await idOf(spare), last)).status).toBe(200)
    expect(await revoke(await idOf(last), last)).toMatchObject(conflict)
  })

  test('is not protected in other accounts', async () => {
    const { key } = await server.createAccount()
    expect((await revoke(await idOf(key), key)).status).toBe(200)
  })

  test('appears as the actor in the audit log, which cannot be changed', async () => {
    const { body } = await server.json<Key>('/admin/keys', { body: { name: 'spare', scopes: ['admin'] } })
    for (const _ of ['first', 'again']) await revoke(body.key_id, last)
    const actor = await idOf(last)
    const { database } = server.context
    const rowsOf = (keyId: string) =>
      database
        .selectFrom('audit_log')
        .where(sql<string>`key_id`, '=', keyId)
        .selectAll()
        .execute()
    expect(await rowsOf(actor)).toMatchObject([{ action: 'key.created', actor: 'first start' }])
    expect(await rowsOf(body.key_id)).toMatchObject([
      { action: 'key.created', actor },
      { action: 'key.revoked', actor },
    ])
    await expect(database.updateTable('audit_log').set({ actor: 'nobody' }).execute()).rejects.toThrow(
      'audit_log',
    )
    await expect(database.deleteFrom('audit_log').execute()).rejects.toThrow('audit_log')
  })

  test('in live mode is not replaced by a test key, which cannot create live keys', async () => {
    const live = await make(true)
    expect(await revoke(await idOf(live), live)).toMatchObject(conflict)
    const otherLive = await make(true)
    expect((await revoke(await idOf(live), otherLive)).status).toBe(200)
  })

  test('in test mode can be replaced by a live key, which can create test keys', async () => {
    const live = await make(true)
    expect((await revoke(await idOf(last), last)).status).toBe(200)
    const body = { name: 'again', scopes: ['admin'], livemode: false }
    const again = await server.json<Key>('/admin/keys', { body, key: live })
    expect(await works(again.body.key)).toBe(true)
    last = live
  })

  test('remains when all such keys are revoked at once', async () => {
    const { authenticator, database, makeId } = server.context
    // Authenticate first, so that no request is rejected because its own key was revoked first.
    const principal = await authenticator.authenticate(last)
    if (principal === null) throw new Error('The last key does not work')
    await Promise.all(Array.from({ length: 5 }, () => make(true)))
    const before = await keysOf(principal.accountId)
    const outcomes = await Promise.allSettled(
      before.map(({ key_id: keyId }) =>
        database
          .transaction()
          .execute((tx) => revokeAllowedKey(tx, { keyId, principal, now: new Date(), makeId })),
      ),
    )
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refusals).toMatchObject([{ reason: { code: 'state_conflict' } }])
    expect(await keysOf(principal.accountId)).toHaveLength(1)
  })

  /** Lists the live keys of an account that are not revoked. */
  const keysOf = (accountId: Id<'account'>) =>
    server.context.database
      .selectFrom('api_keys')
      .where('account_id', '=', accountId)
      .where('livemode', '=', true)
      .where('revoked_at', 'is', null)
      .select('key_id')
      .execute()
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
  const untilPrinted = ({ output }: ServerProcess, text: string) =>
    until(
      async () => output(),
      (printed) => printed.includes(text),
    )
  const scopesOf = async (server: ServerProcess, key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${server.url}/admin/keys`, { headers })
    const { data } = (await response.json()) as {
      data: { hint: string; livemode: boolean; scopes: string[] }[]
    }
    return data.find(({ hint }) => key.startsWith(hint))
  }

  test('the embedded database shows its first key once, and more are created whether the server runs or not', async () => {
    await using place = await openPlace()
    const { run, start } = place
    const first = await start()
    await untilPrinted(first, 'export KEY=')
    const shown = /export KEY=(sk_test_\w+)/.exec(first.output())?.[1] ?? ''
    const running = (await run(['--new-key'])).stdout.trim()
    for (const key of [shown, running]) expect(await scopesOf(first, key)).toMatchObject({ livemode: false })
    expect(await first.kill('SIGTERM')).toBe(0)
    const stopped = (await run(['--new-key', '--live'])).stdout.trim()
    const second = await start()
    await untilPrinted(second, 'Use the API key of the first start')
    expect(second.output()).not.toContain('sk_test_')
    for (const key of [shown, running]) expect(await scopesOf(second, key)).toMatchObject({ livemode: false })
    expect(await scopesOf(second, stopped)).toMatchObject({ livemode: true })
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

  test('on a configured database, a server prints no key and no commands to try, unless at a terminal', async () => {
    await using place = await openPlace()
    const { run, start, useDatabase } = place
    const url = await useDatabase()
    const worker = await start({ VAANI_ROLES: 'worker' })
    await untilPrinted(worker, '--new-key creates one')
    const api = await start({ VAANI_ROLES: 'api' })
    for (const { output } of [worker, api])
      expect(output()).not.toMatch(/sk_(test|live)_|Vaani is running|curl/)
    expect(await query(url, 'select from api_keys')).toEqual([])
    const made = await run(['--new-key'])
    expect(await scopesOf(api, made.stdout.trim())).toMatchObject({ livemode: false })
  })

  test('unknown arguments do not start the server', async () => {
    await using place = await openPlace()
    const { run } = place
    expect(await run(['--newkey'])).toMatchObject({ code: 1, stderr: expect.stringContaining('--new-key') })
  })

  const GIVEN = 'sk_live_given_0123456789abcdefghij'

  test('keys can be created while a server with a configured key runs, which is never printed, rejected if it differs, and warned of once revoked', async () => {
    await using place = await openPlace()
    const { run, start, useDatabase } = place
    const url = await useDatabase()
    const first = await start({ VAANI_BOOTSTRAP_API_KEY: GIVEN, LOG_LEVEL: 'trace' })
    expect(await scopesOf(first, GIVEN)).toMatchObject({ livemode: true })

    const other = { VAANI_BOOTSTRAP_API_KEY: `${GIVEN}-changed` }
    const refused = await run([], other)
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/VAANI_BOOTSTRAP_API_KEY.*--new-key/s),
    })
    expect(refused.stdout + refused.stderr).not.toContain(GIVEN)
    // The suggested command works with the setting that was rejected.
    const made = await run(['--new-key'], other)
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sk_test_\w+\n$/) })
    const live = await run(['--new-key', '--live'])
    expect(live).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sk_live_\w+\n$/) })
    for (const [{ stdout }, livemode] of [
      [made, false],
      [live, true],
    ] as const)
      expect(await scopesOf(first, stdout.trim())).toMatchObject({
        livemode,
        scopes: expect.arrayContaining(['admin', 'calls:write']),
      })
    expect(await query(url, 'select action, actor from audit_log order by sequence')).toEqual([
      { action: 'key.created', actor: 'VAANI_BOOTSTRAP_API_KEY' },
      { action: 'key.created', actor: expect.stringMatching(/\S+ on \S+/) },
      { action: 'key.created', actor: expect.stringMatching(/\S+ on \S+/) },
    ])
    expect(await first.kill('SIGTERM')).toBe(0)

    const second = await start({ VAANI_BOOTSTRAP_API_KEY: GIVEN, LOG_LEVEL: 'info' })
    const headers = { authorization: `Bearer ${live.stdout.trim()}` }
    const listed = await fetch(`${second.url}/admin/keys`, { headers })
    const { data } = (await listed.json()) as { data: { key_id: string; name: string }[] }
    const id = data.find(({ name }) => name === 'First key')?.key_id
    expect(await scopesOf(second, GIVEN)).toMatchObject({ livemode: true })
    expect((await fetch(`${second.url}/admin/keys/${id}`, { method: 'DELETE', headers })).status).toBe(200)
    expect(await second.kill('SIGTERM')).toBe(0)
    for (const { output } of [first, second]) {
      expect(output()).not.toContain(GIVEN)
      expect(output()).not.toMatch(/"level":40[^\n]*VAANI_BOOTSTRAP_API_KEY/)
    }

    const third = await start({ VAANI_BOOTSTRAP_API_KEY: GIVEN })
    expect(third.output()).toMatch(/"level":40[^\n]*VAANI_BOOTSTRAP_API_KEY/)
  })
})
