/** Deployments, made and revoked on the console in a real browser, by keyboard. */
import type { AuditEntry, Id } from '@vaani/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, findFaults, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let browser: ConsoleBrowser
let accountId: Id<'account'>
let key: string
let live: string
beforeAll(async () => {
  server = await startTestServer()
  browser = await startConsoleBrowser(server)
  ;({ accountId, key } = await server.createAccount({ tier: 'enterprise' }))
  live = await server.createKey(accountId, true)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')

/** What was done by the console, newest first. */
async function acts(by: string): Promise<string[]> {
  const { body } = await server.json<{ data: AuditEntry[] }>('/admin/audit-log', { key: by })
  return body.data.map(({ action }) => action)
}

describe('deployments', { tags: 'chromium' }, () => {
  test('are created, shown once, found by id and revoked, with live data by typing the id', async () => {
    const { page, complaints } = await browser.openSignedIn('/deployments', {}, live)
    await page.getByText('No deployments yet.').waitFor()
    await page.getByRole('link', { name: 'Create a deployment' }).press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('Speech!')
    await page.getByLabel('Further models').fill('stream-tts, tts-1')
    await page.getByLabel('Servers that the manifest starts').fill('3')
    await page.keyboard.press('Enter')
    const name = page.getByLabel('Name', { exact: true })
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Further models').inputValue()).toBe('stream-tts, tts-1')
    await name.fill('speech')
    await page.keyboard.press('Enter')
    await page.getByText('Both are shown once').waitFor()
    const manifest = await page.locator('pre').innerText()
    expect(manifest).toContain('VAANI_LICENSE')
    expect(await lookAt(page)).toEqual([])
    await page.getByRole('link', { name: 'speech', exact: true }).press('Enter')
    await title(page, 'speech')
    const id = page.url().split('/').at(-1) ?? ''
    expect(id).toMatch(/^dep_/)
    await page.getByText('synth-v1, stream-tts, tts-1').waitFor()

    await page.goto(browser.at('/'))
    await title(page, 'Home')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(id)
    await page.keyboard.press('Enter')
    await page.getByText('Valid', { exact: true }).waitFor()
    expect(await page.locator('body').innerText()).not.toContain('VAANI_LICENSE')
    await page.getByText('JSON').press('Enter')
    await page.getByText(`"deployment_id": "${id}"`).waitFor()
    await press(page, 'Revoke the license')
    await page.getByRole('dialog').getByLabel(`Type ${id}`).fill('dep_')
    await page.keyboard.press('Enter')
    expect(await page.getByText('Valid', { exact: true }).count()).toBe(1)
    await page.getByRole('dialog').getByLabel(`Type ${id}`).fill(id)
    await page.keyboard.press('Enter')
    await page.getByText('Revoked', { exact: true }).waitFor()
    expect(await acts(live)).toEqual(expect.arrayContaining(['deployments.create', 'deployments.revoke']))
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([])
  })

  test('are not offered to other tiers', async () => {
    const { key } = await server.createAccount({ tier: 'pro' })
    const { page } = await browser.openSignedIn('/deployments', {}, key)
    await page.getByText('Accounts of the enterprise tier can create them.').waitFor()
    expect(await page.getByRole('link', { name: 'Create a deployment' }).count()).toBe(0)
  })
})

test('the pages are accessible in every state, size and colour', { tags: 'chromium' }, async () => {
  const body = { name: 'speech', base_model: 'synth-v1', target: 'docker' }
  const { deployment_id } = (
    await server.json<{ deployment_id: string }>('/enterprise/deploy', { key, body })
  ).body
  const paths = ['/deployments', `/deployments/${deployment_id}`, '/deployments/new']
  const found = await findFaults(browser, {
    full: { key, paths },
    empty: { key: (await server.createAccount()).key, paths: ['/deployments'] },
    forbidden: { key: (await server.createAccount({}, ['identity:read'])).key, paths: paths.slice(0, 2) },
    broken: { key, paths: paths.slice(0, 2), isBroken: true },
  })
  expect(found).toEqual([])
})
