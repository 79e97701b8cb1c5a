/** The migration of KYC on the console, with a worker of its own, in a real browser; and what the server passes on to the worker. */
import { fileURLToPath } from 'node:url'
import { createId, type Member, type Scope } from '@vaani/contracts'
import type { Migration } from '@vaani/contracts/migration'
import { EXAMPLE_REPORT } from '@vaani/migration-charts/example-report'
import { type RunningVaani, startServerProcess } from '@vaani/test-harness'
import { createTestDatabase } from '@vaani/test-services'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPasskeyDevice,
  type ConsoleBrowser,
  type ConsoleTab,
  join,
  lookAt,
  startConsoleBrowser,
} from '@vaani/browser/console'
import { ADMIN_KEY, startTestWorker, type TestWorker } from './support/start-test-worker.ts'
import { makePair, storePairs } from './support/store-pairs.ts'

const SERVER = fileURLToPath(new URL('../../server/src/testing/main.ts', import.meta.url))
const HOSTILE = '<img src=x onerror="document.title=1">'
const PAIR_ID = createId('pair', { nowMs: 0, random: new Uint8Array(10) })

const held = new AsyncDisposableStack()
let worker: TestWorker
let server: RunningVaani
let browser: ConsoleBrowser
beforeAll(async () => {
  worker = held.use(await startTestWorker())
  const pair = makePair({ pair_id: PAIR_ID })
  await storePairs(worker, [{ ...pair, v2: { ...pair.v2, reason_codes: [HOSTILE] } }])
  const database = held.use(await createTestDatabase())
  const environment = { VAANI_MIGRATION_URL: worker.url, VAANI_MIGRATION_API_KEY: ADMIN_KEY }
  server = held.use(await startServerProcess(SERVER, { postgres: database.url, environment }))
  browser = held.use(await startConsoleBrowser(server, { url: server.url.replace('127.0.0.1', 'localhost') }))
})
afterAll(() => held.disposeAsync())

/** Creates an account, and a key of it. */
async function createKey(scopes: Scope[]): Promise<string> {
  const { account_id } = await server.client.admin.createAccount({ name: 'Another' })
  return (await server.client.admin.createKey({ account_id, name: 'Test', scopes })).key
}

