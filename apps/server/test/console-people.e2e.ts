/** Members, their invitations and passkeys, in a real browser with a virtual authenticator. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { InvitedMember, Member } from '@vaani/contracts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { thorough } from '@vaani/test-services/thorough'
import {
  addPasskeyDevice,
  type ConsoleBrowser,
  findFaults,
  join as joinAt,
  lookAt,
  type PasskeyDevice,
  startConsoleBrowser,
} from '@vaani/browser/console'
import { createReviewCases, type ReviewCases } from './support/review-cases.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** What `member-sessions`, `members` and other tests here promise as well, on further ways. */
const testMore = thorough({ usual: test.skip, long: test })

let folder: string
let server: TestServer
/** Opens the console by a name, because an IP address has no passkeys. */
let browser: ConsoleBrowser
let cases: ReviewCases
let key: string
let live: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-people-'))
  const identityPoliciesFile = path.join(folder, 'policies.json')
  await writeFile(identityPoliciesFile, JSON.stringify({ 'four-eyes': { reviewers: 2 } }))
  server = await startTestServer({ config: { identityPoliciesFile } })
  browser = await startConsoleBrowser(server, { url: server.url.replace('127.0.0.1', 'localhost') })
  cases = await createReviewCases(server)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  const account = await server.createAccount()
  key = account.key
  live = await server.createKey(account.accountId, true)
})

/** A person at a browser of their own, with a device that keeps their passkeys. */
interface Person extends PasskeyDevice {
  page: Page
  complaints: string[]
}

async function openPerson(options?: BrowserContextOptions): Promise<Person> {
  const tab = await browser.openTab(options)
  return { page: tab.page, complaints: tab.complaints, ...(await addPasskeyDevice(tab)) }
}

async function invite(role: Member['role'], name: string, by = key): Promise<InvitedMember> {
  const { status, body } = await server.json<InvitedMember>('/admin/members', {
    key: by,
    body: { name, role },
  })
  expect(status).toBe(201)
  return body
}

const join = (page: Page, invitation: string, at = '/') => joinAt(page, browser.at(at), invitation)

async function joinAs(role: Member['role'], name: string, by = key): Promise<Person & { member: Member }> {
  const { invitation, ...member } = await invite(role, name, by)
  const person = await openPerson()
  await join(person.page, invitation)
  return { ...person, member }
}

