/** The review desk in a real browser, while its server is killed and comes back. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@vaani/test-services'
import { startConsoleBrowser } from '@vaani/browser/console'
import { expect, test } from 'vitest'
import { createReviewCases } from './support/review-cases.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { migrateUrl, type TestServer } from './support/test-server.ts'

const KEY = 'sk_test_away_0123456789abcdef'

/** Starts servers one after the other, all of them with the same address and the same data. */
async function openServers() {
  await using held = new AsyncDisposableStack()
  const database = held.use(await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } }))
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-away-'))
  held.defer(() => rm(directory, { recursive: true, force: true }))
  const environment = {
    DATABASE_URL: database.url,
    VAANI_DATA_DIR: directory,
    VAANI_BOOTSTRAP_API_KEY: KEY,
  }
  const resources = held.move()
  async function start(port = '0'): Promise<ServerProcess> {
    const server = await startServerProcess({ ...environment, PORT: port })
    resources.defer(async () => void (await server.kill('SIGKILL')))
    return server
  }
  return { start, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

const jsonOf = (url: string): TestServer['json'] =>
  async function json(route, { key, body } = {}) {
    const response = await fetch(url + route, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    return { status, headers, body: JSON.parse(await response.text()) }
  }

test(
  'a server that is killed in the middle of a review loses nothing of it, and is asked once it is back',
  { tags: ['chromium', 'ffmpeg'] },
  async () => {
    await using servers = await openServers()
    const first = await servers.start()
    const json = jsonOf(first.url)
    const cases = await createReviewCases({ json })
    await using browser = await startConsoleBrowser({ url: first.url, key: KEY })
    const id = await cases.submit(KEY)
    const { page } = await browser.openSignedIn(`/reviews/${id}`)
    await page.getByRole('button', { name: 'Take it c' }).waitFor()
    await page.keyboard.press('c')
    await page.getByText('Yours for').waitFor()
    await page.getByLabel('Note for reviewers').fill('Asked a colleague')
    await page.getByRole('button', { name: 'Decline d' }).click()
    const dialog = page.getByRole('dialog', { name: 'Decline' })
    await dialog.getByLabel('The faces differ').check()
    await dialog.getByLabel('Note for reviewers').fill('Another nose')

    await first.kill('SIGKILL')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Nothing you wrote is lost.').waitFor()
    // Reading the case again fails too, and takes nothing away.
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith(`/${id}/review`))
    expect(await dialog.getByLabel('Note for reviewers').inputValue()).toBe('Another nose')

    await servers.start(new URL(first.url).port)
    await dialog.getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Reviews' }).waitFor()
    expect(await cases.decisionOf(id, KEY)).toBe('declined')
    const { body } = await json<{ data: { type: string; note: string | null }[] }>(
      `/identity/verifications/${id}/review/history`,
      { key: KEY },
    )
    expect(body.data.filter(({ type }) => type === 'vote').map(({ note }) => note)).toEqual(['Another nose'])
    await page.goBack()
    expect(await page.getByLabel('Note for reviewers').inputValue()).toBe('Asked a colleague')
  },
)
