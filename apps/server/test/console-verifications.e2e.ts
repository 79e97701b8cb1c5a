/** The pages of verifications in a real browser. */
import type { Id } from '@vaani/contracts'
import { makeDataKey } from '@vaani/service-kit/vault/data-key'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealExtracted } from '../src/features/identity/extracted.ts'
import { type ConsoleBrowser, findFaults, startConsoleBrowser } from '@vaani/browser/console'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { pendingRow } from './support/verification-rows.ts'

const HOSTILE = `<script>document.title='run'</script><img src=x onerror="document.title='run'">`

const CHECKS = [
  {
    check: 'face_match',
    outcome: 'passed',
    code: 'faces_match',
    score: 0.91,
    evidence: { threshold: 0.6 },
    model: 'faces/1',
  },
  {
    check: 'document_quality',
    outcome: 'failed',
    code: 'image_blurred',
    score: 0.4,
    evidence: { sharpness: 12.34567, sharpness_min: 40, note: HOSTILE },
    model: 'sharpness/1',
  },
]
const REASON = {
  code: 'image_blurred',
  check: 'document_quality',
  outcome: 'failed',
  message: HOSTILE,
  next_step: 'Take the picture again.',
  retryable: true,
}
const FIELDS = {
  document_type: 'P',
  document_number: 'L898902C3',
  full_name: HOSTILE,
  surname: null,
  given_names: null,
  date_of_birth: '1974-08-12',
  expiry_date: null,
  nationality: 'UTO',
  issuing_country: 'UTO',
  sex: 'F',
  mrz: null,
}

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

/** Writes a verification from whose document fields were read. */
async function write(
  accountId: Id<'account'>,
  more: Partial<Parameters<typeof pendingRow>[0]> & { external_id: string },
): Promise<string> {
  const { database, vault, makeId } = server.context
  const verification_id = makeId('verification')
  const { sealed: data_key } = makeDataKey(vault, verification_id)
  const row = pendingRow({
    verification_id,
    account_id: accountId,
    livemode: false,
    data_key,
    status: 'review',
    checks: JSON.stringify(CHECKS),
    reasons: JSON.stringify([REASON]),
    extracted: sealExtracted(vault, { verification_id, data_key }, FIELDS),
    ...more,
  })
  await database.insertInto('verifications').values(row).execute()
  return verification_id
}

