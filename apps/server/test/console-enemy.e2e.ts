/** What an enemy would try on the pages of the console, in a real browser. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, type ConsoleTab, startConsoleBrowser } from '@vaani/browser/console'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Each runs in some place if a page takes it for more than text: in elements, attributes, addresses, styles, scripts or templates. */
const PAYLOADS = [
  `<script>document.title='run'</script>`,
  `<img src=x onerror="document.title='run'">`,
  `"><svg onload="document.title='run'">`,
  `' onfocus='document.title="run"' autofocus='`,
  `</textarea></title></style><script>document.title='run'</script>`,
  `javascript:document.title='run'`,
  `<a href="javascript:document.title='run'">x</a>`,
  `<iframe srcdoc="<script>parent.document.title='run'</script>"></iframe>`,
  `<math><mtext><style><img src=x onerror=document.title='run'></style></mtext></math>`,
  '{{constructor.constructor("document.title=`run`")()}}',
  '${document.title="run"}',
  `<link rel=stylesheet href=//evil.example/x.css><base href=//evil.example/>`,
]
/** All of them in one line, for fields that may be long. */
const ALL = PAYLOADS.join(' ')

let server: TestServer
let browser: ConsoleBrowser
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer({
    config: { callbackAllowCidrs: ['127.0.0.0/8'], webhookScheduleSeconds: [0] },
  })
  browser = await startConsoleBrowser(server)
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