/** Signs out, and leaves the page that asks for a passkey. */
async function signOut({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
}

async function signIn({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter')
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
}

const account = (page: Page) => page.getByRole('region', { name: 'Account' })

/** Everything of a page that a script, or whoever sits down next, can read. */
const contentsOf = (page: Page) =>
  page.evaluate<string>(
    'JSON.stringify([document.documentElement.outerHTML, location.href, { ...localStorage }, { ...sessionStorage }])',
  )

/** Sends a request as a page does, and returns the status of the answer. */
const statusOf = (page: Page, route: string, method = 'GET') =>
  page.evaluate<number>(
    `fetch('/console/api${route}', { method: '${method}', headers: { 'x-vaani-console': '1', 'content-type': 'application/json' },
      ${method === 'GET' ? '' : "body: '{}'"} }).then(({ status }) => status)`,
  )

describe('an invitation', { tags: 'chromium' }, () => {
  test('is made by an owner, and lets a reviewer join and come back, by keyboard', async () => {
    const owner = await browser.openTab()
    const link = await server.context.console.createLink()
    await owner.page.goto(`${browser.at('/members')}#link=${link}`)
    await owner.page.getByRole('link', { name: 'Invite a member' }).press('Enter')
    await owner.page.getByLabel('Name').fill('Asha Gurung')
    await owner.page.getByLabel('Owner').focus()
    await owner.page.keyboard.press('ArrowDown')
    await owner.page.keyboard.press('ArrowDown')
    expect(await owner.page.getByLabel('Reviewer').isChecked()).toBe(true)
    await owner.page.keyboard.press('Enter')
    const address = (await owner.page.getByRole('status').locator('code').textContent()) ?? ''
    expect(address).toMatch(/^http:\/\/localhost:\d+\/console\/#invitation=[\w-]{43}$/)
    const invitation = address.slice(-43)

    const asha = await openPerson()
    await asha.page.goto(address)
    await asha.page.getByRole('heading', { name: 'Welcome, Asha Gurung' }).waitFor()
    expect(asha.page.url()).not.toContain(invitation)
    await asha.page.getByRole('button', { name: 'Make a passkey and sign in' }).press('Enter')
    await account(asha.page).getByText('Asha Gurung').waitFor()
    await account(asha.page).getByText('Reviewer').waitFor()
    expect(await contentsOf(asha.page)).not.toContain(invitation)
    await signOut(asha)
    await signIn(asha)
    await account(asha.page).getByText('Asha Gurung').waitFor()
    expect(asha.complaints).toEqual([])

    await owner.page.getByRole('link', { name: 'Asha Gurung' }).press('Enter')
    await owner.page.getByText('Active', { exact: true }).waitFor()
    expect(await contentsOf(owner.page)).not.toContain(invitation)
    expect(owner.complaints).toEqual([])
  })

  testMore('works once, and says what to do then', async () => {
    const { invitation } = await invite('viewer', 'Bina')
    const bina = await openPerson()
    await join(bina.page, invitation)
    await bina.page.goto(browser.at(`/calls#invitation=${invitation}`))
    await bina.page.getByText('invitation: was used, replaced, or is too old').waitFor()
    await bina.page.getByText('Ask whoever invited you for a new invitation.').waitFor()
    expect(await lookAt(bina.page)).toEqual([])
    await bina.page.getByRole('button', { name: 'Go on without the invitation' }).press('Enter')
    await bina.page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
  })

  testMore('that is opened in the tab of a session replaces it', async () => {
    const { page } = await joinAs('viewer', 'Bina')
    const { invitation } = await invite('reviewer', 'Chandra')
    await page.evaluate(`location.hash = 'invitation=${invitation}'`)
    await page.getByRole('button', { name: 'Make a passkey and sign in' }).press('Enter')
    await account(page).getByText('Chandra').waitFor()
  })

  testMore('of one who has joined adds a passkey of another device, and not twice on the same', async () => {
    const bina = await joinAs('viewer', 'Bina')
    const again = await server.json<InvitedMember>(`/admin/members/${bina.member.member_id}/invitations`, {
      key,
      body: {},
    })
    await bina.page.goto(`${browser.at('/calls')}#invitation=${again.body.invitation}`)
    await bina.page.getByRole('button', { name: 'Make a passkey and sign in' }).press('Enter')
    await bina.page.getByText('This device already has a passkey of yours').waitFor()
    expect(await bina.page.getByRole('alert').count()).toBe(0)
    const other = await openPerson()
    await join(other.page, again.body.invitation)
  })
})

describe('signing in', { tags: 'chromium' }, () => {
  test('leads to the page that was asked for', async () => {
    const asha = await joinAs('reviewer', 'Asha')
    await signOut(asha)
    await asha.page.goto(browser.at('/verifications?status=approved'))
    await signIn(asha)
    await asha.page.getByRole('heading', { level: 1, name: 'Verifications' }).waitFor()
    expect(asha.page.url()).toBe(browser.at('/verifications?status=approved'))
  })

  testMore('that is called off is no error, and can be tried again', async () => {
    const asha = await joinAs('reviewer', 'Asha')
    await signOut(asha)
    const { device, authenticatorId, page } = asha
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter')
    await page.getByRole('status').getByText('No passkey was used.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await lookAt(page)).toEqual([])
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await signIn(asha)
  })

  test('at an IP address, says where passkeys work, and takes an invitation there', async () => {
    const { invitation } = await invite('viewer', 'Bina')
    const { page, device, authenticatorId } = await openPerson()
    const byAddress = server.url.replace('localhost', '127.0.0.1')
    await page.goto(`${byAddress}/console/calls`)
    await page.getByText('There are no passkeys at the address of a machine.').waitFor()
    expect(await page.getByRole('link').getAttribute('href')).toBe(browser.at('/calls'))
    await page.getByLabel('API key').waitFor()
    expect(await lookAt(page)).toEqual([])
    await page.goto(`${byAddress}/console/#invitation=${invitation}`)
    await page.getByText('Welcome, Bina').waitFor()
    await page.getByRole('link').press('Enter')
    await page.getByRole('button', { name: 'Make a passkey and sign in' }).press('Enter')
    await account(page).getByText('Bina').waitFor()
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toMatchObject([{ rpId: 'localhost' }])
  })

  test('without https and a name for this machine, says what passkeys need', async () => {
    const { page } = await browser.openTab()
    await page.addInitScript('delete globalThis.PublicKeyCredential')
    await page.goto(browser.at(''))
    await page.getByText('There are no passkeys here.').waitFor()
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(1)
  })

  testMore('by a passkey of somebody who was removed is refused, and their session has ended', async () => {
    const asha = await joinAs('reviewer', 'Asha')
    await asha.page.goto(browser.at('/verifications'))
    await asha.page.getByText('No verifications yet.').waitFor()
    await server.json(`/admin/members/${asha.member.member_id}`, { key, method: 'DELETE' })
    await asha.page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter')
    await asha.page.getByRole('alert').getByText('passkey: belongs to no member here').waitFor()
  })
})

describe('roles and modes', { tags: 'chromium' }, () => {
  test('a viewer sees no decisions, and the server refuses them', async () => {
    const id = await cases.submit(key)
    const { page } = await joinAs('viewer', 'Bina')
    const links = await page.getByRole('navigation').getByRole('link').allTextContents()
    expect(links).toEqual([
      'Home',
      'Calls',
      'Playground',
      'Verifications',
      'Agents',
      'Do-not-call list',
      'Limits',
    ])
    await page.goto(browser.at(`/verifications/${id}`))
    await page.getByRole('heading', { name: 'Checks' }).or(page.getByText('Submitted')).first().waitFor()
    expect(await page.getByRole('link', { name: 'Decide it' }).count()).toBe(0)
    await page.goto(browser.at(`/reviews/${id}`))
    await page.getByText('You may not see this.').waitFor()
    expect(await statusOf(page, `/identity/verifications/${id}`)).toBe(200)
    expect(await statusOf(page, `/identity/verifications/${id}/review/claim`, 'POST')).toBe(403)
    expect(await statusOf(page, '/admin/members')).toBe(403)
    expect(await statusOf(page, '/agent/calls', 'POST')).toBe(403)
  })

  test('who may works in live mode too, and no view has both', async () => {
    const body = { to: '+9779812345678', agent_id: 'reminder' }
    const placed = await server.json<{ call_id: string }>('/agent/calls', { key, body })
    const { page, complaints } = await joinAs('viewer', 'Bina', live)
    const other = await page.context().newPage()
    const mode = (of: Page, name: string) => of.getByRole('banner').getByText(name, { exact: true }).waitFor()
    await page.goto(browser.at(`/calls/${placed.body.call_id}`))
    await other.goto(browser.at('/calls'))
    await mode(other, 'Test')
    await other.getByRole('link', { name: body.to }).waitFor()
    await page.getByRole('link', { name: 'Calls' }).first().press('Enter')
    await page.getByRole('link', { name: body.to }).press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Switch to live' }).press('Enter')
    await mode(page, 'Live')
    expect(page.url()).toBe(browser.at('/calls'))
    await page.getByText('No calls yet.').waitFor()
    await mode(other, 'Live')
    await other.getByText('No calls yet.').waitFor()
    await other.getByRole('button', { name: 'Switch to test' }).press('Enter')
    await page.getByRole('link', { name: body.to }).waitFor()
    await mode(page, 'Test')
    expect(complaints).toEqual([])
  })

  test('what was asked in the other mode is not shown when it comes late', async () => {
    const body = { to: '+9779812345678', agent_id: 'reminder' }
    await server.json('/agent/calls', { key, body })
    const { page } = await joinAs('viewer', 'Bina', live)
    const late = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const list = '**/console/api/agent/calls*'
    await page.route(list, async (route) => {
      const response = await route.fetch()
      held.resolve()
      await late.promise
      await route.fulfill({ response }).catch(() => undefined)
    })
    await page.getByRole('link', { name: 'Calls', exact: true }).press('Enter')
    await held.promise
    await page.unroute(list)
    await page.getByRole('button', { name: 'Switch to live' }).press('Enter')
    await page.getByText('No calls yet.').waitFor()
    late.resolve()
    await page.getByRole('link', { name: 'Home' }).press('Enter')
    await page.getByText('No calls yet.').waitFor()
    await page.getByRole('link', { name: 'Calls', exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    await page.getByText('No calls yet.').waitFor()
    expect(await page.getByRole('link', { name: body.to }).count()).toBe(0)
  })

  test('who may not has no way to the other', async () => {
    const { page } = await joinAs('viewer', 'Bina')
    await page.getByText('Viewer', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Switch to live' }).count()).toBe(0)
  })

  test('who no longer may is told so', async () => {
    const { page, member } = await joinAs('viewer', 'Bina', live)
    const ended = { key: live, method: 'PATCH', body: { livemode: false } }
    await server.json(`/admin/members/${member.member_id}`, ended)
    await page.getByRole('button', { name: 'Switch to live' }).press('Enter')
    await page.getByRole('alert').getByText('livemode: the session may not work in this mode').waitFor()
    expect(await page.getByRole('banner').getByText('Test', { exact: true }).isVisible()).toBe(true)
    expect(await lookAt(page)).toEqual([])
  })
})

describe('members', { tags: 'chromium' }, () => {
  test('are changed, invited again and removed, with live data by typing the id', async () => {
    const bina = await joinAs('viewer', 'Bina', live)
    const id = bina.member.member_id
    const { page, complaints } = await browser.openSignedIn('', {}, live)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(id)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Bina Rai')
    await page.getByLabel(/^Viewer/).press('ArrowUp')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Bina Rai' }).waitFor()
    await page.getByText('Saved.').waitFor()
    const read = () => server.json<Member>(`/admin/members/${id}`, { key: live })
    expect((await read()).body).toMatchObject({ name: 'Bina Rai', role: 'reviewer', livemode: true })

    await page.getByRole('button', { name: 'Invite again' }).press('Enter')
    await page.getByText('The invitation of Bina Rai.').waitFor()
    await page.getByRole('button', { name: 'End their passkeys' }).press('Enter')
    const reset = page.getByRole('dialog', { name: 'End their passkeys' })
    await reset.getByLabel(`Type ${id}`).fill(id)
    await page.keyboard.press('Enter')
    await page.getByText('Invited', { exact: true }).first().waitFor()
    const address = await page.getByRole('status').locator('code').textContent()
    await bina.page.reload()
    await bina.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await bina.page.goto(address ?? '')
    await bina.page.getByRole('heading', { name: 'Welcome, Bina Rai' }).waitFor()

    await page.getByRole('button', { name: 'Remove the member' }).press('Enter')
    const removal = page.getByRole('dialog', { name: 'Remove the member' })
    await removal.getByLabel(`Type ${id}`).fill('mem_')
    await page.keyboard.press('Enter')
    expect((await read()).body.status).toBe('invited')
    await removal.getByLabel(`Type ${id}`).fill(id)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Removed' }).waitFor()
    await page.getByRole('link', { name: 'Bina Rai' }).press('Enter')
    await page.getByText('Removed', { exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  testMore('of live mode can only be seen in test mode', async () => {
    const { member_id } = await invite('viewer', 'Bina', live)
    const { page } = await browser.openSignedIn(`/members/${member_id}`, {}, key)
    await page.getByText('This member works in live mode too').waitFor()
    expect(await page.getByRole('button', { name: 'Remove the member' }).count()).toBe(0)
  })

  test('cannot end their own passkeys, and are told that they remove themselves', async () => {
    const { page, member } = await joinAs('owner', 'Asha')
    await page.goto(browser.at(`/members/${member.member_id}`))
    await page.getByRole('button', { name: 'Remove the member' }).press('Enter')
    await page.getByRole('dialog').getByText('This is you').waitFor()
    expect(await page.getByRole('button', { name: 'End their passkeys' }).count()).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the member' }).press('Enter')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  })

  test('and their pages are accessible in every state, size and colour', async () => {
    const { member_id } = await invite('viewer', '<script>document.title="run"</script>')
    await invite('owner', 'Asha Gurung')
    const paths = ['/members', '/members/new', `/members/${member_id}`]
    const found = await findFaults(browser, {
      full: { key, paths },
      empty: { key: (await server.createAccount()).key, paths: ['/members'] },
      forbidden: { key: (await server.createAccount({}, ['deploy:write'])).key, paths },
      broken: { key, paths, isBroken: true },
    })
    expect(found).toEqual([])
    const { page } = await openPerson()
    await join(page, (await invite('owner', 'Chandra')).invitation, '/members/new')
    await page.getByLabel('Name').fill('Deepa')
    await page.getByLabel('Developer').check()
    await page.keyboard.press('Enter')
    await page.getByText('The invitation of Deepa.').waitFor()
    expect(await lookAt(page)).toEqual([])
  })
})

testMore('two members decide one case as two people', { tags: ['chromium', 'ffmpeg'] }, async () => {
  const id = await cases.submit(key)
  await server.context.database
    .updateTable('verifications')
    .set({ policy: 'four-eyes' })
    .where('verification_id', '=', id)
    .execute()
  const asha = await joinAs('reviewer', 'Asha Gurung')
  const bina = await joinAs('reviewer', 'Bina Rai')
  const approve = async ({ page }: Person) => {
    await page.getByRole('button', { name: 'Take it c' }).waitFor()
    await page.keyboard.press('c')
    await page.getByText('Yours for').waitFor()
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
  }
  await asha.page.goto(browser.at(`/reviews/${id}`))
  await asha.page.getByRole('button', { name: 'Take it c' }).waitFor()
  await asha.page.keyboard.press('c')
  await asha.page.getByText('Yours for').waitFor()
  await bina.page.goto(browser.at(`/reviews/${id}`))
  await bina.page.getByText(/Asha Gurung has this case for/).waitFor()
  await asha.page.keyboard.press('u')
  await approve(asha)
  await asha.page.getByText('Nobody waits.').or(asha.page.getByRole('table')).first().waitFor()
  await asha.page.goto(browser.at(`/reviews/${id}`))
  const votes = (page: Page) => page.getByRole('region', { name: 'Votes' })
  await votes(asha.page).getByText('You ·').waitFor()
  expect(await cases.decisionOf(id, key)).toBe('review')
  await votes(bina.page).getByText('Asha Gurung ·').waitFor()
  await approve(bina)
  await expect.poll(() => cases.decisionOf(id, key)).toBe('approved')
})