describe('the pages of verifications', { tags: 'chromium' }, () => {
  test('find a person, and show what was read only when asked to', async () => {
    const { accountId, key } = await server.createAccount()
    const id = await write(accountId, { external_id: HOSTILE })
    const other = await write(accountId, { external_id: HOSTILE })
    const decided_at = new Date()
    await write(accountId, { external_id: 'other', status: 'declined', decided_at })
    await server.json(`/identity/verifications/${id}/review/notes`, { key, body: { note: HOSTILE } })
    const { page, complaints } = await browser.openSignedIn('/verifications', {}, key)
    await page.getByRole('link', { name: 'other' }).waitFor()
    await page.getByRole('button', { name: 'In review' }).click()
    await page.getByRole('link', { name: 'other' }).waitFor({ state: 'detached' })
    await page.getByLabel('Person or id').fill(HOSTILE)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: HOSTILE }).first().waitFor()
    expect(page.url()).toBe(browser.at('/verifications?status=review'))
    await page.reload()
    await page.getByRole('link', { name: HOSTILE }).first().waitFor()
    expect(await page.getByLabel('Person or id').inputValue()).toBe(HOSTILE)
    await page.getByLabel('Person or id').fill(id)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
    expect(await page.title()).toBe(`ver_…${id.slice(-6)} · Vaani`)
    await page.getByRole('link', { name: other }).waitFor()
    const checks = page.getByRole('region', { name: 'Checks' })
    expect(await checks.locator('.check > span:first-child').allTextContents()).toEqual([
      'Document quality',
      'Face match',
    ])
    await checks.getByText('at least 40').waitFor()
    await page.getByText(`Note · ${HOSTILE}`).waitFor()

    expect(await page.content()).not.toContain('L898902C3')
    await page.getByRole('button', { name: 'Show personal data' }).click()
    await page.getByText('L898902C3').waitFor()
    await page.getByRole('button', { name: 'Hide personal data' }).click()
    expect(await page.content()).not.toContain('L898902C3')
    await page.goBack()
    await page.getByLabel('Person or id').waitFor()
    expect(await page.getByLabel('Person or id').inputValue()).toBe(HOSTILE)
    expect(complaints).toEqual([])
  })

  test('open at the top, and are left where they were', async () => {
    const { accountId, key } = await server.createAccount()
    for (let count = 0; count < 30; count++) await write(accountId, { external_id: `person-${count}` })
    const { page } = await browser.openSignedIn('/verifications', {}, key)
    const scrolled = () => page.evaluate<number>('scrollY')
    await page.getByRole('button', { name: 'Show more' }).click()
    const last = page.getByRole('link', { name: 'person-0', exact: true })
    await last.scrollIntoViewIfNeeded()
    const before = await scrolled()
    expect(before).toBeGreaterThan(0)
    await last.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'person-0' }).waitFor()
    expect(await scrolled()).toBe(0)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    await page.goBack()
    await last.waitFor()
    await expect.poll(scrolled).toBe(before)
  })

  test('erase a live person only if their reference is typed', async () => {
    const { accountId } = await server.createAccount()
    const key = await server.createKey(accountId, true)
    const person = 'a.b+c(42)'
    const id = await write(accountId, {
      external_id: person,
      livemode: true,
      status: 'approved',
      decided_at: new Date(),
    })
    const known = async () => {
      const { body } = await server.json<{ external_id: string | null }>(`/identity/verifications/${id}`, {
        key,
      })
      return body.external_id
    }
    const { page, complaints } = await browser.openSignedIn(`/verifications/${id}`, {}, key)
    await page.getByRole('button', { name: 'Erase the person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('a-b+c(42)')
    await page.keyboard.press('Enter')
    expect(await known()).toBe(person)
    await dialog.getByRole('textbox').fill(person)
    await page.keyboard.press('Enter')
    await page.getByText('Erased.', { exact: true }).waitFor()
    expect(await known()).toBe(null)
    await page.getByRole('heading', { level: 1, name: id }).waitFor()
    expect(complaints).toEqual([])
  })

  test('say in Nepali why a verification was declined', async () => {
    const { accountId, key } = await server.createAccount()
    const decided_at = new Date()
    const id = await write(accountId, { external_id: 'person', status: 'declined', decided_at })
    const { page, complaints } = await browser.openSignedIn(`/verifications/${id}`, {}, key)
    await page.getByRole('button', { name: 'नेपाली' }).click()
    const reason = page.getByRole('listitem').filter({ hasText: 'तस्बिर धमिलो' })
    await reason.getByText('कागजातको तस्बिर धमिलो छ। उज्यालो ठाउँमा').waitFor()
    expect(await reason.locator('[lang=en]').count()).toBe(0)
    expect(await reason.locator('code').textContent()).toBe('image_blurred')
    for (const time of await page.locator('main time').allTextContents())
      expect(time).toMatch(/^[०-९]{4} [^a-z0-9]+$/i)
    expect(complaints).toEqual([])
    await page.goto(browser.at('/verifications/ver_0'))
    await page.getByRole('alert').getByText('यस खातामा यो मोडमा').waitFor()
    expect(await page.getByRole('alert').locator('[lang=en]').textContent()).toContain(
      'verification_not_found',
    )
  })

  test('are accessible in every state, size and colour', async () => {
    const { accountId, key: full } = await server.createAccount()
    const person = 'wide'.repeat(40)
    const id = await write(accountId, { external_id: person })
    await write(accountId, { external_id: person, status: 'approved', decided_at: new Date() })
    const paths = ['/verifications', `/verifications/${id}`]
    const found = await findFaults(browser, {
      full: { key: full, paths },
      empty: { key: (await server.createAccount()).key, paths: [...paths, '/verifications?status=review'] },
      forbidden: { key: (await server.createAccount({}, ['speech:write'])).key, paths },
      broken: { key: full, paths, isBroken: true },
    })
    expect(found).toEqual([])
  })
})
