/** The live page and the report as a file, in a real browser. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { CHROMIUM, WITHOUT_WINDOW_PAGES } from '@vaani/browser'
import { runCli } from '@vaani/cli'
import { createId } from '@vaani/contracts'
import { CONDITION_NAMES } from '@vaani/contracts/migration'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { renderReport } from '../src/features/migration/page/render-report.ts'
import { EXAMPLE_REPORT } from '@vaani/migration-charts/example-report'
import { ADMIN_KEY, startTestWorker, type TestWorker } from './support/start-test-worker.ts'
import { makePair, storePairs } from './support/store-pairs.ts'

const HOSTILE = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script>`
const PAIR_ID = createId('pair', { nowMs: 0, random: new Uint8Array(10) })

let worker: TestWorker
beforeAll(async () => {
  const pair = makePair({ pair_id: PAIR_ID })
  worker = await startTestWorker()
  await storePairs(worker, [{ ...pair, v2: { ...pair.v2, reason_codes: [HOSTILE] } }])
  await changeStage('shadow-1')
})
afterAll(() => worker?.[Symbol.asyncDispose]())

const changeStage = (stage: string) =>
  worker.send('PUT', '/migration/stage', { body: { stage, reason: HOSTILE, actor: HOSTILE } })

/** Runs `vaani shadow …` against the worker. */
async function vaani(...line: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runCli(['shadow', ...line], {
    stdin: new PassThrough(),
    stdout,
    stderr,
    variables: { VAANI_SHADOW_URL: worker.url, VAANI_SHADOW_API_KEY: ADMIN_KEY, USER: 'asha' },
    homeDirectory: '/nowhere',
    signal: new AbortController().signal,
  })
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }
}

test('the page is public and holds nothing; the report needs the key', async () => {
  const page = await fetch(worker.url)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-/)
  expect(await page.text()).not.toContain(PAIR_ID)
  const refused = await fetch(`${worker.url}/migration/report.html`)
  expect(refused.status).toBe(401)
  const report = await fetch(`${worker.url}/migration/report.html`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  })
  expect(report.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(report.headers.get('cache-control')).toBe('no-store')
  expect(await report.text()).toContain(PAIR_ID)
})

test('the command line steers the worker', async () => {
  expect(await vaani('status')).toMatchObject({ code: 9, stdout: expect.stringContaining('shadow-1') })
  const { stdout } = await vaani('mismatches', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ pair_id: PAIR_ID })
  expect(await vaani('promote', '--reason', 'Too early')).toMatchObject({ code: 6 })
  expect(await vaani('kill')).toMatchObject({ code: 0 })
  expect((await vaani('status')).stdout).toMatch(/\nkill_switch +engaged by api\n/)
  expect(await vaani('kill', '--off')).toMatchObject({ code: 0 })
  expect((await vaani('status')).stdout).toMatch(/\nkill_switch +off\n/)
})

test('the command line replays stored submissions, each once however often it runs', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'shadow-replay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = { front_image: 'front', back_image: 'back', liveness_video: 'video' }
  for (const name of Object.values(files)) await writeFile(path.join(folder, name), name)
  const lines = ['user-1', 'user-2', 'user-3'].map((external_id) => ({ ...files, external_id }))
  await writeFile(path.join(folder, 'manifest.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  await changeStage('shadow-100')
  const first = await vaani('replay', folder, '--json')
  const again = await vaani('replay', folder, '--json')
  await changeStage('shadow-1')
  const pairsOf = ({ stdout }: typeof first) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => String(JSON.parse(line).pair_id))
      .toSorted()
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(new Set(pairsOf(first))).toHaveProperty('size', 3)
  expect(pairsOf(again)).toEqual(pairsOf(first))
})

