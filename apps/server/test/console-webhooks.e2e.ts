/** The pages of webhooks in a real browser, with a receiver that a customer could run. */
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, findFaults, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { startTestServer, type TestServer } from './support/test-server.ts'

const HOSTILE = `<script>document.title='run'</script><img src=x onerror="document.title='run'">`

let server: TestServer
let browser: ConsoleBrowser
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer({
    config: { callbackAllowCidrs: ['127.0.0.0/8'], webhookScheduleSeconds: [0] },
  })
  browser = await startConsoleBrowser(server)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

beforeEach(async () => void (receiver = await startReceiver()))
afterEach(() => receiver[Symbol.asyncDispose]())

async function createEndpoint(livemode = false): Promise<{ endpointId: string; key: string }> {
  const { accountId } = await server.createAccount()
  const key = await server.createKey(accountId, livemode)
  const { body } = await server.json<{ endpoint_id: string }>('/webhooks/endpoints', {
    key,
    body: { url: receiver.url, events: ['call.completed'] },
  })
  return { endpointId: body.endpoint_id, key }
}

describe('the pages of webhooks', { tags: 'chromium' }, () => {
  test('create an endpoint, show its secret once, and send it a test event', async () => {
    const { key } = await server.createAccount()
    const { page, complaints } = await browser.openSignedIn('/webhooks', {}, key)
    await page.getByText('Nothing was given up.').waitFor()
    await page.getByRole('link', { name: 'Create an endpoint' }).click()
    await page.getByLabel('URL').fill(receiver.url)
    await page.keyboard.press('Enter')
    const secret = await page
      .locator('code')
      .filter({ hasText: /^whsec_/ })
      .textContent()
    receiver.trust(secret ?? '')
    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByLabel('Test event').selectOption('call.completed')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('link', { name: 'Sent: see it' }).click()
    await page.getByText('Delivered', { exact: true }).waitFor()
    const { signature } = await receiver.waitFor('call.completed')
    expect(signature).toBe('genuine')
    expect(await page.content()).not.toContain('whsec_')
    expect(complaints).toEqual([])
  })

  test('show what was given up first, with its answer as text, and send it again', async () => {
    const { endpointId, key } = await createEndpoint()
    receiver.plan((response) => response.writeHead(500, { 'content-type': 'text/html' }).end(HOSTILE))
    await server.json(`/webhooks/endpoints/${endpointId}/test`, { key, body: { type: 'call.completed' } })
    const { page, complaints } = await browser.openSignedIn('', {}, key)
    await page.getByRole('link', { name: '1 Webhooks given up' }).click()
    await page.getByRole('link', { name: 'call.completed' }).click()
    await page.getByText('Given up, after the last attempt').waitFor()
    expect(await page.getByRole('listitem').locator('pre').textContent()).toBe(HOSTILE)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Delivered', { exact: true }).waitFor()
    expect(await page.title()).toBe('Call completed · Vaani')
    expect(complaints).toEqual([])
  })

  test('send again all that was given up since a time', async () => {
    const { endpointId, key } = await createEndpoint()
    for (let count = 0; count < 2; count++) {
      receiver.plan(500)
      await server.json(`/webhooks/endpoints/${endpointId}/test`, { key, body: { type: 'call.completed' } })
      await expect
        .poll(async () => {
          const list = await server.json<{ data: object[] }>('/webhooks/deliveries?status=dead', { key })
          return list.body.data.length
        })
        .toBe(count + 1)
    }
    const { page } = await browser.openSignedIn('/webhooks', {}, key)
    await page.getByLabel('Given up since').fill('2026-01-01T00:00')
    await page.getByRole('button', { name: 'Send all again' }).click()
    await page.getByText('2 are sent again.').waitFor()
  })

  test('ask for the id before a live endpoint is deleted', async () => {
    const { endpointId, key } = await createEndpoint(true)
    const { page } = await browser.openSignedIn(`/webhooks/endpoints/${endpointId}`, {}, key)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete the endpoint' }).click()
    const dialog = page.getByRole('dialog')
    expect(await lookAt(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete the endpoint' }).click()
    expect(await server.json(`/webhooks/endpoints/${endpointId}`, { key })).toMatchObject({ status: 200 })
    await dialog.getByRole('textbox').fill(endpointId)
    await page.keyboard.press('Enter')
    await page.getByText('No endpoint yet.').waitFor()
    expect(await server.json(`/webhooks/endpoints/${endpointId}`, { key })).toMatchObject({ status: 404 })
  })

  test('are accessible in every state, size and colour', async () => {
    const { endpointId, key } = await createEndpoint()
    receiver.plan((response) => response.writeHead(500).end('wide '.repeat(300)))
    const sent = await server.json<{ delivery_id: string }>(`/webhooks/endpoints/${endpointId}/test`, {
      key,
      body: { type: 'call.completed' },
    })
    const paths = [
      '/webhooks?status=all',
      '/webhooks/endpoints/new',
      `/webhooks/endpoints/${endpointId}`,
      `/webhooks/deliveries/${sent.body.delivery_id}`,
    ]
    const found = await findFaults(browser, {
      full: { key, paths },
      empty: { key: (await server.createAccount()).key, paths: ['/webhooks'] },
      forbidden: { key: (await server.createAccount({}, ['speech:write'])).key, paths },
      broken: { key, paths, isBroken: true },
    })
    expect(found).toEqual([])
  })
})