/** Asks the server for what the worker has. */
async function ask<Body = Record<string, never>>(
  route: string,
  { key = server.key, method = 'GET', body }: { key?: string; method?: string; body?: object } = {},
): Promise<{ status: number; body: Body }> {
  const response = await fetch(server.url + route, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const read = async () => (await worker.send<Migration>('GET', '/migration')).body

/** A person of the operator's account, who has signed in by a passkey. */
async function openMember(name: string, role: Member['role']): Promise<ConsoleTab> {
  const { invitation } = await server.client.members.invite({ name, role })
  const tab = await browser.openTab()
  await addPasskeyDevice(tab)
  await join(tab.page, browser.at('/'), invitation)
  return tab
}

/** Opens the dialog of an act. */
async function begin(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).press('Enter')
  return page.getByRole('dialog', { name })
}

describe('the page', { tags: 'chromium' }, () => {
  test('moves a migration on, stops it and rolls it back by the keyboard, and the history names the key', async () => {
    const { page, complaints } = await browser.openSignedIn('/migration')
    const state = page.getByRole('region', { name: 'State', exact: true })
    await state.getByText('Off', { exact: true }).waitFor()
    const stage = await begin(page, 'Change stage')
    await stage.getByLabel('Why, for the history').fill('Day 1 of the plan')
    await page.keyboard.press('Enter')
    await state.getByText('Shadow 1 %').waitFor()
    const [changed] = (await worker.send<{ data: { actor: string }[] }>('GET', '/migration/changes')).body
      .data
    expect(changed?.actor).toMatch(/^key_/)
    const kill = await begin(page, 'Stop all shadow traffic')
    await kill.getByLabel('Why, for the history').fill('v2 is under attack')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The kill switch is on, by a request').waitFor()
    expect(await lookAt(page)).toEqual([])
    const release = await begin(page, 'Allow shadow traffic')
    await release.getByLabel('Why, for the history').fill('The attack is over')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Stop all shadow traffic' }).waitFor()
    expect((await read()).kill_switch.engaged).toBe(false)
    const audit = await server.client.admin.listAuditLog()
    expect(audit.data.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['migration.changeStage', 'migration.setKillSwitch']),
    )
    expect(complaints).toEqual([])
  })

  test('says why the gate refuses, keeps what was written, and hands callers over only by the typed stage', async () => {
    const { page } = await browser.openSignedIn('/migration')
    const dialog = await begin(page, 'Change stage')
    await dialog.getByLabel('New stage').selectOption('live')
    await dialog.getByLabel('Why, for the history').fill('We are in a hurry')
    const submit = dialog.getByRole('button', { name: 'Change stage' })
    await submit.press('Enter')
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await dialog.getByLabel('Type live to confirm').fill('live')
    await submit.press('Enter')
    await dialog.getByRole('alert').getByText('state_conflict').waitFor()
    expect((await read()).stage).not.toBe('live')
    expect(await lookAt(page)).toEqual([])
    await dialog.getByLabel('Against the advice').check()
    await submit.press('Enter')
    await page.getByText('Forced').first().waitFor()
    expect(await read()).toMatchObject({ stage: 'live', answers: 'v2' })
    const back = await begin(page, 'Roll back')
    await back.getByLabel('Why, for the history').fill('It was a mistake')
    await page.keyboard.press('Enter')
    await page.getByText('Rolled back: Live → Shadow 1 %').waitFor()
    expect(await read()).toMatchObject({ stage: 'shadow-1', answers: 'v1' })
  })

  test('shows mismatches by class as text, and closes one with a note', async () => {
    const { page, complaints } = await browser.openSignedIn('/migration')
    await page.getByText('v1 approved, v2 declined').click()
    await page.getByText(HOSTILE).waitFor()
    await page.getByLabel('What you found out').fill('v2 is right')
    await page.keyboard.press('Enter')
    await page.getByText('Nobody has to look at anything.').waitFor()
    const { body } = await worker.send<{ note: string }>('GET', `/migration/pairs/${PAIR_ID}`)
    expect(body.note).toBe('v2 is right')
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type(PAIR_ID)
    await page.keyboard.press('Enter')
    await page.getByText('v2 is right', { exact: true }).waitFor()
    expect(page.url()).toBe(browser.at(`/migration/pairs/${PAIR_ID}`))
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
    expect(await lookAt(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('lists mismatches beyond the newest by cursor, in their classes', async () => {
    const ids = Array.from({ length: 60 }, (_, index) =>
      createId('pair', { nowMs: index + 1000, random: new Uint8Array(10) }),
    )
    await storePairs(
      worker,
      ids.map((pair_id) => makePair({ pair_id })),
    )
    const { page, complaints } = await browser.openSignedIn('/migration')
    await page.getByText('The newest 50.').waitFor()
    const names = page.locator('.mismatches summary')
    expect(await names.innerText()).toMatch(/v1 approved, v2 declined\s+50$/)
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await page.getByText('The newest 50.').waitFor({ state: 'detached' })
    expect(await names.innerText()).toMatch(/v1 approved, v2 declined\s+60$/)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('draws the evidence, with a table of the same numbers beside each chart', async () => {
    const { page, context, complaints } = await browser.openTab()
    await context.route('**/console/api/migration/report', (route) => route.fulfill({ json: EXAMPLE_REPORT }))
    await page.goto(browser.at('/migration'))
    await browser.signIn(page, server.key)
    await page.getByRole('heading', { name: 'Outcomes of pairs' }).waitFor()
    for (const name of [
      'Stages over time',
      'Rates of mismatches between their bounds, and the rates that are allowed',
      'Share of mismatches and errors over time',
      'From submission to answer',
      'From answer to decision',
      'Outcomes of pairs',
    ]) {
      const chart = page.getByRole('figure').filter({ has: page.getByRole('img', { name }) })
      await chart.getByText('The same as a table').press('Enter')
      await chart.getByRole('table', { name }).waitFor()
    }
    const rates = page.getByRole('table', { name: 'Rates of mismatches between' })
    expect(await rates.getByRole('row').last().innerText()).toMatch(/Worst.*0%.*0 of 5,210.*0\.1%/s)
    const matrix = page.getByRole('group', { name: 'Endings of v1 in rows' })
    expect(await matrix.locator('.same.depth-0').innerText()).toBe('4,310')
    expect(await lookAt(page)).toEqual([])
    expect(await lookAt(page, 1)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('lets a person of the operator steer, whom the history and the audit log name', async () => {
    const { page, complaints } = await openMember('Asha Gurung', 'owner')
    await page.getByRole('link', { name: 'Migration' }).press('Enter')
    const dialog = await begin(page, 'Change stage')
    await dialog.getByLabel('New stage').selectOption('shadow-25')
    await dialog.getByLabel('Why, for the history').fill('The evidence is good')
    await page.keyboard.press('Enter')
    await page.getByText('Asha Gurung: The evidence is good').waitFor()
    expect(await read()).toMatchObject({ stage: 'shadow-25', changed_by: 'Asha Gurung' })
    const { data } = await server.client.admin.listAuditLog()
    expect(data).toContainEqual(
      expect.objectContaining({ action: 'migration.changeStage', name: 'Asha Gurung' }),
    )
    expect(complaints).toEqual([])
  })

  test('is not for a person who may only look at calls and verifications', async () => {
    const before = await read()
    const { page } = await openMember('Bina Rai', 'viewer')
    await page.getByRole('link', { name: 'Verifications' }).waitFor()
    expect(await page.getByRole('link', { name: 'Migration' }).count()).toBe(0)
    await page.goto(browser.at('/migration'))
    await page.getByText('You may not see this.').waitFor()
    expect(await page.getByRole('button', { name: 'Change stage' }).count()).toBe(0)
    const body = JSON.stringify({ stage: 'shadow-100', reason: 'I want to' })
    const refused = await page.evaluate<number>(
      `fetch('/console/api/migration/stage', { method: 'PUT', body: '${body}',
        headers: { 'x-vaani-console': '1', 'content-type': 'application/json' } }).then(({ status }) => status)`,
    )
    expect(refused).toBe(403)
    expect((await read()).stage).toBe(before.stage)
    const { data } = await server.client.admin.listAuditLog()
    const acts = data.filter(({ name }) => name === 'Bina Rai').map(({ action }) => action)
    expect(acts.filter((action) => action.startsWith('migration.'))).toEqual([])
  })

  test('is not offered to accounts that are not the operator’s', async () => {
    const { page } = await browser.openSignedIn('', {}, await createKey(['admin']))
    await page.getByRole('link', { name: 'Members' }).waitFor()
    expect(await page.getByRole('link', { name: 'Migration' }).count()).toBe(0)
  })
})

describe('the server', () => {
  const forbidden = { status: 403, body: { error: { code: 'forbidden' } } }

  test('passes on only what an operator’s key with the scope admin asks', async () => {
    expect(await ask('/migration', { key: await createKey(['admin']) })).toMatchObject(forbidden)
    expect(await ask('/migration', { key: await createKey(['identity:read']) })).toMatchObject(forbidden)
    expect(await ask('/migration', { key: 'sk_test_unknown' })).toMatchObject({ status: 401 })
    expect(await ask('/migration')).toMatchObject({ status: 200, body: { flag_source: 'table' } })
  })

  test('names who changes something, whatever the request says', async () => {
    const body = { reason: 'A new release', actor: 'somebody else' }
    expect((await ask('/migration/evidence/restart', { method: 'POST', body })).status).toBe(200)
    const { data } = (await ask<{ data: object[] }>('/migration/changes')).body
    expect(data[0]).toMatchObject({ actor: expect.stringMatching(/^key_/), reason: 'A new release' })
  })

  test('hands on the refusals of the worker, and checks requests first', async () => {
    const unknown = createId('pair', { nowMs: 1, random: new Uint8Array(10) })
    expect(await ask(`/migration/pairs/${unknown}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', param: 'pair_id' } },
    })
    const body = { stage: 'shadow-1000', reason: 'x' }
    expect(await ask('/migration/stage', { method: 'PUT', body })).toMatchObject({
      status: 400,
      body: { error: { param: 'stage' } },
    })
  })
})
