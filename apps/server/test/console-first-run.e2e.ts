/** What somebody sees on the first run, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let browser: ConsoleBrowser
beforeAll(async () => {
  server = await startTestServer()
  browser = await startConsoleBrowser(server)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

describe('the home page on a first run', { tags: 'chromium' }, () => {
  test('has a phone that rings, and is heard once the call has ended, by keyboard', async () => {
    const { key } = await server.createAccount()
    const { page, complaints } = await browser.openSignedIn('', {}, key)
    await page.getByRole('heading', { name: 'Have a phone ring' }).waitFor()
    expect(await lookAt(page)).toEqual([])
    await page.getByRole('button', { name: 'Ring it' }).press('Enter')
    await page.locator('.handset[data-ringing]').waitFor()
    const phone = page.getByRole('region', { name: 'Have a phone ring' })
    await phone.getByText('Completed', { exact: true }).waitFor()
    await phone.getByLabel('Recording', { exact: true }).waitFor()
    await expect.poll(() => page.locator('.handset[data-ringing]').count()).toBe(0)
    expect(await lookAt(page)).toEqual([])
    await phone.getByRole('link').press('Enter')
    await page.getByRole('heading', { level: 1, name: '+9779812345678' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'create an endpoint that receives events' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Have a phone ring' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('leads to what the account has not done yet', async () => {
    const { key } = await server.createAccount()
    const { page } = await browser.openSignedIn('', {}, key)
    await page.getByRole('link', { name: 'create an endpoint that receives events' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Create an endpoint' }).waitFor()
  })

  test('rings nobody with live data', async () => {
    const { accountId } = await server.createAccount()
    const key = await server.createKey(accountId, true)
    const { page } = await browser.openSignedIn('', {}, key)
    await page.getByRole('link', { name: 'place the first call' }).waitFor()
    expect(await page.getByRole('button', { name: 'Ring it' }).count()).toBe(0)
  })
})
