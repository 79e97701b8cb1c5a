/** Several reviewers, and sessions that end, on the review desk in a real browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Id } from '@vaani/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, startConsoleBrowser } from '@vaani/browser/console'
import { createReviewCases, type ReviewCases } from './support/review-cases.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let folder: string
let server: TestServer
let browser: ConsoleBrowser
let cases: ReviewCases
let accountId: Id<'account'>
let key: string
let other: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-desk-'))
  const identityPoliciesFile = path.join(folder, 'policies.json')
  await writeFile(identityPoliciesFile, JSON.stringify({ 'four-eyes': { reviewers: 2 } }))
  server = await startTestServer({ config: { identityPoliciesFile } })
  browser = await startConsoleBrowser(server)
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
  accountId = account.accountId
  other = await server.createKey(accountId, false)
})

async function take(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Take it c' }).waitFor()
  await page.keyboard.press('c')
  await page.getByText('Yours for').waitFor()
}

const claimBy = (id: string, by: string) =>
  server.json<{ claim: { expires_at: string } }>(`/identity/verifications/${id}/review/claim`, {
    key: by,
    body: {},
  })

const change = (id: string, columns: { claim_expires_at?: Date; policy?: string }) =>
  server.context.database
    .updateTable('verifications')
    .set(columns)
    .where('verification_id', '=', id)
    .execute()

/** Ends all sessions, as their limits do. */
async function endSessions(): Promise<void> {
  await server.context.database.deleteFrom('console_sessions').execute()
  await server.context.authenticator.forgetAccount(accountId)
}

describe('two reviewers on one case', { tags: ['chromium', 'ffmpeg'] }, () => {
  test('the second sees who has it, and cannot take it', async () => {
    const id = await cases.submit(key)
    await claimBy(id, other)
    const { page } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await page.getByText(/key_….{6} has this case for 1[45]:\d\d/).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('button', { name: 'Approve a' }).count()).toBe(0)
  })

  test('a decision is refused once the other has it, and nothing of it is lost', async () => {
    const id = await cases.submit(key)
    const { page } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await take(page)
    await page.keyboard.press('d')
    await page.keyboard.press('4')
    await page.getByRole('dialog').getByLabel('Note for reviewers').fill('The stamp is unusual')
    await change(id, { claim_expires_at: new Date(0) })
    await claimBy(id, other)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog').getByText('Somebody else has claimed the review').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('This case is no longer yours').waitFor()
    await page.getByText(/has this case for/).waitFor()
    expect(await cases.decisionOf(id, key)).toBe('review')
    // Once it is free again, the decision goes on where it stood.
    await change(id, { claim_expires_at: new Date(0) })
    await take(page)
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Note for reviewers').inputValue()).toBe('The stamp is unusual')
    expect(await dialog.getByLabel('The document is doubtful').isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => cases.decisionOf(id, key)).toBe('declined')
  })

  test('both must agree if the policy asks for it, and the second sees the vote of the first', async () => {
    const id = await cases.submit(key)
    await change(id, { policy: 'four-eyes' })
    const first = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await take(first.page)
    await first.page.getByText('2 people must agree').waitFor()
    await first.page.keyboard.press('a')
    await first.page.keyboard.press('Enter')
    await first.page.getByText('Nobody waits.').or(first.page.getByRole('table')).first().waitFor()
    expect(await cases.decisionOf(id, key)).toBe('review')
    const second = await browser.openSignedIn(`/reviews/${id}`, {}, other)
    await second.page.getByRole('region', { name: 'Votes' }).getByText('Approved').waitFor()
    await take(second.page)
    await second.page.keyboard.press('a')
    await second.page.keyboard.press('Enter')
    await expect.poll(() => cases.decisionOf(id, key)).toBe('approved')
    await first.page.goto(browser.at(`/reviews/${id}`))
    await first.page.locator('header').getByText('Approved').waitFor()
  })

  test('a claim is renewed by work, and given back by a key', async () => {
    const id = await cases.submit(key)
    await claimBy(id, key)
    await change(id, { claim_expires_at: new Date(Date.now() + 300_000) })
    const { page } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await page.getByText(/Yours for 4:\d\d/).waitFor()
    await page.keyboard.press('x')
    await page.getByText(/Yours for 1[45]:\d\d/).waitFor()
    await page.keyboard.press('u')
    await page.getByRole('button', { name: 'Take it c' }).waitFor()
    await page.getByText('Given back').waitFor()
    expect(await page.getByText('This case is no longer yours').count()).toBe(0)
  })
})

describe('a session that ends in mid-work', { tags: ['chromium', 'ffmpeg'] }, () => {
  test('leaves the decision as it was begun to the same key', async () => {
    const id = await cases.submit(key)
    const { page } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await take(page)
    await page.keyboard.press('m')
    await page.keyboard.type('Asked a colleague')
    await page.keyboard.press('Escape')
    await page.keyboard.press('d')
    await page.keyboard.press('6')
    await page.getByRole('dialog').getByLabel('Note for reviewers').fill('Another nose')
    await endSessions()
    await page.keyboard.press('Control+Enter')
    await page.getByLabel('API key').waitFor()
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    expect(stored).not.toMatch(/nose|colleague/)
    await browser.signIn(page, key)
    const dialog = page.getByRole('dialog', { name: 'Decline' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('Note for reviewers').inputValue()).toBe('Another nose')
    expect(await dialog.getByLabel('The faces differ').isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Confirm' }).press('Enter')
    await expect.poll(() => cases.decisionOf(id, key)).toBe('declined')
  })

  test('leaves nothing to another key, and nothing after signing out', async () => {
    const id = await cases.submit(key)
    const { page } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    const note = page.getByLabel('Note for reviewers')
    await note.fill('Asked a colleague')
    await endSessions()
    await page.getByLabel('API key').waitFor({ timeout: 20_000 })
    await browser.signIn(page, other)
    await note.waitFor()
    expect(await note.inputValue()).toBe('')
    await note.fill('Of the other')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByLabel('API key').waitFor()
    await browser.signIn(page, other)
    await note.waitFor()
    expect(await note.inputValue()).toBe('')
  })
})
