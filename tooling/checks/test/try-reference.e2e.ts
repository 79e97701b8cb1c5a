/** Uses the API reference in a browser, like someone who has just started the server. */
import { CHROMIUM, WITHOUT_WINDOW_PAGES } from '@vaani/browser'
import { thorough } from '@vaani/test-services/thorough'
import { type RunningVaani, startVaani } from '@vaani/testing'
import { type Browser, chromium, type Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

/** Ends only what hangs, as `until` does. */
const WAIT_MS = 300_000

describe('TRY succeeds with the request that the page proposes', { tags: 'chromium' }, () => {
  let vaani: RunningVaani
  let browser: Browser
  beforeAll(async () => {
    vaani = await startVaani()
    browser = await chromium.launch({
      executablePath: CHROMIUM ?? '',
      args: ['--no-sandbox', WITHOUT_WINDOW_PAGES],
    })
    return async () => {
      await browser.close()
      await vaani.stop()
    }
  })

  async function openReference(width: number): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 } })
    page.setDefaultTimeout(WAIT_MS)
    await page.goto(`${vaani.url}/docs#auth`)
    await page.getByPlaceholder('api-token').fill(vaani.key)
    await page.getByRole('button', { name: 'SET' }).click()
    return page
  }

  // Routes without path parameters. An identity submission needs pictures, which no example can contain.
  const routes = [
    '/agent/calls',
    '/v1/audio/stream',
    '/webhooks/endpoints',
    '/webhooks/rotate-secret',
    '/webhooks/deliveries/recover',
    '/admin/accounts',
    '/admin/keys',
    '/admin/caller-ids',
  ]

  const WIDTHS: [string, number][] = [
    ['narrow', 500],
    ['wide', 1280],
  ]

  test.each(thorough({ usual: WIDTHS.slice(0, 1), long: WIDTHS }))('on a %s page', async (_, width) => {
    const page = await openReference(width)
    const statuses: Record<string, number> = {}
    for (const route of routes) {
      await page.goto(`${vaani.url}/docs#post-${route}`)
      const answered = page.waitForResponse(vaani.url + route)
      await page.locator(`[id="post-${route}"]`).getByRole('button', { name: 'TRY' }).click()
      statuses[route] = (await answered).status()
    }
    for (const [route, status] of Object.entries(statuses))
      expect(status, `${route}: ${JSON.stringify(statuses)}`).toBeOneOf([200, 201, 202])
  })
})
