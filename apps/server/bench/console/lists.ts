import { median } from '../api/load.ts'
import { printTable } from '../speech/statistics.ts'
import type { BenchBrowser } from './browser.ts'

const PAGES_DEEP = 1000
const ROWS_OF_PAGE = 20
/** The most that a page may have, so that the way down is short. */
const ROWS_ON_THE_WAY = 100
const ROUNDS = 30

/** A list of the console, and what of it a person searches for. */
interface ListToRead {
  name: string
  path: string
  route: string
  searches: Readonly<Record<string, string>>
}

const LISTS: readonly ListToRead[] = [
  {
    name: 'calls',
    path: '/calls',
    route: '/agent/calls',
    searches: { 'that failed': '?status=failed', 'in progress (none)': '?status=in-progress' },
  },
  {
    name: 'verifications',
    path: '/verifications',
    route: '/identity/verifications',
    searches: { 'of a person': '?external_id=person 20', 'in review': '?status=review' },
  },
  {
    name: 'requests',
    path: '/requests',
    route: '/requests',
    searches: {
      'of a frequent code': '?code=invalid_phone',
      'of a rare code': '?code=state_conflict',
      'of an id that is not there': '?request_id=req_none',
    },
  },
]

/** Prints how long the server takes for what the lists of the console ask for. */
export async function printLists(browser: BenchBrowser, key: string, rows: number): Promise<void> {
  const headers = await browser.headersOf(key)
  const table: string[][] = []
  const time = async (list: string, what: string, url: string) => {
    const times = []
    for (let round = 0; round < ROUNDS; round++) {
      const startMs = performance.now()
      await read(url, headers)
      times.push(performance.now() - startMs)
    }
    table.push([list, what, median(times).toFixed(1), Math.max(...times).toFixed(1)])
  }
  for (const { name, path, route, searches } of LISTS) {
    const first = await askedBy(browser, key, path, route)
    await time(name, 'first page', first)
    await time(name, `page ${PAGES_DEEP}`, await goDown(first, headers))
    for (const [what, query] of Object.entries(searches))
      await time(name, what, await askedBy(browser, key, path + query, route))
  }
  console.log(
    `\n## Lists of ${rows.toLocaleString('en-US')} rows\n\nMilliseconds of the server for what the pages ask, ${ROUNDS} times each, over loopback. Page ${PAGES_DEEP} is reached by its cursor.\n`,
  )
  printTable(['list', '', 'median', 'worst'], table)
}

/** Returns the address that a page asks for its list. */
async function askedBy(browser: BenchBrowser, key: string, path: string, route: string): Promise<string> {
  await using tab = await browser.openTab(key)
  const asked = tab.page.waitForRequest(
    (request) => new URL(request.url()).pathname === `/console/api${route}`,
  )
  await tab.page.goto(browser.at(path))
  return (await asked).url()
}

interface Page {
  data: unknown[]
  next_cursor: string | null
}

async function read(url: string, headers: Record<string, string>): Promise<Page> {
  const answer = await fetch(url, { headers })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  const page: Page = JSON.parse(await answer.text())
  return page
}

/** Follows the cursors, and returns the address of a page far down. */
async function goDown(first: string, headers: Record<string, string>): Promise<string> {
  const at = new URL(first)
  for (let passed = 0; passed < (PAGES_DEEP - 1) * ROWS_OF_PAGE; passed += ROWS_ON_THE_WAY) {
    at.searchParams.set('limit', String(Math.min(ROWS_ON_THE_WAY, (PAGES_DEEP - 1) * ROWS_OF_PAGE - passed)))
    const { next_cursor } = await read(at.href, headers)
    if (next_cursor === null) throw new Error(`${first} has fewer pages`)
    at.searchParams.set('cursor', next_cursor)
  }
  at.searchParams.delete('limit')
  return at.href
}
