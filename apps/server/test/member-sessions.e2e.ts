import type { InvitedMember, Member } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasskeyDevice, type DeviceOptions } from './support/passkey-device.ts'
import { STATES } from './support/states.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let origin: string
beforeAll(async () => {
  server = await startTestServer()
  origin = `http://localhost:${new URL(server.url).port}`
})
afterAll(() => server?.[Symbol.asyncDispose]())

type Device = ReturnType<typeof createPasskeyDevice>
interface Session {
  key_id: string
  livemode: boolean
  scopes: string[]
  member: { member_id: string; name: string; role: string; in_both_modes: boolean } | null
}

const unauthorized = { status: 401, body: { error: { code: 'unauthorized' } } }

/** Sends a request as the page of an origin does. */
const send = <Body>(
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  method = body === undefined ? 'GET' : 'POST',
) =>
  server.json<Body>(path, {
    key: null,
    method,
    ...(body && { body }),
    headers: { 'x-vaani-console': '1', origin, 'sec-fetch-site': 'same-origin', ...headers },
  })

async function invite(key: string, body: object = {}): Promise<InvitedMember> {
  const given = { name: 'Asha', role: 'reviewer', ...body }
  return (await server.json<InvitedMember>('/admin/members', { key, body: given })).body
}

const beginToMake = (invitation: string) =>
  send<{ name: string; make: { challenge: string } }>('/console/passkey', { invitation })

async function askChallenge(): Promise<string> {
  return (await send<{ ask: { challenge: string } }>('/console/passkey', {})).body.ask.challenge
}

async function join(device: Device, invitation: string, lie: Partial<DeviceOptions> = {}) {
  const begun = await beginToMake(invitation)
  const challenge = begun.body.make?.challenge ?? ''
  return send<Session>('/console/session', {
    invitation,
    made: device.make({ challenge, origin, ...lie }),
  })
}

async function signIn(device: Device, lie: Partial<DeviceOptions> = {}) {
  const challenge = await askChallenge()
  return send<Session>('/console/session', { passkey: device.sign({ challenge, origin, ...lie }) })
}

const cookieOf = ({ headers }: { headers: Headers }): Record<string, string> => ({
  cookie: headers.get('set-cookie')?.split(';', 1)[0] ?? '',
})

