/** The page of refused requests, and errors of the last day on the home page, in a real browser. */
import { until } from '@vaani/test-services/until'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, findFaults, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { startTestServer, type TestServer } from './support/test-server.ts'

const UNKNOWN = `/agent/calls/call_${'0'.repeat(26)}`
const CALL = { to: '12', agent_id: 'reminder' }

let server: TestServer
let browser: ConsoleBrowser
let key: string
beforeAll(async () => {
  server = await startTestServer()
  browser = await startConsoleBrowser(server)
  key = await refuse((await server.createAccount()).key)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

/** Has requests of an account refused, and waits until they are listed. */
async function refuse(key: string): Promise<string> {
  const headers = { 'x-request-id': 'a-wrong-number' }
  await server.fetch('/agent/calls', { key, body: CALL, headers })
  await server.fetch('/agent/calls', { key, body: CALL })
  await server.fetch(UNKNOWN, { key })
  await until(
    async () => (await server.json<{ data: unknown[] }>('/requests', { key })).body.data.length,
    (count) => count === 3,
  )
  return key
}

const table = (page: Page) => page.getByRole('table', { name: 'Requests' })
const errors = async (page: Page) => {
  await table(page).waitFor()
  return table(page).getByRole('rowheader').locator('code').allTextContents()
}

describe('refused requests', { tags: 'chromium' }, () => {
  test('are counted on the home page, with what helps, and lead to the list of them', async () => {
    const { page, complaints } = await browser.openSignedIn('', {}, key)
    const group = page.getByRole('row', { name: 'Invalid phone number invalid_phone POST /agent/calls 2' })
    await group.waitFor()
    await page.getByText('Send it as E.164, with + and the country code.').waitFor()
    await group.getByRole('link').click()
    expect(await errors(page)).toEqual(['invalid_phone', 'invalid_phone'])
    expect(page.url()).toBe(browser.at('/requests?code=invalid_phone&operation=calls.place'))
    await page.goBack()
    await group.waitFor()
    expect(complaints).toEqual([])
  })

  test('are found by whatever is known of them, and the address keeps it', async () => {
    const { page, complaints } = await browser.openSignedIn('/requests', {}, key)
    expect(await errors(page)).toEqual(['call_not_found', 'invalid_phone', 'invalid_phone'])
    const search = page.getByLabel('Request id, route, key, status or error code')
    for (const [text, name, count] of [
      ['a-wrong-number', 'request_id', 1],
      ['422', 'status', 2],
      ['calls.place', 'operation', 2],
      ['call_not_found', 'code', 1],
    ] as const) {
      await search.fill(text)
      await page.keyboard.press('Enter')
      await page.waitForURL(browser.at(`/requests?${name}=${text}`))
      await page.reload()
      expect((await errors(page)).length).toBe(count)
      await page.getByRole('button', { name: `Remove ${text}` }).click()
      await page.waitForURL(browser.at('/requests'))
    }
    await search.fill('500')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing matches.').waitFor()
    expect(complaints).toEqual([])
  })

  test('open by keyboard to their cause, and lead to their key', async () => {
    const { page, complaints } = await browser.openSignedIn('/requests?request_id=a-wrong-number', {}, key)
    const row = table(page).getByRole('button', { name: 'invalid_phone' })
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByText('The number is not in the international form.').waitFor()
    await page.reload()
    await page.getByText('a-wrong-number', { exact: true }).first().waitFor()
    await page.getByText('The number is not in the international form.').waitFor()
    expect(await row.getAttribute('aria-expanded')).toBe('true')
    await row.click()
    await page.getByText('The number is not in the international form.').waitFor({ state: 'detached' })
    await table(page).getByRole('link', { name: 'Test' }).click()
    await page.getByRole('heading', { level: 1, name: 'Test' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('of the console itself count, and Ctrl K finds them by their id', async () => {
    const { key } = await server.createAccount()
    const { page } = await browser.openSignedIn('/calls', {}, key)
    const answered = page.waitForResponse((response) => response.status() === 404)
    await page.goto(browser.at(`/calls/call_${'0'.repeat(26)}`))
    const id = (await answered).headers()['x-request-id'] ?? ''
    expect(id).toMatch(/^req_/)
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type(`404 call_not_found (request ${id})`)
    await page.keyboard.press('Enter')
    await page.waitForURL(browser.at(`/requests?request_id=${id}`))
    await table(page).getByText('GET /agent/calls/{call_id}').waitFor()
  })

  test('are explained in Nepali', async () => {
    const { page } = await browser.openSignedIn('', {}, key)
    await page.getByRole('button', { name: 'नेपाली' }).click()
    await page.getByText('नम्बर अन्तर्राष्ट्रिय रूपमा छैन।').first().waitFor()
    await page.getByRole('link', { name: 'अमान्य फोन नम्बर invalid_phone' }).waitFor()
  })

  test('are shown to nobody who may not administer the account', async () => {
    const { key } = await server.createAccount({}, ['calls:read'])
    const { page } = await browser.openSignedIn('', {}, key)
    await page.getByRole('heading', { name: 'Last calls' }).waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).count()).toBe(0)
    expect(await page.getByText('Errors of the last day').count()).toBe(0)
  })

  test('are accessible in every state, size and colour', async () => {
    const paths = ['', '/requests']
    const found = await findFaults(browser, {
      full: { key, paths: [...paths, '/requests?code=invalid_phone&operation=calls.place'] },
      empty: { key: (await server.createAccount()).key, paths },
      forbidden: { key: (await server.createAccount({}, ['deploy:write'])).key, paths },
      broken: { key, paths, isBroken: true },
    })
    const { page } = await browser.openSignedIn('/requests', {}, key)
    await table(page).getByRole('button').first().click()
    await page.getByText('The account has no such call in this mode.').waitFor()
    expect([...found, ...(await lookAt(page))]).toEqual([])
  })
})
