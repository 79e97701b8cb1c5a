/** Caller ids in the console, in a real browser. */
import { type ConsoleBrowser, findFaults, startConsoleBrowser } from '@vaani/browser/console'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'

const NUMBER = '+9779812345670'

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

describe('caller ids', { tags: 'chromium' }, () => {
  test('are verified by keyboard alone, after a wrong code, and removed', async () => {
    const { key } = await server.createAccount()
    const { page, complaints } = await browser.openSignedIn('/caller-ids', {}, key)
    await page.getByRole('link', { name: 'Verify a number' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Number', { exact: true }).focus()
    await page.keyboard.type('+977 981-2345670')
    await page.keyboard.press('Enter')
    const hint = await page.getByText('In test mode no phone rings.').textContent()
    const code = /\d{6}/.exec(hint ?? '')?.[0] ?? ''
    await page.getByLabel('Code').focus()
    await page.keyboard.type(String((Number(code) + 1) % 1e6).padStart(6, '0'))
    await page.keyboard.press('Enter')
    await page.getByText('Attempts left: 4.').waitFor()
    await page.getByLabel('Code').fill(code)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All caller ids' }).click()
    await page.getByRole('rowheader', { name: NUMBER }).waitFor()
    await page.getByRole('cell', { name: 'by a call' }).waitFor()
    await page.getByRole('link', { name: NUMBER }).click()
    await page.getByRole('button', { name: 'Remove the caller id' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the caller id' }).click()
    await page.getByText('No caller ids yet.').waitFor()
    // The browser reports the refusal of the wrong code.
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
  })

  test('are accessible in every state, size and colour', async () => {
    const { key } = await server.createAccount()
    const body = { phone_number: NUMBER }
    const started = await server.json<{ caller_id_id: string }>('/v1/caller-ids', { key, body })
    const paths = ['/caller-ids', '/caller-ids/new']
    const found = await findFaults(browser, {
      full: { key, paths: [...paths, `/caller-ids/${started.body.caller_id_id}`] },
      empty: { key: (await server.createAccount()).key, paths },
      forbidden: { key: (await server.createAccount({}, ['deploy:write'])).key, paths },
      broken: { key, paths: ['/caller-ids'], isBroken: true },
    })
    expect(found).toEqual([])
  })
})