describe('a member', () => {
  test('joins by an invitation, once, and signs in by the passkey with the rights of the role', async () => {
    const { key } = await server.createAccount()
    const { member_id, test_key_id, invitation } = await invite(key)
    const device = createPasskeyDevice()
    expect((await beginToMake(invitation)).body.name).toBe('Asha')
    const joined = await join(device, invitation)
    expect(joined).toMatchObject({
      status: 200,
      body: {
        key_id: test_key_id,
        livemode: false,
        scopes: ['identity:read', 'identity:review'],
        member: { member_id, name: 'Asha', role: 'reviewer' },
      },
    })
    expect(await join(createPasskeyDevice(), invitation)).toMatchObject(unauthorized)
    const signedIn = await signIn(device)
    expect(signedIn).toMatchObject({ status: 200, body: joined.body })
    const listed = await send('/console/api/identity/reviews', undefined, cookieOf(signedIn))
    expect(listed.status).toBe(200)
    const member = await server.json<Member>(`/admin/members/${member_id}`, { key })
    expect(member.body).toMatchObject({ status: 'active', invitation_expires_at: null })
    expect(member.body.signed_in_at).not.toBeNull()
  })

  test.each([
    ['viewer', 'POST', '/identity/reviews/claim', {}],
    ['reviewer', 'POST', '/agent/calls', { to: '+9779812345678', agent_id: 'reminder' }],
    ['developer', 'GET', '/admin/members', undefined],
    ['developer', 'POST', '/admin/keys', { name: 'x', scopes: ['admin'] }],
    ['viewer', 'GET', '/admin/keys', undefined],
  ])('who is %s may not %s %s', async (role, _, path, body) => {
    const { key } = await server.createAccount()
    const device = createPasskeyDevice()
    const session = await join(device, (await invite(key, { role })).invitation)
    expect(await send(`/console/api${path}`, body, cookieOf(session))).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
  })

  test('who is owner invites others, and gives no key the rights of another account', async () => {
    const { key } = await server.createAccount()
    const { invitation } = await invite(key, { role: 'owner' })
    const session = await join(createPasskeyDevice(), invitation)
    const body = { name: 'Bimal', role: 'viewer' }
    expect(await send('/console/api/admin/members', body, cookieOf(session))).toMatchObject({ status: 201 })
  })

  test('goes on with the role that was given last, and is out at once when removed', async () => {
    const { key } = await server.createAccount()
    const { member_id, invitation } = await invite(key)
    const device = createPasskeyDevice()
    const session = cookieOf(await join(device, invitation))
    const path = `/admin/members/${member_id}`
    await server.json(path, { key, method: 'PATCH', body: { role: 'viewer', name: 'Asha G.' } })
    expect(
      (await send<{ session: Session }>('/console/session', undefined, session)).body.session,
    ).toMatchObject({
      scopes: ['calls:read', 'do_not_call:read', 'identity:read'],
      member: { name: 'Asha G.', role: 'viewer' },
    })
    await server.json(path, { key, method: 'DELETE' })
    expect(await send('/console/api/identity/verifications', undefined, session)).toMatchObject(unauthorized)
    expect(await signIn(device)).toMatchObject(unauthorized)
  })

  test('who lost a passkey is invited again; a reset ends the old one and its sessions', async () => {
    const { key } = await server.createAccount()
    const { member_id, invitation } = await invite(key)
    const old = createPasskeyDevice()
    const session = cookieOf(await join(old, invitation))
    const path = `/admin/members/${member_id}/invitations`
    const again = await server.json<InvitedMember>(path, { key, body: {} })
    const second = createPasskeyDevice()
    expect(await join(second, again.body.invitation)).toMatchObject({ status: 200 })
    expect(await signIn(old)).toMatchObject({ status: 200 })
    const reset = await server.json<InvitedMember>(path, { key, body: { reset: true } })
    expect(reset.body.status).toBe('invited')
    for (const device of [old, second]) expect(await signIn(device)).toMatchObject(unauthorized)
    expect(await send('/console/api/identity/verifications', undefined, session)).toMatchObject(unauthorized)
    expect(await join(old, reset.body.invitation)).toMatchObject({ status: 200 })
  })

  test('works in one mode at a time, and in live mode only if a live key gave it', async () => {
    const { key, accountId } = await server.createAccount()
    const live = await server.createKey(accountId, true)
    const joined = await join(createPasskeyDevice(), (await invite(key)).invitation)
    expect(joined.body).toMatchObject({ member: { in_both_modes: false } })
    const inTest = cookieOf(joined)
    expect(await send('/console/session/mode', { livemode: true }, inTest)).toMatchObject({ status: 403 })
    const member = await invite(live)
    const device = createPasskeyDevice()
    const first = await join(device, member.invitation)
    expect(first.body).toMatchObject({
      livemode: false,
      key_id: member.test_key_id,
      member: { in_both_modes: true },
    })
    const switched = await send<Session>('/console/session/mode', { livemode: true }, cookieOf(first))
    expect(switched.body).toMatchObject({ livemode: true, key_id: member.live_key_id })
    expect(await send('/console/api/identity/reviews', undefined, cookieOf(first))).toMatchObject(
      unauthorized,
    )
    expect((await signIn(device)).body).toMatchObject({ livemode: true })
    const path = `/admin/members/${member.member_id}`
    await server.json(path, { key: live, method: 'PATCH', body: { livemode: false } })
    expect(await send('/console/api/identity/reviews', undefined, cookieOf(switched))).toMatchObject(
      unauthorized,
    )
    expect((await signIn(device)).body).toMatchObject({ livemode: false, member: { in_both_modes: false } })
  })

  test('joins once by an invitation that two use at the same time', async () => {
    const { key } = await server.createAccount()
    const { invitation } = await invite(key)
    const answers = await Promise.all([1, 2, 3].map(() => join(createPasskeyDevice(), invitation)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  })

  test('acts in no tab for another key than the one that the tab shows', async () => {
    const { accountId } = await server.createAccount()
    const member = await invite(await server.createKey(accountId, true))
    const first = await join(createPasskeyDevice(), member.invitation)
    const asShown = { 'x-vaani-console': member.test_key_id }
    const read = (cookie: Record<string, string>) =>
      send('/console/api/identity/reviews', undefined, { ...cookie, ...asShown })
    expect(await read(cookieOf(first))).toMatchObject({ status: 200 })
    const live = cookieOf(await send('/console/session/mode', { livemode: true }, cookieOf(first)))
    expect(await read(live)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })

  test('signs out of both modes everywhere', async () => {
    const { accountId } = await server.createAccount()
    const { invitation } = await invite(await server.createKey(accountId, true))
    const device = createPasskeyDevice()
    const inTest = cookieOf(await join(device, invitation))
    const other = await send('/console/session/mode', { livemode: true }, cookieOf(await signIn(device)))
    expect((await send('/console/session?everywhere=true', undefined, inTest, 'DELETE')).status).toBe(200)
    for (const cookie of [inTest, cookieOf(other)])
      expect(await send('/console/api/identity/reviews', undefined, cookie)).toMatchObject(unauthorized)
  })

  test('is a person of their own in reviews, whatever name a request gives', async () => {
    const { key, accountId } = await server.createAccount()
    const member = await invite(key)
    const session = cookieOf(await join(createPasskeyDevice(), member.invitation))
    const id = await STATES.verification_id.review(server, { accountId, livemode: false })
    const path = `/console/api/identity/verifications/${id}/review/claim`
    const claimed = await send<{ claim: object }>(path, { reviewer: 'Somebody else' }, session)
    expect(claimed.body.claim).toMatchObject({ key_id: member.test_key_id, reviewer: 'Asha' })
  })
})

describe('a passkey is refused', () => {
  test.each<[string, Partial<DeviceOptions>]>([
    ['that was made at another origin', { origin: 'https://evil.example', host: 'localhost' }],
    ['that was made for another host', { host: 'evil.example' }],
    ['whose person was not verified', { flags: 0x01 }],
    ['for a challenge that is not ours', { challenge: 'A'.repeat(43) }],
  ])('%s, and the invitation works on', async (_, lie) => {
    const { key } = await server.createAccount()
    const { invitation } = await invite(key)
    expect(await join(createPasskeyDevice(), invitation, lie)).toMatchObject(unauthorized)
    expect(await join(createPasskeyDevice(), invitation)).toMatchObject({ status: 200 })
  })

  test.each<[string, Partial<DeviceOptions>]>([
    ['at another origin', { origin: 'https://evil.example', host: 'localhost' }],
    ['for another host', { host: 'evil.example' }],
    ['without a verified person', { flags: 0x01 }],
    ['for a challenge that is not ours', { challenge: 'A'.repeat(43) }],
  ])('when it signs %s', async (_, lie) => {
    const { key } = await server.createAccount()
    const device = createPasskeyDevice()
    await join(device, (await invite(key)).invitation)
    expect(await signIn(device, lie)).toMatchObject(unauthorized)
    expect(await signIn(device)).toMatchObject({ status: 200 })
  })

  test('when it answers twice, is unknown, signed by another, or is a copy that counts from the start', async () => {
    const { key } = await server.createAccount()
    const device = createPasskeyDevice()
    await join(device, (await invite(key)).invitation)
    const passkey = device.sign({ challenge: await askChallenge(), origin })
    expect(await send('/console/session', { passkey })).toMatchObject({ status: 200 })
    expect(await send('/console/session', { passkey })).toMatchObject(unauthorized)
    const other = createPasskeyDevice()
    expect(await signIn(other)).toMatchObject(unauthorized)
    const forged = {
      ...other.sign({ challenge: await askChallenge(), origin }),
      id: device.id,
      rawId: device.id,
    }
    expect(await send('/console/session', { passkey: forged })).toMatchObject(unauthorized)
    device.rewind()
    expect(await signIn(device)).toMatchObject(unauthorized)
  })

  test.each([
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['null', Buffer.from('null').toString('base64url')],
    ['nothing', ''],
  ])('when what the browser says is %s', async (_, clientDataJSON) => {
    const device = createPasskeyDevice()
    const passkey = device.sign({ challenge: await askChallenge(), origin })
    const answer = await send('/console/session', {
      passkey: { ...passkey, response: { ...passkey.response, clientDataJSON } },
    })
    expect([400, 401]).toContain(answer.status)
  })

  test('on the other host of a server that has two', async () => {
    const { key } = await server.createAccount()
    const device = createPasskeyDevice()
    await join(device, (await invite(key)).invitation)
    const elsewhere = origin.replace('localhost', 'console.example')
    const challenge = await askChallenge()
    const passkey = device.sign({ challenge, origin: elsewhere, host: 'localhost' })
    expect(await send('/console/session', { passkey }, { origin: elsewhere })).toMatchObject(unauthorized)
  })
})
