import type { AuditEntry, Scope } from '@vaani/contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STATES } from './support/states.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const MARK = { 'x-vaani-console': '1' }

/** Signs in with a key, and returns what sends requests as a page. */
async function openConsole(key: string, at = server) {
  const signedIn = await at.json<{ key_id: string }>('/console/session', {
    key: null,
    body: { key },
    headers: MARK,
  })
  const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  return {
    keyId: signedIn.body.key_id,
    send: <Body>(path: string, body?: object) =>
      at.json<Body>(`/console/api${path}`, {
        key: null,
        headers: { ...MARK, cookie },
        ...(body && { body }),
      }),
  }
}

const logOf = async (key: string, query = '', at = server): Promise<AuditEntry[]> =>
  (await at.json<{ data: AuditEntry[] }>(`/admin/audit-log${query}`, { key })).body.data

const SCOPES: Scope[] = ['admin', 'calls:read', 'calls:write', 'identity:read', 'identity:review']

test('an owner reads who changed what, and who looked at whose data, newest first', async () => {
  const { key, accountId } = await server.createAccount({}, SCOPES)
  const id = await STATES.verification_id.review(server, { accountId, livemode: false })
  const { send, keyId } = await openConsole(key)
  expect((await send(`/identity/verifications/${id}`)).status).toBe(200)
  expect((await send(`/identity/verifications/${id}/review/claim`, {})).status).toBe(200)
  const by = { key_id: keyId, object_id: id }
  expect(await logOf(key, `?object_id=${id}`)).toMatchObject([
    { action: 'reviews.claim', ...by },
    { action: 'identity.retrieve', ...by },
  ])
  const [created] = (await logOf(key)).filter(({ action }) => action === 'key.created')
  expect(created).toMatchObject({ object_id: keyId })
  const page = await server.json('/admin/audit-log?limit=1', { key })
  expect(page.body).toMatchObject({ data: [{ action: 'reviews.claim' }], has_more: true })
})

test('a look is noted once in ten minutes, and again after them', async () => {
  let nowMs = Date.now()
  await using own = await startTestServer({ clock: { nowMs: () => nowMs } })
  const { key, accountId } = await own.createAccount({}, SCOPES)
  const id = await STATES.verification_id.review(own, { accountId, livemode: false })
  const { send } = await openConsole(key, own)
  const looks = async () => (await logOf(key, `?object_id=${id}`, own)).length
  await Promise.all([1, 2, 3].map(() => send(`/identity/verifications/${id}`)))
  expect(await looks()).toBe(1)
  nowMs += 10 * 60_000 + 1
  await send(`/identity/verifications/${id}`)
  expect(await looks()).toBe(2)
})

test('refusals, what shows no personal data, and what programs do with keys are not in it', async () => {
  const { key } = await server.createAccount({}, SCOPES)
  const before = (await logOf(key)).length
  const { send } = await openConsole(key)
  expect((await send('/agent/agents')).status).toBe(200)
  expect((await send('/identity/verifications/ver_01kamx3v6pf9hr2x8c0q5d7etn')).status).toBe(404)
  expect((await send('/agent/calls', { to: 'nobody', agent_id: 'reminder' })).status).toBe(422)
  expect((await server.json('/identity/verifications', { key })).status).toBe(200)
  expect(await logOf(key)).toHaveLength(before)
})

test('another account, the other mode, and who is no owner see nothing of it', async () => {
  const { key, accountId } = await server.createAccount({}, SCOPES)
  const { send } = await openConsole(key)
  await send('/agent/calls')
  const isLook = ({ action }: AuditEntry) => action === 'calls.list'
  expect((await logOf(key)).some(isLook)).toBe(true)
  expect((await logOf((await server.createAccount()).key)).some(isLook)).toBe(false)
  expect((await logOf(await server.createKey(accountId, true))).some(isLook)).toBe(false)
  const { key: reader } = await server.createAccount({}, ['calls:read'])
  expect((await server.json('/admin/audit-log', { key: reader })).status).toBe(403)
})

test('names of subjects are not kept, because the log is never erased', async () => {
  const { key } = await server.createAccount({}, SCOPES)
  const { send } = await openConsole(key)
  expect((await send('/identity/subjects/asha@example.com')).status).toBe(200)
  const rows = await sql`select * from audit_log`.execute(server.context.database)
  expect(JSON.stringify(rows)).not.toContain('asha')
  expect((await logOf(key))[0]).toMatchObject({ action: 'identity.subject', object_id: null })
})

test('what the log can’t note is not shown', async () => {
  await using other = await startTestServer()
  const { key, accountId } = await other.createAccount({}, SCOPES)
  const id = await STATES.verification_id.review(other, { accountId, livemode: false })
  const { send } = await openConsole(key, other)
  await sql`alter table audit_log rename to audit_log_away`.execute(other.context.database)
  const refused = await send<{ verification_id?: string }>(`/identity/verifications/${id}`)
  expect(refused).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
  expect(JSON.stringify(refused.body)).not.toContain(id)
  await sql`alter table audit_log_away rename to audit_log`.execute(other.context.database)
  expect(await send(`/identity/verifications/${id}`)).toMatchObject({ status: 200 })
})
