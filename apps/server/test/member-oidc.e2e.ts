import type { InvitedMember, Member } from '@vaani/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConsoleBrowser } from '@vaani/browser/console'
import { CLIENT, signInAtProvider, startOpenidProvider } from './support/openid-provider.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let provider: Awaited<ReturnType<typeof startOpenidProvider>>
let server: TestServer
let origin: string
beforeAll(async () => {
  provider = await startOpenidProvider()
  const oidc = { issuer: provider.issuer, clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret }
  server = await startTestServer({ config: { oidc } })
  origin = `http://localhost:${new URL(server.url).port}`
  provider.allow(`${origin}/console/oidc/callback`)
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
})

const send = <Body>(path: string, body?: object, headers: Record<string, string> = {}, at = server) =>
  at.json<Body>(path, {
    key: null,
    ...(body && { body }),
    headers: { 'x-vaani-console': '1', origin, 'sec-fetch-site': 'same-origin', ...headers },
  })

const pairOf = (header: string): string => header.split(';', 1)[0] ?? ''

async function begin(invitation?: string) {
  const begun = await send<{ url: string }>('/console/oidc', invitation === undefined ? {} : { invitation })
  expect(begun.status).toBe(200)
  return { url: begun.body.url, cookie: pairOf(begun.headers.get('set-cookie') ?? '') }
}

/** Comes back from the provider. @returns the cookie of the session; null if the console refused */
async function comeBack(from: URL, cookie: string): Promise<string | null> {
  const answer = await fetch(server.url + from.pathname + from.search, {
    redirect: 'manual',
    headers: { cookie },
  })
  expect(answer.status).toBe(303)
  const session = answer.headers
    .getSetCookie()
    .map(pairOf)
    .find((pair) => pair.startsWith('vaani_console='))
  expect(answer.headers.get('location')).toBe(session === undefined ? '/console/#refused' : '/console/')
  return session ?? null
}

async function signIn(name: string, invitation?: string): Promise<string | null> {
  const { url, cookie } = await begin(invitation)
  return comeBack(await signInAtProvider(url, name), cookie)
}

async function invite(key: string): Promise<InvitedMember> {
  const body = { name: 'Asha', role: 'reviewer' }
  return (await server.json<InvitedMember>('/admin/members', { key, body })).body
}

const memberOf = async (cookie: string | null) =>
  (
    await send<{ session: { member: object } | null }>('/console/session', undefined, {
      cookie: cookie ?? '',
    })
  ).body.session?.member

test('a member joins by an invitation at the provider, and signs in there', async () => {
  const { key } = await server.createAccount()
  const { member_id, invitation } = await invite(key)
  expect(await memberOf(await signIn('asha', invitation))).toMatchObject({ member_id, role: 'reviewer' })
  expect(await send('/console/oidc', { invitation })).toMatchObject({ status: 401 })
  expect(await memberOf(await signIn('asha'))).toMatchObject({ member_id })
  const member = await server.json<Member>(`/admin/members/${member_id}`, { key })
  expect(member.body.status).toBe('active')
})

test('whom the provider knows and who is no member, was reset or removed, is refused', async () => {
  const { key } = await server.createAccount()
  expect(await signIn('nobody')).toBeNull()
  const { member_id, invitation } = await invite(key)
  await signIn('chandra', invitation)
  const path = `/admin/members/${member_id}`
  const reset = await server.json<InvitedMember>(`${path}/invitations`, { key, body: { reset: true } })
  expect(await signIn('chandra')).toBeNull()
  expect(await signIn('chandra', reset.body.invitation)).not.toBeNull()
  await server.json(path, { key, method: 'DELETE' })
  expect(await signIn('chandra')).toBeNull()
})

test('one person of the provider is one member, and the invitation of another works on', async () => {
  const { key } = await server.createAccount()
  await signIn('deepa', (await invite(key)).invitation)
  const { invitation } = await invite(key)
  expect(await signIn('deepa', invitation)).toBeNull()
  expect(await signIn('esha', invitation)).not.toBeNull()
})

test('an answer works once, with the cookie of its own attempt, and not if it was changed', async () => {
  const { key } = await server.createAccount()
  await signIn('farid', (await invite(key)).invitation)
  const first = await begin()
  const answer = await signInAtProvider(first.url, 'farid')
  const second = await begin()
  expect(await comeBack(answer, second.cookie)).toBeNull()
  expect(await comeBack(answer, '')).toBeNull()
  expect(await comeBack(answer, 'vaani_console_oidc=bm8ganNvbg')).toBeNull()
  expect(await comeBack(answer, first.cookie)).not.toBeNull()
  expect(await comeBack(answer, first.cookie)).toBeNull()
  const third = await begin()
  const changed = await signInAtProvider(third.url, 'farid')
  changed.searchParams.set('state', 'A'.repeat(43))
  expect(await comeBack(changed, third.cookie)).toBeNull()
})

test('the cookie of an attempt is sent to nothing else, and no page of another site begins one', async () => {
  const begun = await send('/console/oidc', {})
  expect(begun.headers.get('set-cookie')).toMatch(
    /^vaani_console_oidc=[\w-]+; Path=\/console\/oidc; Max-Age=300; HttpOnly; SameSite=Lax$/,
  )
  expect(await send('/console/oidc', {}, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
  expect(await send('/console/oidc', { invitation: 'A'.repeat(43) })).toMatchObject({ status: 401 })
})

test('a provider that does not answer is said to be, and asked again; without one there is no such way', async () => {
  await using away = await startOpenidProvider()
  const { issuer } = away
  await away[Symbol.asyncDispose]()
  await using alone = await startTestServer({
    config: { oidc: { issuer, clientId: 'any', clientSecret: 'any' } },
  })
  expect(await send('/console/oidc', {}, {}, alone)).toMatchObject({ status: 503 })
  await using without = await startTestServer()
  expect(await send('/console/oidc', {}, {}, without)).toMatchObject({ status: 404 })
  expect((await send('/console/session', undefined, {}, without)).body).toEqual({
    session: null,
    oidc: false,
  })
})

test('a browser goes to the provider and comes back to its page', { tags: 'chromium' }, async () => {
  const { key } = await server.createAccount()
  const { invitation } = await invite(key)
  await using browser = await startConsoleBrowser(server, { url: origin })
  const { page } = await browser.openTab()
  /** Goes to the provider, and signs in there as somebody. */
  async function leave(name: string): Promise<void> {
    await page.getByRole('button', { name: 'Sign in at your organization' }).press('Enter')
    await page.getByPlaceholder('Enter any login').fill(name)
    await page.getByPlaceholder('and password').fill('any')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
  }
  await page.goto(`${browser.at('/')}#invitation=${invitation}`)
  await leave('gita')
  await page.getByText('Asha', { exact: true }).waitFor()
  expect(page.url()).toBe(browser.at('/'))
  await page.goto(browser.at('/verifications?status=declined'))
  await page.getByRole('button', { name: 'Sign out', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Sign in at your organization' }).press('Enter')
  // The provider knows the browser already.
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
  expect(page.url()).toBe(browser.at('/verifications?status=declined'))

  const stranger = await browser.openTab()
  await stranger.page.goto(`${browser.at('/calls')}#refused`)
  await stranger.page.getByRole('alert').filter({ hasText: 'Your organization named nobody' }).waitFor()
  expect(stranger.page.url()).toBe(browser.at('/calls'))
})