/** Sends a request that has to succeed. */
async function send<Body = object>(key: string, route: string, body: object, method = 'POST'): Promise<Body> {
  const answer = await server.json<Body>(route, { key, body, method })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

/** Opens a page and everything on it that is folded, and finds the payload there as text that has done nothing. */
async function expectText({ page, complaints }: ConsoleTab, path: string, texts: readonly string[]) {
  // Within the document, because all loads of an address together are limited.
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(browser.at(path))})`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  for (const folded of await page.locator('details:not([open]) summary').all()) await folded.click()
  const shown = () => page.evaluate<string>('document.body.textContent')
  for (const text of texts) await expect.poll(shown).toContain(text)
  expect(await page.title()).toMatch(/ · Vaani$/)
  expect(
    await page.locator('main :is(script, iframe, base, link, [onerror], [onload], [onfocus])').count(),
  ).toBe(0)
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
  // The browser says so itself if there is no such object.
  expect(complaints.filter((complaint) => !complaint.startsWith('Failed to load resource'))).toEqual([])
}

describe('text of others', { tags: 'chromium' }, () => {
  test('is text on every page: metadata, names, words, terms and answers of receivers', async () => {
    const { key } = await server.createAccount()
    const agent = { name: ALL.slice(0, 100), language: 'en-US', voice: 'nova', greeting: ALL }
    await send(key, '/admin/agents/enemy', agent, 'PUT')
    const scheduled_at = new Date(Date.now() + 86_400_000).toISOString()
    const placed = {
      to: '+9779812345678',
      agent_id: 'enemy',
      scheduled_at,
      metadata: { [ALL]: ALL, PAYLOADS },
    }
    const { call_id } = await send<{ call_id: string }>(key, '/agent/calls', placed)
    const entries = PAYLOADS.map((term) => ({ term: term.slice(0, 60), spoken_as: term.slice(0, 100) }))
    await send(key, '/v1/lexicons/en', { entries }, 'PUT')
    const created = { name: PAYLOADS[0], scopes: ['calls:read'] }
    const { key_id } = await send<{ key_id: string }>(key, '/admin/keys', created)
    const invited = { name: PAYLOADS[1], role: 'viewer' }
    const { member_id } = await send<{ member_id: string }>(key, '/admin/members', invited)
    const endpoint = { url: receiver.url, events: ['call.completed'] }
    const { endpoint_id } = await send<{ endpoint_id: string }>(key, '/webhooks/endpoints', endpoint)
    receiver.plan((response) => response.writeHead(500, { 'content-type': 'text/html' }).end(ALL))
    const { delivery_id } = await send<{ delivery_id: string }>(
      key,
      `/webhooks/endpoints/${endpoint_id}/test`,
      { type: 'call.completed' },
    )
    const tab = await browser.openSignedIn('', {}, key)
    await expectText(tab, `/calls/${call_id}`, ['<script>'])
    await expectText(tab, '/agents', [agent.name])
    await expectText(tab, '/agents/enemy', [ALL])
    await expectText(tab, '/lexicons/en', [entries[0]?.term ?? '', entries[7]?.spoken_as ?? ''])
    await expectText(tab, '/keys', [created.name ?? ''])
    await expectText(tab, `/keys/${key_id}`, [created.name ?? ''])
    await expectText(tab, `/members/${member_id}`, [invited.name ?? ''])
    await expectText(tab, `/webhooks/deliveries/${delivery_id}`, PAYLOADS)
  })

  test('is text in addresses too', async () => {
    const tab = await browser.openSignedIn('', {}, (await server.createAccount()).key)
    for (const payload of PAYLOADS) {
      const asked = encodeURIComponent(payload)
      await expectText(tab, `/verifications?external_id=${asked}`, [])
      await expectText(tab, `/requests?code=${asked}&operation=${asked}`, [payload])
      await expectText(tab, `/calls/${asked}`, [])
    }
  })
})

describe('a session', { tags: 'chromium' }, () => {
  test('is never one that somebody else has chosen or begun', async () => {
    const { context, page } = await browser.openTab()
    const { page: enemyPage, context: enemy } = await browser.openSignedIn('/calls')
    await enemyPage.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    const begun = (await enemy.cookies()).find(({ name }) => name === 'vaani_console')?.value ?? ''
    const chosen = 'A'.repeat(43)
    for (const value of [chosen, begun]) {
      await context.addCookies([
        { name: 'vaani_console', value, domain: new URL(server.url).hostname, path: '/console' },
      ])
      await page.goto(browser.at(''))
      const out = page.getByRole('button', { name: 'Sign out', exact: true })
      await out.or(page.getByLabel('API key')).waitFor()
      if (await out.isVisible()) await out.click()
      await browser.signIn(page, (await server.createAccount()).key)
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      const now = (await context.cookies()).find(({ name }) => name === 'vaani_console')?.value
      expect([chosen, begun]).not.toContain(now)
      const asEnemy = { key: null, headers: { 'x-vaani-console': '1', cookie: `vaani_console=${value}` } }
      expect((await server.json('/console/api/agent/calls', asEnemy)).status).toBe(401)
    }
  })

  test('is shown in no frame of another site', async () => {
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<iframe src="${browser.at('/webhooks')}" width="800" height="600"></iframe>`)
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const address = site.address()
    try {
      const { page } = await browser.openSignedIn('/calls')
      await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
      await page.waitForLoadState('networkidle')
      const framed = page.frames().filter((frame) => frame !== page.mainFrame())
      const texts = await Promise.all(
        framed.map((frame) => frame.evaluate<string>('document.body.innerText')),
      )
      expect(texts.join('')).not.toMatch(/Webhooks|API key/)
    } finally {
      site.close()
    }
  })

  test('opens nothing of another account by a link, and leaves nothing after signing out', async () => {
    const { key } = await server.createAccount()
    const placed = { to: '+9779898989898', agent_id: 'reminder', metadata: { name: 'Unmistakable' } }
    const { call_id } = await send<{ call_id: string }>(key, '/agent/calls', placed)
    const own = await browser.openSignedIn(`/calls/${call_id}`, {}, key)
    await own.page.getByRole('heading', { level: 1, name: placed.to }).waitFor()
    // What browsers write down of a page names nobody, whatever led there.
    const recorded = async () => `${own.page.url()} ${await own.page.title()}`
    expect(await recorded()).not.toContain('+977')
    await own.page.goto(browser.at('/verifications?external_id=%2B9779898989898'))
    await own.page.waitForURL(browser.at('/verifications'))
    await own.page.keyboard.press('ControlOrMeta+K')
    await own.page.keyboard.type(placed.to)
    await own.page.keyboard.press('Enter')
    await expect.poll(() => own.page.getByLabel('Person or id').inputValue()).toBe(placed.to)
    expect(await recorded()).not.toContain('977')
    await own.page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await own.page.getByLabel('API key').waitFor()
    const left = await own.page.evaluate<string>(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML, document.cookie,
      await indexedDB.databases(), await caches.keys(), history.state,
    ]))()`)
    expect(left).not.toMatch(/sk_test_|acct_|\+977|Unmistakable/)
    expect(await own.context.cookies()).toEqual([])
    const other = (await server.createAccount()).key
    await browser.signIn(own.page, other)
    await own.page.goto(browser.at(`/calls/${call_id}`))
    await own.page.getByRole('alert').waitFor()
    expect(await own.page.content()).not.toMatch(/\+977989|Unmistakable/)
  })
})