describe('in Chromium', { tags: 'chromium' }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM ?? '',
      args: ['--no-sandbox', WITHOUT_WINDOW_PAGES],
    })
  })
  afterAll(() => browser?.close())

  /** Opens a tab without a key, and notes what the browser complains about and what leaves the worker. */
  async function openTab(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== worker.url && protocol !== 'file:' && protocol !== 'data:')
        complaints.push(request.url())
    })
    return { page, complaints }
  }

  const stageOn = (page: Page) => page.locator('#report .stage')

  /** Returns what axe finds on the page with all that folds open, its best practices included. */
  async function findBarriers(page: Page): Promise<string[]> {
    await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
    await page.evaluate(axe.source)
    const results: AxeResults = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    )
  }

  test('takes the key from the address, which then has none, and keeps it for the tab', async () => {
    const { page, complaints } = await openTab()
    await page.goto(`${worker.url}/#key=${ADMIN_KEY}`)
    await stageOn(page).waitFor()
    expect(page.url()).toBe(`${worker.url}/`)
    expect(await page.content()).not.toContain(ADMIN_KEY)
    await page.reload()
    await stageOn(page).waitFor()
    expect(await page.title()).toMatch(/^Migration from v1 to v2: shadow/)
    expect(complaints).toEqual([])
  })

  test('asks for the key by keyboard alone, and again if it is refused', async () => {
    const { page } = await openTab()
    await page.goto(worker.url)
    await page.locator('#key').waitFor()
    // Following a link with a key in the same tab loads no page.
    await page.goto(`${worker.url}/#key=${ADMIN_KEY}`)
    await stageOn(page).waitFor()
    expect(page.url()).toBe(`${worker.url}/`)
    await page.getByRole('button', { name: 'Forget the key' }).press('Enter')
    await page.keyboard.type('sk_live_wrong')
    await page.keyboard.press('Enter')
    await page.getByText('This key was not accepted.').waitFor()
    await page.keyboard.type(ADMIN_KEY)
    await page.keyboard.press('Enter')
    await stageOn(page).waitFor()
    await page.getByRole('button', { name: 'Forget the key' }).press('Enter')
    await page.locator('#key').waitFor()
    expect(await page.locator('#report').textContent()).toBe('')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('hostile texts are shown, not run', async () => {
    const { page, complaints } = await openTab()
    await page.goto(`${worker.url}/#key=${ADMIN_KEY}`)
    await stageOn(page).waitFor()
    expect(await page.locator('#open-mismatches').textContent()).toContain(HOSTILE)
    expect(await page.locator('#history').textContent()).toContain(HOSTILE)
    expect(await page.locator('#report img, #report script').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('renews itself without moving the reader, until it is paused', async () => {
    const { page } = await openTab()
    await page.clock.install()
    await page.goto(`${worker.url}/#key=${ADMIN_KEY}`)
    await stageOn(page).waitFor()
    await page.locator('#conditions-table').focus()
    await changeStage('shadow-10')
    await page.clock.runFor(5000)
    await page.locator('.stage', { hasText: /10/ }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('conditions-table')
    await page.getByRole('button', { name: 'Pause' }).click()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.clock.runFor(60_000)
    expect(requests).toEqual([])
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Live. Renewed every 5 s.').waitFor()
    expect(requests).toHaveLength(1)
    await changeStage('shadow-1')
  })

  test('keeps the last report while the worker does not answer, and says so', async () => {
    const { page } = await openTab()
    await page.clock.install()
    await page.goto(`${worker.url}/#key=${ADMIN_KEY}`)
    await stageOn(page).waitFor()
    await page.route('**/report.html', (route) => route.abort())
    await page.clock.runFor(5000)
    await page.getByText('The worker does not answer. This report is of').waitFor()
    expect(await stageOn(page).isVisible()).toBe(true)
    await page.unroute('**/report.html')
    await page.clock.runFor(5000)
    await page.getByText('Live.').waitFor()
  })

  describe.each([360, 1280])('%d px wide', (width) => {
    test.for(['light', 'dark'] as const)('fits the screen, in %s colours', async (colorScheme) => {
      const { page, complaints } = await openTab({ viewport: { width, height: 800 }, colorScheme })
      await page.goto(`${worker.url}/#key=${ADMIN_KEY}`)
      await stageOn(page).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const isNarrow = width < 800
      expect(await page.locator('.chart.narrow').first().isVisible()).toBe(isNarrow)
      expect(await page.locator('.chart.wide').first().isVisible()).toBe(!isNarrow)
      const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(paper).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(22, 24, 29)')
      expect(complaints).toEqual([])
    })

    test.for(['light', 'dark'] as const)('is accessible, in %s colours', async (colorScheme) => {
      const { page } = await openTab({ viewport: { width, height: 800 }, colorScheme })
      await page.goto(worker.url)
      await page.locator('#key').waitFor()
      const atLogin = await findBarriers(page)
      await page.goto(`${worker.url}/#key=${ADMIN_KEY}`)
      await stageOn(page).waitFor()
      const live = await findBarriers(page)
      await page.setContent(renderReport(EXAMPLE_REPORT))
      const inFile = await findBarriers(page)
      expect({ atLogin, live, inFile }).toEqual({ atLogin: [], live: [], inFile: [] })
    })
  })

  test.for(['light', 'dark'] as const)(
    'is less than five screens of a phone with every condition, in %s colours',
    async (colorScheme) => {
      const { page } = await openTab({ viewport: { width: 390, height: 844 }, colorScheme })
      const { migration } = EXAMPLE_REPORT
      const { verdict } = migration
      const conditions = CONDITION_NAMES.flatMap((name, index) =>
        verdict.conditions.slice(index % 3, (index % 3) + 1).map((condition) => ({ ...condition, name })),
      )
      const report = { ...EXAMPLE_REPORT, migration: { ...migration, verdict: { ...verdict, conditions } } }
      await page.setContent(renderReport(report))
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5 * 844)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    },
  )

  test('the file from the command line shows the same, without a server', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'shadow-report-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const out = path.join(folder, 'report.html')
    expect(await vaani('report', '--out', out)).toMatchObject({ code: 0 })
    expect(await readFile(out, 'utf8')).not.toContain(ADMIN_KEY)
    const { page, complaints } = await openTab({ javaScriptEnabled: false })
    await page.goto(pathToFileURL(out).href)
    expect(await stageOn(page).textContent()).toMatch(/^shadow/)
    expect(await page.locator('.chart.wide svg').first().isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })
})
