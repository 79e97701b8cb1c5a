/** What a person on call looks up in a browser: what happened to a call, what was sent about it, and how to send it again. */
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** At this number the simulator hangs up by itself. */
const HANGS_UP = '+15005550007'

/** At this number the simulator is busy. */
const IS_BUSY = '+15005550001'

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

async function createEndpoint(): Promise<{ endpointId: string; key: string }> {
  const { key } = await server.createAccount()
  const { body } = await server.json<{ endpoint_id: string }>('/webhooks/endpoints', {
    key,
    body: { url: receiver.url, events: ['call.completed'] },
  })
  return { endpointId: body.endpoint_id, key }
}

/** Sends test events of which each ends as the receiver plans it, and returns when the last has ended. */
async function sendTests(of: { endpointId: string; key: string }, statuses: readonly number[]) {
  for (const status of statuses) {
    receiver.plan(status)
    const { key } = of
    const { body } = await server.json<{ delivery_id: string }>(`/webhooks/endpoints/${of.endpointId}/test`, {
      key,
      body: { type: 'call.completed' },
    })
    await expect
      .poll(async () => {
        const read = await server.json<{ status: string }>(`/webhooks/deliveries/${body.delivery_id}`, {
          key,
        })
        return read.body.status
      })
      .toBe(status < 300 ? 'delivered' : 'dead')
  }
}

describe('the page of a call', { tags: 'chromium' }, () => {
  test('tells what happened, and leads to what was sent about it, by keyboard', async () => {
    const { key } = await createEndpoint()
    const placed = { to: HANGS_UP, agent_id: 'reminder' }
    const { body: call } = await server.json<{ call_id: string }>('/agent/calls', { key, body: placed })
    const { page, complaints } = await browser.openSignedIn(`/calls/${call.call_id}`, {}, key)
    const steps = page.getByRole('listitem')
    await steps.filter({ hasText: 'Ended' }).waitFor()
    await steps.filter({ hasText: 'call.completed' }).filter({ hasText: 'Delivered' }).waitFor()
    expect(await lookAt(page)).toEqual([])
    await page.getByRole('link', { name: 'call.completed' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Call completed' }).waitFor()
    await page.goBack()
    await page.reload()
    await page.getByRole('link', { name: 'call.completed' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the line on the page of a call', { tags: 'chromium' }, () => {
  const QUALITY = {
    mos: 4.12,
    packets_sent: 500,
    packets_received: 480,
    lost_fraction: 0.04,
    jitter_ms: 3.1,
    round_trip_ms: 41.3,
  }

  test('says why a call was refused, and how good an answered one was', async () => {
    const { key } = await server.createAccount()
    const placed = { to: IS_BUSY, agent_id: 'reminder' }
    const { body: call } = await server.json<{ call_id: string }>('/agent/calls', { key, body: placed })
    const { page, complaints } = await browser.openSignedIn(`/calls/${call.call_id}`, {}, key)
    const factOf = (name: string) => page.locator('dt').getByText(name, { exact: true }).locator('+ dd')
    await page.getByRole('heading', { name: 'Line' }).waitFor()
    expect(await factOf('SIP status').textContent()).toBe('486 Busy Here')
    // A call that was not answered has none.
    expect(await factOf('Jitter on the way to us').count()).toBe(0)
    await server.context.database
      .updateTable('calls')
      .set({ sip_status: null, q850_cause: 16, quality: JSON.stringify(QUALITY) })
      .where('call_id', '=', call.call_id)
      .execute()
    await page.reload()
    await factOf('Q.850 cause').waitFor()
    const texts = ['Q.850 cause', 'Quality (MOS, 1 to 4.5)', 'Lost on the way to us', 'Round trip'].map(
      (name) => factOf(name).textContent(),
    )
    expect(await Promise.all(texts)).toEqual([
      '16 Normal call clearing',
      '4.12: listeners are satisfied',
      '4%',
      '41.3 ms',
    ])
    expect(await lookAt(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

describe('the pages of webhooks', { tags: 'chromium' }, () => {
  test('draw how the last deliveries to each endpoint ended', async () => {
    const endpoint = await createEndpoint()
    await sendTests(endpoint, [200, 500, 200])
    const { page } = await browser.openSignedIn('/webhooks', {}, endpoint.key)
    const drawn = page.getByRole('img', { name: 'Last deliveries: 2 delivered, 0 waiting, 1 given up' })
    await drawn.waitFor()
    expect(await drawn.locator('rect').count()).toBe(3)
    expect(await lookAt(page)).toEqual([])
  })

  test('send again what was given up in a range of time, and nothing outside of it', async () => {
    const endpoint = await createEndpoint()
    await sendTests(endpoint, [500])
    const { page } = await browser.openSignedIn('/webhooks', {}, endpoint.key)
    await page.getByLabel('Given up since').fill('2026-01-01T00:00')
    await page.getByLabel('and before').fill('2026-01-02T00:00')
    await page.getByRole('button', { name: 'Send all again' }).press('Enter')
    await page.getByText('0 are sent again.').waitFor()
    await page.getByLabel('and before').fill('9999-01-02T00:00')
    await page.getByRole('button', { name: 'Send all again' }).press('Enter')
    await page.getByText('1 are sent again.').waitFor()
  })

  test('replace a secret, and say when each of both signs, after a reload too', async () => {
    const { endpointId, key } = await createEndpoint()
    const { page } = await browser.openSignedIn(`/webhooks/endpoints/${endpointId}`, {}, key)
    await page.getByRole('button', { name: 'Replace the secret' }).press('Enter')
    await page.getByLabel('The previous secret signs as well for').selectOption('72 hours')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).press('Enter')
    await page
      .locator('code')
      .filter({ hasText: /^whsec_/ })
      .waitFor()
    await page.getByText('The new secret signs since').waitFor()
    const until = page.getByText('The previous secret signs until').locator('+ dd time')
    const ends = Date.parse((await until.getAttribute('datetime')) ?? '')
    expect(Math.round((ends - Date.now()) / 3_600_000)).toBe(72)
    expect(await lookAt(page)).toEqual([])
    await page.reload()
    expect(Date.parse((await until.getAttribute('datetime')) ?? '')).toBe(ends)
    expect(await page.content()).not.toContain('whsec_')
  })
})
