/** A page in Chromium that speaks what is typed while it is typed. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { bundleFile, CHROMIUM, HEADLESS } from '@vaani/browser'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Talk } from './page/talk.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

describe('a page that talks while one types', { tags: 'chromium' }, () => {
  let server: TestServer
  let browser: Browser
  let page: Page
  let script = ''
  const site = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost')
    const isScript = pathname === '/page.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? script : `<body><script type="module" src="/page.js${search}"></script>`)
  })

  beforeAll(async () => {
    server = await startTestServer()
    script = await bundleFile(path.join(import.meta.dirname, 'page/talking-page.ts'))
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    const flags = [...HEADLESS, '--autoplay-policy=no-user-gesture-required']
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: flags })
    page = await browser.newPage()
    const query = new URLSearchParams({ apiKey: server.key, baseUrl: server.url })
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/?${query}`)
    await page.waitForFunction(() => globalThis.talk?.heard.some(({ type }) => type === 'started'))
  })
  afterAll(async () => {
    await browser?.close()
    site.close()
    site.closeAllConnections()
    await server?.[Symbol.asyncDispose]()
  })

  const heard = () => page.evaluate((): Talk['heard'] => globalThis.talk?.heard ?? [])
  const played = () => page.evaluate(() => globalThis.talk?.played() ?? { playedMs: 0, bufferedMs: 0 })
  const phrases = async () =>
    (await heard()).flatMap(({ text }) => (text?.endsWith('.') || text?.endsWith('!') ? [text] : []))
  const untilHeard = (type: string, count: number) =>
    page.waitForFunction(
      ([wanted, times]) =>
        (globalThis.talk?.heard.filter((event) => event.type === wanted).length ?? 0) >= times,
      [type, count] as const,
    )

  test('speaks a sentence before the next one is typed', async () => {
    await page.type('#text', 'Good morning, and welcome. The ')
    await page.waitForFunction(() => (globalThis.talk?.played().playedMs ?? 0) > 300)
    expect(await phrases()).toEqual(['Good morning, and welcome.'])
    await page.type('#text', 'weather is fine.')
    await page.press('#text', 'Enter')
    await untilHeard('flushed', 1)
    expect(await phrases()).toEqual(['Good morning, and welcome.', 'The weather is fine.'])
    await page.waitForFunction(() => globalThis.talk?.played().bufferedMs === 0)
  })

  test('shifts the emotion in mid-sentence, from the next one on', async () => {
    await page.type('#text', 'I was sad, but then ')
    await page.selectOption('#emotion', 'excited')
    await page.type('#text', 'it changed! And now I laugh.')
    await page.press('#text', 'Enter')
    await untilHeard('flushed', 2)
    const [first, second] = (await heard())
      .filter(({ text }) => /(?:changed!|laugh\.)$/.test(text ?? ''))
      .filter(({ text }) => (text ?? '').includes(' '))
    expect([first?.text, second?.text]).toEqual(['I was sad, but then it changed!', 'And now I laugh.'])
    expect(first?.at_ms).toBeLessThan(second?.at_ms ?? 0)
    await page.waitForFunction(() => globalThis.talk?.played().bufferedMs === 0)
  })

  test('is silent when interrupted, and speaks what is typed next', async () => {
    const before = await played()
    await page.type('#text', 'This is a long story. '.repeat(20))
    await page.waitForFunction(
      (from) => (globalThis.talk?.played().playedMs ?? 0) > from + 500,
      before.playedMs,
    )
    await page.click('#stop')
    await untilHeard('canceled', 1)
    await page.waitForFunction(() => globalThis.talk?.played().bufferedMs === 0)
    const { playedMs } = await played()
    // Twenty sentences last half a minute.
    expect(playedMs - before.playedMs).toBeLessThan(25_000)
    const marks = (await heard()).length
    await page.type('#text', 'Yes, what is it?')
    await page.press('#text', 'Enter')
    await untilHeard('flushed', 3)
    const after = (await heard()).slice(marks).filter(({ text }) => text?.includes(' '))
    expect(after.map(({ text }) => text)).toEqual(['Yes, what is it?'])
    await page.waitForFunction((from) => (globalThis.talk?.played().playedMs ?? 0) > from + 300, playedMs)
  })
})
