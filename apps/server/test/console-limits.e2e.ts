/** The page of limits, and the nearest of them on the home page, in a real browser. */
import { type ConsoleBrowser, findFaults, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import type { LimitUse } from '@vaani/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'

const CALL = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }
const LIMIT = 4
const rateOverrides = {
  place_call: { limit: LIMIT, period_seconds: 3600 },
  kyc_submissions: { limit: 3, period_seconds: 86_400 },
  unfinished_batches: { limit: 2 },
}

let server: TestServer
let browser: ConsoleBrowser
beforeAll(async () => {
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  browser = await startConsoleBrowser(server)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const createAccount = async () => (await server.createAccount({ rateOverrides })).key

/** Places calls until one is refused. */
async function useUp(key: string): Promise<void> {
  for (let calls = 0; calls < LIMIT; calls++)
    expect((await server.json('/agent/calls', { key, body: CALL })).status).toBe(201)
  expect((await server.json('/agent/calls', { key, body: CALL })).status).toBe(429)
}

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const names = (page: Page) =>
  page.getByRole('list', { name: 'Use against limits' }).locator('code').allTextContents()

describe('limits', { tags: 'chromium' }, () => {
  test('are shown as the route has them, the one that is used up first, with when it goes on', async () => {
    const key = await createAccount()
    await useUp(key)
    await server.json('/identity/kyc/v2', { key, body: {} })
    const { page, complaints } = await browser.openSignedIn('/limits', {}, key)
    const used = row(page, 'place_call')
    await used.getByText('4 of 4', { exact: true }).waitFor()
    await used.getByText(/^In any 1 h, for this session’s key alone\. Used up\. Go on in .+ min\.$/).waitFor()
    const meter = used.getByRole('meter', { name: 'Calls placed' })
    expect([await meter.getAttribute('aria-valuenow'), await meter.getAttribute('aria-valuemax')]).toEqual([
      '4',
      '4',
    ])
    const { body } = await server.json<LimitUse>('/v1/limits', { key })
    expect(body.rates).toContainEqual(expect.objectContaining({ name: 'place_call', remaining: 0 }))
    const [first, second, ...others] = await names(page)
    expect([first, second]).toEqual(['place_call', 'kyc_submissions'])
    expect(others).toHaveLength(body.rates.length + body.concurrency.length + body.counts.length - 2)
    await row(page, 'kyc_submissions').getByText('1 of 3', { exact: true }).waitFor()
    await row(page, 'scheduled_calls').getByText('4 of 5,000', { exact: true }).waitFor()
    await row(page, 'status_polls').getByText('At most 120', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('follow what happens while the page is open', async () => {
    const key = await createAccount()
    const { page } = await browser.openSignedIn('', {}, key)
    await page.clock.install()
    await page.getByRole('navigation').getByRole('link', { name: 'Limits' }).click()
    await row(page, 'place_call').getByText('0 of 4', { exact: true }).waitFor()
    await useUp(key)
    await page.clock.runFor(10_000)
    await row(page, 'place_call').getByText('4 of 4', { exact: true }).waitFor()
  })

  test('are on the home page if more than half is used, which leads to all of them by keyboard', async () => {
    const key = await createAccount()
    const { page, complaints } = await browser.openSignedIn('', {}, key)
    await page.getByText('No limit is more than half used.').waitFor()
    await useUp(key)
    await page.reload()
    await row(page, 'place_call').getByText('4 of 4', { exact: true }).waitFor()
    expect(await names(page)).toEqual(['place_call'])
    await page.getByRole('link', { name: 'Use against limits' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor()
    await page.goBack()
    await row(page, 'place_call').waitFor()
    expect(complaints).toEqual([])
  })

  test('are there for every key, and in Nepali', async () => {
    const { key } = await server.createAccount({ tier: 'starter' }, ['calls:read'])
    const { page } = await browser.openSignedIn('', {}, key)
    await page.getByRole('navigation').getByRole('link', { name: 'Limits' }).click()
    await page.getByText('Starter', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'नेपाली' }).click()
    await page.getByRole('heading', { level: 1, name: 'सीमा' }).waitFor()
    await row(page, 'place_call').getByText('१० मध्ये ०', { exact: true }).waitFor()
  })

  test('are accessible in every state, size and colour', async () => {
    const key = await createAccount()
    await useUp(key)
    const paths = ['', '/limits']
    const found = await findFaults(browser, {
      full: { key, paths },
      empty: { key: (await server.createAccount({}, ['deploy:write'])).key, paths },
      broken: { key, paths, isBroken: true },
    })
    const { page } = await browser.openSignedIn('/limits', {}, key)
    await row(page, 'place_call').waitFor()
    expect([...found, ...(await lookAt(page))]).toEqual([])
  })
})
