/** Agents, lexicons and deployments, made and changed on the console in a real browser, by keyboard. */
import type { Agent, AuditEntry, Id, LexiconResource } from '@vaani/contracts'
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

describe('agents', { tags: 'chromium' }, () => {
  const read = async (id: string, by = key) => {
    const { body } = await server.json<{ data: Agent[] }>('/agent/agents', { key: by })
    return body.data.find(({ agent_id }) => agent_id === id)
  }

  test('are created; a refusal stands beside its field and keeps what was written', async () => {
    const { page } = await browser.openSignedIn('/agents', {}, key)
    await page.getByRole('link', { name: 'Create an agent' }).press('Enter')
    await page.getByLabel(/^Id/).fill('support')
    await page.getByLabel('Name', { exact: true }).fill('Bill')
    await page.getByLabel('Voice').fill('nobody')
    await page.getByLabel(/^What it says;/).fill('Your bill is due.')
    await press(page, 'Add a row')
    await page.keyboard.type('ne-NP')
    await page.keyboard.press('Tab')
    await page.keyboard.type('तपाईंको बिल बाँकी छ।')
    await page.keyboard.press('Enter')
    await page.keyboard.type('धन्यवाद।')
    await press(page, 'Add a row')
    await page.keyboard.type('ne-NP')
    await page.getByLabel('What it says 2').fill('फेरि')
    await press(page, 'Save')
    await page.getByRole('alert').getByText('A language is there twice.').waitFor()
    await press(page, 'Remove row 2')
    await press(page, 'Save')
    await page.getByRole('alert').getByText('There is an agent support already.').waitFor()
    await page.getByLabel(/^Id/).fill('bill')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('Voice').getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('alert').getByText('voice: is neither built in').waitFor()
    expect(await page.getByLabel('What it says 1').inputValue()).toBe('तपाईंको बिल बाँकी छ।\nधन्यवाद।')
    expect(await lookAt(page)).toEqual([])
    await page.getByLabel('Voice').fill('nova')
    await page.keyboard.press('Enter')
    await title(page, 'Bill')
    expect(await read('bill')).toMatchObject({
      name: 'Bill',
      greeting: 'Your bill is due.',
      translations: { 'ne-NP': 'तपाईंको बिल बाँकी छ।\nधन्यवाद।' },
    })
    expect(await acts(key)).toContain('admin.upsertAgent')
  })

  test('are changed, with live data by typing the id', async () => {
    const { page, complaints } = await browser.openSignedIn('/agents/reminder', {}, live)
    await press(page, 'Edit')
    await page.getByLabel('Name', { exact: true }).fill('Reminder of visits')
    const before = await read('reminder', live)
    await press(page, 'Remove row 1')
    await page.getByLabel('Type reminder').fill('remind')
    await page.keyboard.press('Enter')
    expect(await read('reminder', live)).toEqual(before)
    await page.getByLabel('Type reminder').fill('reminder')
    await page.keyboard.press('Enter')
    await title(page, 'Reminder of visits')
    const after = await read('reminder', live)
    expect(after).toMatchObject({ name: 'Reminder of visits', greeting: before?.greeting })
    expect(Object.keys(after?.translations ?? {})).toHaveLength(
      Object.keys(before?.translations ?? {}).length - 1,
    )
    expect(await read('reminder')).toMatchObject({ name: 'Appointment reminder' })
    await press(page, 'Edit')
    await page.getByLabel('Name', { exact: true }).fill('Not this')
    await press(page, 'Cancel')
    await title(page, 'Reminder of visits')
    expect(complaints).toEqual([])
  })

  test('are only shown to those who may not change them', async () => {
    const { key } = await server.createAccount({}, ['calls:read'])
    const { page } = await browser.openSignedIn('/agents', {}, key)
    await page.getByRole('link', { name: 'Support' }).press('Enter')
    await title(page, 'Support')
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await page.goto(browser.at('/agents'))
    await page.getByRole('link', { name: 'Support' }).waitFor()
    expect(await page.getByRole('link', { name: 'Create an agent' }).count()).toBe(0)
  })
})

describe('lexicons', { tags: 'chromium' }, () => {
  const read = async () => (await server.json<LexiconResource>('/v1/lexicons/en-US', { key })).body

  test('are created, changed unless somebody else has meanwhile, and removed', async () => {
    const { page } = await browser.openSignedIn('/lexicons', {}, key)
    await page.getByRole('link', { name: 'Create a lexicon' }).press('Enter')
    await page.getByLabel('Language').fill('en-US')
    await page.getByLabel('Term 1').fill('KYC')
    await page.getByLabel('Spoken as 1').fill('know your customer')
    await press(page, 'Add a row')
    await page.keyboard.type('?!')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('Term 2').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Term 1').getAttribute('aria-invalid')).toBe('false')
    expect(await lookAt(page, 1)).toEqual([])
    await page.getByLabel('Term 2').fill('LLC')
    await page.keyboard.press('Enter')
    await title(page, 'en-US')
    await page.getByRole('row', { name: /LLC.*left out/ }).waitFor()
    expect((await read()).entries).toEqual([
      { term: 'KYC', spoken_as: 'know your customer' },
      { term: 'LLC', spoken_as: '' },
    ])

    await press(page, 'Edit')
    await page.getByLabel('Spoken as 2').fill('limited company')
    const entries = [{ term: 'VAT', spoken_as: 'value added tax' }]
    await server.json('/v1/lexicons/en-US', { key, method: 'PUT', body: { entries } })
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('state_conflict').waitFor()
    expect(await page.getByLabel('Spoken as 2').inputValue()).toBe('limited company')
    expect((await read()).entries).toEqual(entries)
    await page.reload()
    await press(page, 'Edit')
    await page.getByLabel('Spoken as 1').fill('tax')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'tax', exact: true }).waitFor()
    await press(page, 'Delete the lexicon')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the lexicon' }).press('Enter')
    await page.getByText('No lexicons yet.').waitFor()
    expect(await acts(key)).toEqual(expect.arrayContaining(['lexicons.replace', 'lexicons.remove']))
  })
})

test('the pages are accessible in every state, size and colour', { tags: 'chromium' }, async () => {
  const body = { name: 'speech', base_model: 'synth-v1', target: 'docker' }
  const { deployment_id } = (
    await server.json<{ deployment_id: string }>('/enterprise/deploy', { key, body })
  ).body
  const paths = [
    '/deployments',
    `/deployments/${deployment_id}`,
    '/deployments/new',
    '/agents/new',
    '/lexicons/new',
  ]
  const found = await findFaults(browser, {
    full: { key, paths },
    empty: { key: (await server.createAccount()).key, paths: ['/deployments'] },
    forbidden: { key: (await server.createAccount({}, ['identity:read'])).key, paths: paths.slice(0, 2) },
    broken: { key, paths: paths.slice(0, 2), isBroken: true },
  })
  expect(found).toEqual([])
})
