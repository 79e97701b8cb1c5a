/** Pages of the console that follow what happens, in a real browser. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, startConsoleBrowser } from '@vaani/browser/console'
import { startServerProcess } from './support/server-process.ts'
import { seriesOf } from './support/series.ts'
import { migrateUrl, startTestServer, type TestServer } from './support/test-server.ts'

const KEY = 'sk_test_live_0123456789abcdef'
const TO = '+9779812345678'
/** Half of the time after which a page reads anyway what events tell of. */
const SOON_MS = 30_000

let server: TestServer
let browser: ConsoleBrowser
beforeAll(async () => {
  server = await startTestServer({ config: { metricsPort: 0 } })
  browser = await startConsoleBrowser(server)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

async function place(key: string, to = TO, at: Pick<TestServer, 'json'> = server): Promise<string> {
  const { body } = await at.json<{ call_id: string }>('/agent/calls', {
    key,
    body: { to, agent_id: 'reminder' },
  })
  return body.call_id
}

const streams = async () => seriesOf(await server.scrape(), 'vaani_console_streams')['']
const untilStreams = (count: number) => until(streams, (open) => open === count)

/** Hides or shows the tab, as far as its page knows. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(
    `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })
     document.dispatchEvent(new Event('visibilitychange'))`,
  )

/** Counts what a page asks of a path. */
function countRequests(page: Page, of: string): () => number {
  let count = 0
  page.on('request', (request) => void (new URL(request.url()).pathname === `/console/api${of}` && count++))
  return () => count
}

describe('a page of the console', { tags: 'chromium' }, () => {
  test('shows the end of a call without a reload, and asks nothing while nothing happens', async () => {
    const { key } = await server.createAccount()
    const { page, complaints } = await browser.openSignedIn('/calls', {}, key)
    const asked = countRequests(page, '/agent/calls')
    await page.getByText('No calls yet.').waitFor()
    await untilStreams(1)
    const sinceMs = performance.now()
    await place(key)
    await page.getByRole('row').filter({ hasText: TO }).getByText('completed').waitFor()
    expect(performance.now() - sinceMs).toBeLessThan(SOON_MS)
    // The last steps may be read together, or each.
    await page.waitForTimeout(3000)
    const before = asked()
    // Longer than a list without a stream waits.
    await page.waitForTimeout(7000)
    expect(asked()).toBe(before)
    expect(complaints).toEqual([])
  })

  test('follows in no hidden tab, and reads what it missed once it is seen', async () => {
    const { key } = await server.createAccount()
    const { page } = await browser.openSignedIn('/calls', {}, key)
    await page.getByText('No calls yet.').waitFor()
    await untilStreams(1)
    await setHidden(page, true)
    await untilStreams(0)
    await place(key)
    await setHidden(page, false)
    await page.getByRole('row').filter({ hasText: TO }).waitFor()
    await untilStreams(1)
  })

  test('follows no more after signing out, and asks as often as before if it may not follow', async () => {
    const { key } = await server.createAccount()
    const { page, context } = await browser.openSignedIn('/calls', {}, key)
    await page.getByText('No calls yet.').waitFor()
    await untilStreams(1)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByLabel('API key').waitFor()
    await untilStreams(0)

    await context.route('**/console/events*', (route) => route.fulfill({ status: 429, body: '{}' }))
    await browser.signIn(page, key)
    await page.getByText('No calls yet.').waitFor()
    const sinceMs = performance.now()
    await place(key)
    await page.getByRole('link', { name: TO }).waitFor()
    expect(performance.now() - sinceMs).toBeLessThan(SOON_MS)
  })

  test('catches up after its server was killed', async () => {
    await using held = new AsyncDisposableStack()
    const database = held.use(await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } }))
    const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-live-'))
    held.defer(() => rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 }))
    const encryptionKey = randomBytes(32)
    const environment = {
      VAANI_ENCRYPTION_KEY: encryptionKey.toString('base64'),
      DATABASE_URL: database.url,
      VAANI_DATA_DIR: dataDirectory,
      VAANI_BOOTSTRAP_API_KEY: KEY,
    }
    const first = await startServerProcess(environment)
    held.defer(async () => void (await first.kill('SIGKILL')))
    const own = held.use(await startConsoleBrowser({ url: first.url, key: KEY }))
    const { page } = await own.openSignedIn('/calls')
    await page.getByText('No calls yet.').waitFor()
    await first.kill('SIGKILL')
    // Another process goes on meanwhile.
    const other = held.use(
      await startTestServer({
        config: { databaseUrl: database.url, encryptionKeys: [encryptionKey] },
        key: KEY,
      }),
    )
    await place(KEY, '+9779800000001', other)
    const again = await startServerProcess({ ...environment, PORT: new URL(first.url).port })
    held.defer(async () => void (await again.kill('SIGKILL')))
    await page.getByRole('link', { name: '+9779800000001' }).waitFor()
    const sinceMs = performance.now()
    await place(KEY, '+9779800000002', other)
    await page.getByRole('status').getByRole('button', { name: '1 new' }).waitFor()
    expect(performance.now() - sinceMs).toBeLessThan(SOON_MS)
  })
})
