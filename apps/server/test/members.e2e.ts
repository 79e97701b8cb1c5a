import type { InvitedMember, Member } from '@vaani/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCommandLine } from './support/command-line.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const BODY = { name: 'Asha Gurung', role: 'reviewer' }
const notFound = { status: 404, body: { error: { code: 'not_found' } } }
const forbidden = { status: 403, body: { error: { code: 'forbidden', param: 'livemode' } } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function invite(key: string, body: object = BODY): Promise<InvitedMember> {
  const answer = await server.json<InvitedMember>('/admin/members', { key, body })
  expect(answer.status).toBe(201)
  return answer.body
}

const read = (key: string, { member_id }: Pick<Member, 'member_id'>) =>
  server.json<Member>(`/admin/members/${member_id}`, { key })

test('a member is invited, read and listed, newest first; the invitation is shown once and not stored', async () => {
  const { key } = await server.createAccount()
  const { invitation, ...first } = await invite(key)
  const { invitation: _, ...second } = await invite(key)
  expect(first).toMatchObject({ ...BODY, livemode: false, status: 'invited', live_key_id: null })
  expect(await read(key, first)).toMatchObject({ status: 200, body: first })
  const page = await server.json('/admin/members?limit=1', { key })
  expect(page.body).toMatchObject({ data: [second], has_more: true, next_cursor: second.member_id })
  const next = await server.json(`/admin/members?cursor=${second.member_id}`, { key })
  expect(next.body).toEqual({ data: [first], has_more: false, next_cursor: null })
  const rows = await server.context.database.selectFrom('members').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(invitation)
})

test('keys of members are nobody’s: no list shows them, none can be revoked, and they count as no keys', async () => {
  const { key } = await server.createAccount()
  const { test_key_id } = await invite(key)
  const keys = await server.json<{ data: { key_id: string }[] }>('/admin/keys', { key })
  expect(keys.body.data.map(({ key_id }) => key_id)).not.toContain(test_key_id)
  const revoked = await server.json(`/admin/keys/${test_key_id}`, { key, method: 'DELETE' })
  expect(revoked).toMatchObject(notFound)
})

test('another account sees nothing of it and changes nothing, and an operator does', async () => {
  const { key, accountId } = await server.createAccount()
  const { member_id } = await invite(key)
  const other = (await server.createAccount()).key
  const path = `/admin/members/${member_id}`
  for (const request of [
    { path },
    { path, method: 'PATCH', body: { role: 'owner' } },
    { path, method: 'DELETE' },
    { path: `${path}/invitations`, body: {} },
    { path: `/admin/members?account_id=${accountId}` },
    { path: '/admin/members', body: { ...BODY, account_id: accountId } },
  ])
    expect(await server.json(request.path, { key: other, ...request })).toMatchObject(notFound)
  expect((await read(key, { member_id })).body).toMatchObject({ role: 'reviewer', status: 'invited' })
  expect(await server.json(path)).toMatchObject({ status: 200 })
})

test('who works in test mode gives no right to live mode, and changes nobody who has it', async () => {
  const { key, accountId } = await server.createAccount()
  const live = await server.createKey(accountId, true)
  const refused = await server.json('/admin/members', { key, body: { ...BODY, livemode: true } })
  expect(refused).toMatchObject(forbidden)
  const member = await invite(live)
  expect(member.livemode).toBe(true)
  const path = `/admin/members/${member.member_id}`
  for (const change of [
    { body: { role: 'owner' }, method: 'PATCH' },
    { method: 'DELETE' },
    { path: `${path}/invitations`, body: {} },
  ])
    expect(await server.json(change.path ?? path, { key, ...change })).toMatchObject(forbidden)
  const ended = await server.json<Member>(path, { key: live, method: 'PATCH', body: { livemode: false } })
  expect(ended.body).toMatchObject({ livemode: false, live_key_id: member.live_key_id })
  const again = await server.json<Member>(path, { key, method: 'PATCH', body: { livemode: true } })
  expect(again).toMatchObject(forbidden)
  const given = await server.json<Member>(path, { key: live, method: 'PATCH', body: { livemode: true } })
  expect(given.body).toMatchObject({ livemode: true, live_key_id: member.live_key_id })
})

test('a member is changed, invited again, and removed for good', async () => {
  const { key } = await server.createAccount()
  const first = await invite(key)
  const path = `/admin/members/${first.member_id}`
  expect(await server.json(path, { key, method: 'PATCH', body: {} })).toMatchObject({ status: 400 })
  const changed = await server.json(path, { key, method: 'PATCH', body: { name: 'Asha', role: 'viewer' } })
  expect(changed.body).toMatchObject({ name: 'Asha', role: 'viewer' })
  const again = await server.json<InvitedMember>(`${path}/invitations`, { key, body: {} })
  expect(again.status).toBe(201)
  expect(again.body.invitation).not.toBe(first.invitation)
  const removed = await server.json<Member>(path, { key, method: 'DELETE' })
  expect(removed.body).toMatchObject({ status: 'removed', invitation_expires_at: null })
  const twice = await server.json<Member>(path, { key, method: 'DELETE' })
  expect(twice).toMatchObject({ status: 200, body: removed.body })
  for (const request of [
    { path, method: 'PATCH', body: { role: 'owner' } },
    { path: `${path}/invitations`, body: {} },
  ])
    expect(await server.json(request.path, { key, ...request })).toMatchObject({
      status: 409,
      body: { error: { code: 'state_conflict' } },
    })
})

test('the command line invites, lists, changes and removes members', async () => {
  const { key } = await server.createAccount()
  const variables = { VAANI_API_KEY: key, VAANI_BASE_URL: server.url }
  const { json } = createCommandLine(() => ({ variables, homeDirectory: import.meta.dirname }))
  const [invited] = await json<InvitedMember>('members', 'invite', 'Asha Gurung', '--role', 'reviewer')
  const id = invited?.member_id ?? ''
  expect(await json('members')).toMatchObject([{ member_id: id, ...BODY }])
  expect(await json('members', 'change', id, '--role', 'viewer')).toMatchObject([{ role: 'viewer' }])
  expect(await json('members', 'invite-again', id, '--reset')).toMatchObject([{ status: 'invited' }])
  expect(await json('members', 'remove', id)).toMatchObject([{ status: 'removed' }])
})
