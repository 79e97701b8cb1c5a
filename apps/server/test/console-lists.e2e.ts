/** The pages of batches, voices, lexicons, models, agents, caller ids and keys in a real browser. */
import { readFile } from 'node:fs/promises'
import type { Id } from '@vaani/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, findFaults, startConsoleBrowser } from '@vaani/browser/console'
import { recordSpeaker } from './support/recordings.ts'
import { formOf } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const HOSTILE = `<script>document.title='run'</script><img src=x onerror="document.title='run'">`

/** What has run in consoles that others wrote. */
const PAYLOADS = [
  HOSTILE,
  `"><svg/onload=document.title='run'>`,
  `javascript:document.title='run'`,
  `'-document.title='run'-'`,
  `</title></textarea></script><script>document.title='run'</script>`,
  `<iframe srcdoc="<script>parent.document.title='run'</script>">`,
  `{{constructor.constructor("document.title='run'")()}}`,
  `\u202E<math><mtext></form><form><mglyph><style></math><img src onerror=document.title='run'>`,
]

let server: TestServer
let browser: ConsoleBrowser
let accountId: Id<'account'>
let key: string
let batchId: string
let voiceId: string
let callerIdId: string
beforeAll(async () => {
  server = await startTestServer()
  browser = await startConsoleBrowser(server)
  const account = await server.createAccount()
  accountId = account.accountId
  key = account.key
  await fill()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

/** Writes an object of each kind, with hostile text wherever somebody may choose it. */
async function fill(): Promise<void> {
  const create = async (path: string, body: object, method = 'POST', by = key) => {
    const created = await server.json<Record<string, string>>(path, { key: by, body, method })
    expect(created.status).toBeLessThan(300)
    return created.body
  }
  const requests = [{ custom_id: HOSTILE.slice(0, 64), body: { model: 'synth-v1', text: 'Good morning.' } }]
  const batch = await create('/v1/batch', { endpoint: '/v1/engine/synthesize', requests })
  batchId = batch['batch_id'] ?? ''
  const number = { account_id: accountId, phone_number: '+9779801234567' }
  callerIdId = (await create('/admin/caller-ids', number, 'POST', server.key))['caller_id_id'] ?? ''
  await create('/v1/lexicons/en-US', { entries: [{ term: 'KYC', spoken_as: HOSTILE }] }, 'PUT')
  const agent = { name: HOSTILE, language: 'en-US', voice: 'nova', greeting: HOSTILE }
  await create('/admin/agents/hostile', agent, 'PUT')
  const counts = {
    requests: '1234567',
    requests_without_usage: '1',
    prompt_tokens: '9',
    completion_tokens: '8',
  }
  await server.context.database
    .insertInto('model_usage')
    .values({ account_id: accountId, livemode: false, day: '2026-11-29', model: HOSTILE, ...counts })
    .execute()
  const { type, body } = formOf([
    ['name', HOSTILE],
    ['language', 'en-US'],
    ['consent', 'true'],
    ['samples', await recordSpeaker('man')],
  ])
  const headers = { 'content-type': type }
  const voice = await server.json<{ voice_id: string }>('/v1/audio/clone', { key, rawBody: body, headers })
  expect(voice.status).toBe(201)
  voiceId = voice.body.voice_id
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('the lists of the console', { tags: 'chromium' }, () => {
  test('lead to each object, whose texts are only texts', async () => {
    const { page, complaints } = await browser.openSignedIn('', {}, key)
    const steps = [
      ['Batches', batchId, '/v1/engine/synthesize'],
      // Tabs do not name the person whose voice it is.
      ['Voices', HOSTILE, HOSTILE, `vox_…${voiceId.slice(-6)}`],
      ['Lexicons', 'en-US', 'en-US'],
      ['Agents', HOSTILE, HOSTILE],
      ['Caller ids', '+9779801234567', '+9779801234567'],
      ['Keys', 'Test', 'Test'],
    ] as const
    for (const [list, name, heading, tab = heading] of steps) {
      await page.getByRole('navigation').getByRole('link', { name: list }).click()
      await title(page, list)
      await page.getByRole('table').getByRole('link', { name }).first().click()
      await title(page, heading)
      expect(await page.title()).toBe(`${tab} · Vaani`)
      await page.getByText('JSON').click()
    }
    await page.getByRole('navigation').getByRole('link', { name: 'Models' }).click()
    await page.getByRole('cell', { name: '1,234,567' }).waitFor()
    await page.getByLabel('From').fill('2026-11-30')
    await page.getByText('Nothing was used.').waitFor()
    expect(page.url()).toBe(browser.at('/models?from=2026-11-30'))
    await page.getByRole('table', { name: 'Models' }).getByRole('link').first().click()
    await page.getByText('Offered since').waitFor()
    expect(complaints).toEqual([])
  })

  test('show hostile texts as they are', async () => {
    const { key } = await server.createAccount()
    const entries = PAYLOADS.map((spoken_as, index) => ({ term: `term ${index}`, spoken_as }))
    await server.json('/v1/lexicons/en-US', { key, body: { entries }, method: 'PUT' })
    for (const [index, name] of PAYLOADS.entries()) {
      const body = { name: name.slice(0, 100), language: 'en-US', voice: 'nova', greeting: name }
      const { status } = await server.json(`/admin/agents/hostile-${index}`, { key, body, method: 'PUT' })
      expect(status, name).toBe(200)
    }
    const { page, complaints } = await browser.openSignedIn('/lexicons/en-US', {}, key)
    await page.getByRole('table').waitFor()
    const spoken = page.getByRole('table').getByRole('cell')
    expect(await spoken.allTextContents()).toEqual(PAYLOADS)
    await page.goto(browser.at('/agents'))
    await page.getByRole('table').waitFor()
    const named = await page.getByRole('rowheader').allTextContents()
    expect(named).toEqual(expect.arrayContaining(PAYLOADS.map((name) => name.slice(0, 100))))
    await page.goto(browser.at('/agents/hostile-5'))
    await title(page, PAYLOADS[5] ?? '')
    expect(await page.title()).toBe(`${PAYLOADS[5]} · Vaani`)
    expect(complaints).toEqual([])
  })

  test('are only offered to those who may see them', async () => {
    const { key } = await server.createAccount({}, ['identity:read'])
    const { page } = await browser.openSignedIn('', {}, key)
    await title(page, 'Home')
    const links = await page.getByRole('navigation').getByRole('link').allTextContents()
    expect(links).toContain('Verifications')
    for (const name of ['Batches', 'Voices', 'Models', 'Keys']) expect(links).not.toContain(name)
  })

  test('save the results of a batch as they are', async () => {
    const { page } = await browser.openSignedIn(`/batches/${batchId}`, {}, key)
    await page.getByText('Completed', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Cancel the batch' }).count()).toBe(0)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the results' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe(`${batchId}.ndjson`)
    const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ status: 200 }])
  })

  test('play a voice', async () => {
    const { page, complaints } = await browser.openSignedIn(`/voices/${voiceId}`, {}, key)
    await page.getByRole('button', { name: 'Speak' }).click()
    const player = page.locator('audio')
    await player.waitFor()
    await expect
      .poll(() => player.evaluate((audio) => Reflect.get(audio, 'duration')), { timeout: 30_000 })
      .toBeGreaterThan(1)
    expect(complaints).toEqual([])
  })

  test('create a key, show it once, and revoke it', async () => {
    const { page, complaints } = await browser.openSignedIn('/keys/new', {}, key)
    await page.getByLabel('Whose key it is').fill('sita')
    await page.getByLabel('calls:read').check()
    await page.keyboard.press('Enter')
    const secret = await page
      .locator('code')
      .filter({ hasText: /^sk_test_/ })
      .textContent()
    expect(await server.json('/agent/calls', { key: secret })).toMatchObject({ status: 200 })
    await page.getByRole('link', { name: 'sita' }).click()
    await page.getByText('calls:read', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'All keys' }).click()
    await page.getByRole('row', { name: 'sita' }).getByText('Revoked').waitFor()
    expect(complaints).toEqual([])
  })

  test('say who did and looked at what, all of it or of one object', async () => {
    const { page, complaints } = await browser.openSignedIn('/calls', {}, key)
    await title(page, 'Calls')
    await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('row', { name: 'looked at the calls' }).first().waitFor()
    const keyId = await page
      .getByRole('row', { name: 'created a key' })
      .getByRole('link')
      .last()
      .textContent()
    await page.getByLabel('Id of an object').fill(keyId ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: 'looked at the calls' }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'created a key' }).waitFor()
    expect(page.url()).toBe(browser.at(`/audit?object_id=${keyId}`))
    expect(complaints).toEqual([])
  })

  test('delete what is no longer wanted, and return to the rest', async () => {
    const lexicon = { entries: [{ term: 'OTP', spoken_as: 'one time password' }] }
    await server.json('/v1/lexicons/hi-IN', { key, body: lexicon, method: 'PUT' })
    const { page } = await browser.openSignedIn('/lexicons/hi-IN', {}, key)
    await page.getByRole('button', { name: 'Delete the lexicon' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the lexicon' }).click()
    await title(page, 'Lexicons')
    await page.getByRole('link', { name: 'hi-IN' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'en-US' }).waitFor()
  })

  test('are accessible in every state, size and colour', async () => {
    const lists = ['/batches', '/voices', '/lexicons', '/models', '/agents', '/caller-ids', '/keys', '/audit']
    const objects = [
      `/batches/${batchId}`,
      `/voices/${voiceId}`,
      '/lexicons/en-US',
      '/models/synth-v1',
      '/agents/hostile',
      `/caller-ids/${callerIdId}`,
      '/keys/new',
    ]
    const found = await findFaults(browser, {
      full: { key, paths: [...lists, ...objects] },
      empty: { key: (await server.createAccount()).key, paths: lists },
      forbidden: {
        key: (await server.createAccount({}, ['deploy:write'])).key,
        paths: [...lists, ...objects],
      },
      broken: { key, paths: [...lists, ...objects], isBroken: true },
    })
    expect(found).toEqual([])
  })
})
