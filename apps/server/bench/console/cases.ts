import type { Vaani } from '@vaani/client'
import { until } from '@vaani/test-services/until'
import type { Page } from 'playwright-core'
import { makeMedia } from '../../test/support/submissions.ts'
import { median } from '../api/load.ts'
import { printTable } from '../speech/statistics.ts'
import type { BenchBrowser, Slowdown } from './browser.ts'

/** What a person presses for a case that is open: look, decide, confirm. Every other case is declined, for a reason. */
const KEYS = [
  ['b', 'a', 'Enter'],
  ['b', 'd', '1', 'Enter'],
] as const

/** Submits people whom the checks leave to people, and returns the id of one once all wait. */
export async function submitCases(client: Vaani, count: number): Promise<string> {
  const { image, video } = await makeMedia()
  const media = { front_image: image, back_image: image, liveness_video: video }
  const sent = Array.from({ length: count }, (_, index) =>
    client.identity.submit({ ...media, external_id: `test_review_glare:${index}` }),
  )
  const [first] = await Promise.all(sent)
  await until(
    () => client.reviews.counts(),
    ({ reviews }) => reviews === count,
  )
  return first?.verification_id ?? ''
}

/** Prints what a reviewer without a mouse presses, and how long the console takes until it shows what was asked for. */
export async function printCases(
  browser: BenchBrowser,
  key: string,
  count: number,
  slowdown: Slowdown,
): Promise<void> {
  await using tab = await browser.openTab(key, slowdown)
  const { page } = tab
  await page.addInitScript(WATCH)
  await page.goto(browser.at('/reviews'))
  await page.getByRole('table').waitFor()
  const steps = { look: [] as Step[], dialog: [] as Step[], next: [] as Step[] }
  let pressed = 0
  const press = async (name: string, shown: string) => {
    pressed++
    await page.evaluate(`watchFor((from) => ${shown})`)
    await page.keyboard.press(name)
    return await page.evaluate<Step>('shown')
  }
  await press('n', NEXT)
  for (let done = 0; done < count; done++)
    for (const name of KEYS[done % KEYS.length] ?? []) {
      if (name === 'b') steps.look.push(await press(name, PICTURE))
      else if (name === 'Enter') steps.next.push(await press(name, done === count - 1 ? QUEUE : NEXT))
      else if (name === '1') await press(name, CHOSEN)
      else steps.dialog.push(await press(name, DIALOG))
    }
  await expectNone(page)
  console.log(
    `\n## ${count} cases without a mouse\n\n${pressed} keys for ${count} cases, ${(pressed / count).toFixed(1)} each, and no other input: take the next, look, approve or decline with a reason, confirm, which takes and opens the next. Milliseconds from the key until the page has painted what was asked for, and those of them in which no request was under way.\n`,
  )
  const row = (what: string, taken: readonly Step[]) => {
    const [all, own] = [taken.map(({ ms }) => ms), taken.map(({ ownMs }) => ownMs)]
    return [
      what,
      ...[median(all), Math.max(...all), median(own), Math.max(...own)].map((ms) => ms.toFixed(0)),
    ]
  }
  printTable(
    ['from the key to', 'median', 'worst', 'of the console', 'its worst'],
    [
      row('the pictures', steps.look),
      row('the question before a decision', steps.dialog),
      row('the next case, from its confirmation', steps.next),
    ],
  )
}

interface Step {
  ms: number
  /** Those in which no request was under way. */
  ownMs: number
}

/** Conditions on the page, once a key is pressed. */
const PICTURE = `document.querySelector('main [role="img"], main img') !== null`
const DIALOG = `document.querySelector('[role="dialog"], dialog[open]') !== null`
const CHOSEN = `document.querySelector('dialog input:checked, [role="dialog"] input:checked') !== null`
/** The next case is shown once it can be decided, at another address than that at which the key was pressed. */
const NEXT = `location.pathname !== from && document.querySelector('[aria-keyshortcuts="a"]') !== null`
const QUEUE = `location.pathname.endsWith('/reviews')`

/** Measures in the page itself, so that no message to the browser counts. */
const WATCH = `
  performance.setResourceTimingBufferSize(10_000)
  globalThis.watchFor = (isShown) => void (globalThis.shown = new Promise((resolve) => {
    const from = location.pathname
    let startMs
    addEventListener('keydown', ({ timeStamp }) => (startMs = timeStamp), { capture: true, once: true })
    const look = () => {
      if (startMs === undefined || !isShown(from)) return requestAnimationFrame(look)
      setTimeout(() => {
        const endMs = performance.now()
        resolve({ ms: endMs - startMs, ownMs: endMs - startMs - waitedMs(startMs, endMs) })
      })
    }
    requestAnimationFrame(look)
  }))
  function waitedMs(startMs, endMs) {
    let sum = 0
    let until = startMs
    for (const { startTime, responseEnd, name } of performance.getEntriesByType('resource')) {
      if (name.endsWith('/events')) continue
      const begin = Math.max(startTime, until)
      const end = Math.min(responseEnd, endMs)
      if (end > begin) sum += end - begin
      until = Math.max(until, end)
    }
    return sum
  }`

async function expectNone(page: Page): Promise<void> {
  await page.getByText('Nobody waits.').first().waitFor()
}
