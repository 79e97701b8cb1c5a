import { printTable } from '../speech/statistics.ts'
import { median } from '../api/load.ts'
import { type BenchBrowser, type Slowdown, SLOWDOWNS } from './browser.ts'
import type { PageToOpen } from './pages.ts'

const BOUND_MS = 1500
/** What a person came for: a row, a fact or a field, within the main part. */
const CONTENT = ':is(.list tbody tr, .uses li, dl dd, form)'
/** Ends only what hangs. */
const WITHIN_MS = 60_000

/** Prints how long each page takes until it shows what a person came for, and loads nothing more. */
export async function printUsable(
  browser: BenchBrowser,
  pages: readonly PageToOpen[],
  rounds: number,
): Promise<void> {
  const rows = []
  for (const page of pages) {
    const times: Record<Slowdown, number[]> = { 1: [], 4: [] }
    for (let round = 0; round < rounds; round++)
      for (const slowdown of SLOWDOWNS) times[slowdown].push(await open(browser, page, slowdown))
    rows.push({ page, times })
  }
  const late = rows.filter(({ times }) => median(times[4]) > BOUND_MS).length
  console.log(
    `\n## Until a page is usable\n\nMilliseconds from the navigation, with nothing cached, until the heading and the first row, field or fact are painted and nothing is loading; ${rounds} rounds. At 4 × slower the bound is ${BOUND_MS} ms: ${late} of ${rows.length} pages miss it.\n`,
  )
  printTable(
    ['page', 'median', 'worst', '4 × slower', 'its worst'],
    rows
      .toSorted((one, other) => median(other.times[4]) - median(one.times[4]))
      .map(({ page, times }) => [
        nameOf(page),
        ...SLOWDOWNS.flatMap((slowdown) => [median(times[slowdown]), Math.max(...times[slowdown])]).map(
          (ms) => ms.toFixed(0),
        ),
      ]),
  )
}

async function open(browser: BenchBrowser, { path, key }: PageToOpen, slowdown: Slowdown): Promise<number> {
  await using tab = await browser.openTab(key, slowdown)
  const usable = Promise.withResolvers<number>()
  await tab.page.exposeFunction('noteUsable', usable.resolve)
  await tab.page.addInitScript(`
    const observer = new MutationObserver(() => {
      const isThere = (selector) => document.querySelector('main ' + selector) !== null
      if (!isThere('h1') || !isThere('${CONTENT}') || isThere('.loading')) return
      observer.disconnect()
      // A task after the next frame begins once that frame is painted.
      requestAnimationFrame(() => setTimeout(() => noteUsable(performance.now())))
    })
    observer.observe(document, { childList: true, subtree: true })`)
  const timer = setTimeout(async () => {
    const shown = await tab.page.locator('body').innerText()
    usable.reject(new Error(`${path} never became usable, and shows: ${shown}`))
  }, WITHIN_MS)
  try {
    await tab.page.goto(browser.at(path))
    return await usable.promise
  } finally {
    clearTimeout(timer)
  }
}

/** Names the page without the id of its object. */
const nameOf = ({ path }: PageToOpen): string => path.replace(/\/[^/]*_[^/]+$/, '/…') || '/'
