/** The pages of the console in a real browser, as a person uses them. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ConsoleBrowser,
  findBarriers,
  findFaults,
  lookAt,
  startConsoleBrowser,
} from '@vaani/browser/console'
import { until } from '@vaani/test-services/until'
import { makePdf } from './support/documents.ts'
import { formOf } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const HOSTILE = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script>`

let server: TestServer
let browser: ConsoleBrowser
beforeAll(async () => {
  server = await startTestServer({ config: { callbackAllowCidrs: ['127.0.0.0/8'] } })
  browser = await startConsoleBrowser(server)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const at = (path: string): string => browser.at(path)
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

describe('the console', { tags: 'chromium' }, () => {
  test('opens signed in by the link of the start, which then is in no history', async () => {
    const { page, complaints } = await browser.openTab()
    await page.goto(at(`#link=${await server.context.console.createLink()}`))
    await heading(page, 'Home').waitFor()
    expect(page.url()).toBe(at(''))
    expect(complaints).toEqual([])
  })

  test('asks for a key again if it is refused, and opens the page that was asked for', async () => {
    const { page } = await browser.openTab()
    await page.goto(at('/calls?status=failed'))
    await page.getByLabel('API key').fill('sk_test_0123456789abcdef0123456789')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('is not a key of this server')
    await browser.signIn(page, server.key)
    await heading(page, 'Calls').waitFor()
    expect(await page.getByRole('button', { name: 'failed' }).getAttribute('aria-pressed')).toBe('true')
    expect(page.url()).toBe(at('/calls?status=failed'))
  })

  test('places a call by keyboard alone, and plays its recording', async () => {
    const { page, complaints } = await browser.openSignedIn('/calls')
    await heading(page, 'Calls').waitFor()
    await page.getByRole('link', { name: 'Place a call' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('To', { exact: true }).focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('+9779812345678')
    await page.keyboard.press('Enter')
    await heading(page, '+9779812345678').waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    const player = page.getByLabel('Recording', { exact: true })
    await player.waitFor()
    await expect.poll(() => player.evaluate((audio) => Reflect.get(audio, 'duration'))).toBeGreaterThan(1)
    expect(await page.getByText('No phone rings').count()).toBe(1)
    await page.reload()
    await heading(page, '+9779812345678').waitFor()
    await page.goBack()
    expect(complaints).toEqual([])
  })

  test('holds back what comes while a list is read, and says how much', async () => {
    const { key } = await server.createAccount()
    const place = async (to: string) =>
      server.json('/agent/calls', { key, body: { to, agent_id: 'reminder' } })
    const { page } = await browser.openSignedIn('/calls', {}, key)
    await page.getByText('No calls yet.').waitFor()
    await place('+9779800000001')
    await page.getByRole('link', { name: '+9779800000001' }).waitFor()
    await place('+9779800000002')
    await page.getByRole('status').getByRole('button', { name: '1 new' }).waitFor()
    expect(await page.getByRole('link', { name: '+9779800000002' }).count()).toBe(0)
    await page.getByRole('button', { name: '1 new' }).click()
    await page.getByRole('link', { name: '+9779800000002' }).waitFor()
    expect(await page.getByRole('status').textContent()).toBe('')
  })

  test('goes to any page by name, and to any object by id, by keyboard alone', async () => {
    const { key } = await server.createAccount()
    const body = { to: '+9779812345678', agent_id: 'reminder' }
    const { call_id } = (await server.json<{ call_id: string }>('/agent/calls', { key, body })).body
    const { page, complaints } = await browser.openSignedIn('', {}, key)
    await heading(page, 'Home').waitFor()
    await page.keyboard.press('ControlOrMeta+K')
    const options = page.getByRole('dialog').getByRole('option')
    await page.getByRole('option', { name: 'Home', selected: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Calls', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Calls').waitFor()
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox').fill(`{"call_id":"${call_id}"}`)
    expect(await options.allTextContents()).toEqual([call_id])
    await page.keyboard.press('Enter')
    await heading(page, body.to).waitFor()
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type('veri')
    expect(await options.allTextContents()).toEqual(['Verifications', 'Verifications of “veri”'])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(page.url()).toBe(at(`/calls/${call_id}`))
    expect(complaints).toEqual([])
  })

  test('finds agents and models by name, reading each list once whatever is typed', async () => {
    const { page, complaints } = await browser.openSignedIn('')
    await heading(page, 'Home').waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type('REMINDER')
    await page.getByRole('option', { name: 'Appointment reminder Agents' }).waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('vaani-echo')
    await page.getByRole('option', { name: 'vaani-echo Models' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    await heading(page, 'vaani-echo').waitFor()
    const lists = ['/agent/agents', '/v1/voices', '/v1/lexicons']
    expect(lists.map((list) => asked.filter((path) => path === `/console/api${list}`).length)).toEqual([
      1, 1, 1,
    ])
    expect(complaints).toEqual([])
  })

  test('finds events, documents, refused requests and entries of the audit log by id', async () => {
    const { key } = await server.createAccount()
    const send = <Body>(route: string, body?: object) =>
      server.json<Body>(route, { key, ...(body && { body }) })
    const { endpoint_id } = (
      await send<{ endpoint_id: string }>('/webhooks/endpoints', {
        url: `${server.url}/hooks`,
        events: ['call.completed'],
      })
    ).body
    const { delivery_id } = (
      await send<{ delivery_id: string }>(`/webhooks/endpoints/${endpoint_id}/test`, {
        type: 'call.completed',
      })
    ).body
    const { event_id } = (await send<{ event_id: string }>(`/webhooks/deliveries/${delivery_id}`)).body
    const { type, body } = formOf([['image', makePdf([{ text: 'A short letter' }])]])
    const headers = { 'content-type': type, prefer: 'respond-async' }
    const { document_id } = (
      await server.json<{ document_id: string }>('/v1/ocr/process', { key, rawBody: body, headers })
    ).body
    for (const to of ['12', '13']) await send('/agent/calls', { to, agent_id: 'reminder' })
    const refused = await until(
      async () => (await send<{ data: { refusal_id: string }[] }>('/requests')).body.data,
      ({ length }) => length > 1,
    )

    const { page, complaints } = await browser.openSignedIn('', {}, key)
    const goTo = async (id: string) => {
      await page.keyboard.press('ControlOrMeta+K')
      await page.getByRole('combobox').fill(id)
      await page.keyboard.press('Enter')
    }
    const rows = page.getByRole('main').locator('table').first().getByRole('row')
    await heading(page, 'Home').waitFor()
    await goTo(`webhook-id: ${event_id}`)
    await page.locator(`a[href$="${delivery_id}"]`).waitFor()
    expect(await rows.count()).toBe(2)
    await page.getByRole('button', { name: `Remove ${event_id}` }).press('Enter')
    await page.waitForURL(at('/webhooks'))
    await goTo(document_id)
    await page.getByText('A short letter', { exact: true }).waitFor()
    expect(await lookAt(page)).toEqual([])
    expect(await lookAt(page, 1)).toEqual([])
    await goTo(refused[0]?.refusal_id ?? '')
    await page.getByText('What helps').waitFor()
    expect(await page.getByRole('main').locator('tbody [aria-expanded]').count()).toBe(1)
    const entries = (await send<{ data: { entry_id: string; action: string }[] }>('/admin/audit-log')).body
      .data
    const looked = entries.find(({ action }) => action === 'models.ocrDocument')
    await goTo(looked?.entry_id ?? '')
    await page.getByRole('link', { name: document_id }).waitFor()
    expect(await rows.count()).toBe(2)
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox').fill(`rev_${'0'.repeat(26)}`)
    await page.getByRole('status').getByText('with its case only').waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('says beside the field what the server refuses, and keeps what was typed', async () => {
    const { page } = await browser.openSignedIn('/calls/new')
    await page.getByLabel('Agent', { exact: true }).fill('nobody')
    await page.getByRole('button', { name: 'Place a call' }).click()
    await expect
      .poll(() => page.getByLabel('Agent', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    expect(await page.getByLabel('Agent', { exact: true }).inputValue()).toBe('nobody')
  })

  test('shows text of callers as text', async () => {
    const body = {
      to: '+9779812345678',
      agent_id: 'reminder',
      metadata: { [HOSTILE]: HOSTILE },
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    }
    const { call_id } = (await server.json<{ call_id: string }>('/agent/calls', { body })).body
    const { page, complaints } = await browser.openSignedIn(`/calls/${call_id}`)
    await page.getByText('JSON').click()
    expect(await page.locator('pre').textContent()).toContain('<script>')
    expect(await page.title()).toBe(`call_…${call_id.slice(-6)} · Vaani`)
    await page.getByRole('button', { name: 'Cancel the call' }).click()
    await page.getByText('Failed (canceled)').waitFor()
    expect(complaints).toEqual([])
  })

  test('says what a key may not see', async () => {
    const { key } = await server.createAccount({}, ['speech:write'])
    const { page } = await browser.openSignedIn('/calls', {}, key)
    await page.getByText('You may not see this.').waitFor()
  })

  test('signs out, and leaves nothing of the session in the browser', async () => {
    const { page, context } = await browser.openSignedIn('/calls')
    await heading(page, 'Calls').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByLabel('API key').waitFor()
    expect(await context.cookies()).toEqual([])
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    expect(stored + (await page.content())).not.toMatch(/sk_test_|acct_|\+977/)
  })

  test('asks for a key where it was when its session has ended', async () => {
    const { page } = await browser.openSignedIn('/calls')
    await page.getByRole('button', { name: 'failed' }).click()
    await page.waitForURL(at('/calls?status=failed'))
    await server.context.database.deleteFrom('console_sessions').execute()
    await server.context.authenticator.forgetAccount(await accountOf(server.key))
    // The page notices by itself.
    await page.getByLabel('API key').waitFor()
    await browser.signIn(page, server.key)
    await heading(page, 'Calls').waitFor()
    expect(page.url()).toBe(at('/calls?status=failed'))
  })

  test('is accessible in every state, size and colour', async () => {
    const { page } = await browser.openTab()
    await page.goto(at(''))
    await page.getByLabel('API key').waitFor()
    expect(await lookAt(page)).toEqual([])
    const paths = ['', '/calls', '/calls/new', '/nowhere']
    const found = await findFaults(browser, {
      full: { key: server.key, paths },
      empty: { key: (await server.createAccount()).key, paths: ['/calls'] },
      forbidden: { key: (await server.createAccount({}, ['speech:write'])).key, paths: ['', '/calls'] },
      broken: { key: server.key, paths: ['', '/calls'], isBroken: true },
    })
    expect(found).toEqual([])
  })

  test('shows each page of the menu after each other one', async () => {
    const { page, complaints } = await browser.openSignedIn('')
    const paths = await page
      .getByRole('navigation')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(paths.length).toBeGreaterThan(15)
    // Back as well, because what the first of two pages has read is known to the second.
    for (const path of [...paths, at('/playground?try=chat'), ...paths.toReversed()]) {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      expect([path, await page.locator('.problem').allInnerTexts()]).toEqual([path, []])
    }
    expect(complaints).toEqual([])
  })

  test('speaks Nepali if the browser does', async () => {
    const { page } = await browser.openTab({ locale: 'ne-NP' })
    await page.goto(at(''))
    await page.getByRole('button', { name: 'साइन इन' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('ne')
  })

  test('brings its font for Devanagari to pages on which it stands, and to no others', async () => {
    const fontsOf = async (page: Page) => {
      await page.waitForLoadState('networkidle')
      return page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.woff2'))",
      )
    }
    const { page: english } = await browser.openSignedIn('')
    await heading(english, 'Home').waitFor()
    expect(await fontsOf(english)).toEqual([])
    const { page: nepali, complaints } = await browser.openTab({ locale: 'ne-NP' })
    await nepali.goto(at(''))
    await nepali.getByRole('button', { name: 'साइन इन' }).waitFor()
    expect(await fontsOf(nepali)).toEqual([expect.stringContaining(at('/assets/noto-sans-devanagari'))])
    expect(await fontsUsedBy(nepali, 'button')).toContainEqual(
      expect.objectContaining({
        familyName: expect.stringContaining('Noto Sans Devanagari'),
        isCustomFont: true,
      }),
    )
    expect(complaints).toEqual([])
  })
})

/** Returns the fonts in which the browser has drawn an element. */
async function fontsUsedBy(page: Page, selector: string) {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('DOM.enable')
  await protocol.send('CSS.enable')
  const { root } = await protocol.send('DOM.getDocument')
  const { nodeId } = await protocol.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await protocol.send('CSS.getPlatformFontsForNode', { nodeId })
  return fonts
}

const accountOf = async (key: string): Promise<string> => {
  const { accountId } = (await server.context.authenticator.authenticate(key)) ?? {}
  return accountId ?? ''
}

test('its pages load nothing from elsewhere, are never stored, and are in no frame', async () => {
  const page = await fetch(at('/calls/anything'))
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
  )
  expect(page.headers.get('permissions-policy')).toMatch(/^microphone=\(self\), camera=\(\),/)
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect((await fetch(at('/assets/../../package.json'))).status).toBe(404)
  expect((await fetch(at('/assets/nothing.js'))).status).toBe(404)
})
