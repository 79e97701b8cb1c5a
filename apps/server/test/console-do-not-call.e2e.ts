/** The do-not-call list in the console, in a real browser. */
import { type ConsoleBrowser, findFaults, startConsoleBrowser } from '@vaani/browser/console'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'

const LISTED = '+9779812345670'

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

const add = (key: string, phone_number = LISTED) =>
  server.json('/v1/do-not-call', { key, body: { phone_number, reason: '<b>Asked</b>' } })
const numbersOf = async (key: string) =>
  (await server.json<{ data: { phone_number: string }[] }>('/v1/do-not-call', { key })).body.data.map(
    ({ phone_number }) => phone_number,
  )

describe('the do-not-call list', { tags: 'chromium' }, () => {
  test('takes a number by keyboard alone, finds it, and lets it go', async () => {
    const { key } = await server.createAccount()
    const { page, complaints } = await browser.openSignedIn('/do-not-call', {}, key)
    await page.getByText('No number is listed.').waitFor()
    await page.getByRole('link', { name: 'Add a number' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Number', { exact: true }).focus()
    await page.keyboard.type('+977 981-2345670')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Asked on the phone')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: LISTED }).waitFor()
    await page.getByLabel('Number', { exact: true }).fill('+977 981 2345671')
    await page.keyboard.press('Enter')
    await page.getByText('This number is not on the list.').waitFor()
    await page.getByLabel('Number', { exact: true }).fill(LISTED)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Asked on the phone' }).waitFor()
    await page.getByRole('button', { name: 'Remove' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('This number is not on the list.').waitFor()
    expect(await numbersOf(key)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('asks for the number before it is removed with live data', async () => {
    const { accountId } = await server.createAccount()
    const key = await server.createKey(accountId, true)
    await add(key)
    const { page } = await browser.openSignedIn('/do-not-call', {}, key)
    await page.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    expect(await numbersOf(key)).toEqual([LISTED])
    await dialog.getByLabel(LISTED).fill(LISTED)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No number is listed.').waitFor()
    expect(await numbersOf(key)).toEqual([])
  })

  test('imports a file with its errors by line, and is downloaded', async () => {
    const { key } = await server.createAccount()
    const { page, complaints } = await browser.openSignedIn('/do-not-call/import', {}, key)
    // As Excel saves "Unicode Text".
    const buffer = Buffer.from('\uFEFFPhone\tNote\r\n9779812345670\tasked\r\n9812345671\t\r\n', 'utf16le')
    await page.getByLabel('CSV file').setInputFiles({ name: 'numbers.txt', mimeType: 'text/plain', buffer })
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('rowheader', { name: '3' }).waitFor()
    await page.getByRole('cell', { name: 'the country code is missing' }).waitFor()
    expect(await numbersOf(key)).toEqual([LISTED])
    await page.getByRole('link', { name: 'The do-not-call list' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const csv = await readFile(await (await downloading).path(), 'utf8')
    expect(csv).toContain(`${LISTED},asked,imported,`)
    expect(complaints).toEqual([])
  })

  test('is reached from a call, which puts its number there, and the audit log says so', async () => {
    const { key } = await server.createAccount()
    const body = { to: LISTED, agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }
    const placed = await server.json('/agent/calls', { key, body })
    const { page } = await browser.openSignedIn(`/calls/${placed.body['call_id']}`, {}, key)
    await page.getByRole('button', { name: 'Do not call this number again' }).click()
    await page.getByRole('link', { name: 'On the do-not-call list' }).click()
    await page.getByRole('rowheader', { name: LISTED }).waitFor()
    const log = await server.json<{ data: { action: string }[] }>('/admin/audit-log', { key })
    expect(log.body.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['doNotCall.add', 'doNotCall.list']),
    )
  })

  test('is accessible in every state, size and colour', async () => {
    const { key } = await server.createAccount()
    await add(key)
    const paths = ['/do-not-call', '/do-not-call/new', '/do-not-call/import']
    const found = await findFaults(browser, {
      full: { key, paths },
      empty: { key: (await server.createAccount()).key, paths },
      forbidden: { key: (await server.createAccount({}, ['deploy:write'])).key, paths },
      broken: { key, paths: ['/do-not-call'], isBroken: true },
    })
    expect(found).toEqual([])
  })
})
