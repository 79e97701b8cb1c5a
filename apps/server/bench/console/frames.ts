import type { Page } from 'playwright-core'
import { printTable } from '../speech/statistics.ts'
import { type BenchBrowser, type Slowdown, SLOWDOWNS } from './browser.ts'

const SECONDS = 5
/** Longer than a frame of 60 a second takes, with room for how exactly a timer ends. */
const LATE_MS = 20
const BUSY_MS = 30
const EVERY_MS = 100

interface Frames {
  perSecond: number
  lateShare: number
  worstMs: number
  /** How often a second the line that shows what is heard has moved. */
  moves: number
}

/** A page on which something plays. */
interface Scene {
  name: string
  path: string
  /** Begins to play, and resolves once it does. */
  begin: (page: Page) => Promise<unknown>
}

const speakFor = async (page: Page): Promise<void> => {
  await page.getByLabel('Text', { exact: true }).fill('One more sentence that is spoken now. '.repeat(100))
  await page.getByRole('button', { name: 'Speak' }).click()
  await page.locator('.player path').waitFor({ state: 'attached' })
}
const playRecording = async (page: Page): Promise<void> => {
  await page.locator('.player audio').waitFor()
  await page.evaluate(`document.querySelector('.player audio').play()`)
}

/** Prints how evenly a page is drawn while it plays. */
export async function printFrames(browser: BenchBrowser, key: string, call: string): Promise<void> {
  const path = `/calls/${call}`
  const recording: Scene = { name: 'a recording plays', path, begin: playRecording }
  const scenes: readonly Scene[] = [
    { name: 'nothing plays', path, begin: (page) => page.locator('.player audio').waitFor() },
    recording,
    { name: 'speech streams, and its waveform grows', path: '/playground', begin: speakFor },
    {
      ...recording,
      name: `a recording plays, and a loop that is no part of the console takes ${BUSY_MS} of each ${EVERY_MS} ms`,
      begin: async (page) => {
        await playRecording(page)
        await page.evaluate(
          `void setInterval(() => { const end = performance.now() + ${BUSY_MS}; while (performance.now() < end); }, ${EVERY_MS})`,
        )
      },
    },
  ]
  const rows: string[][] = []
  for (const scene of scenes)
    for (const slowdown of SLOWDOWNS) {
      const { perSecond, lateShare, worstMs, moves } = await watch(browser, key, scene, slowdown)
      rows.push([
        scene.name,
        `${slowdown} ×`,
        perSecond.toFixed(1),
        `${(100 * lateShare).toFixed(1)} %`,
        worstMs.toFixed(0),
        moves.toFixed(0),
      ])
    }
  console.log(
    `\n## Frames\n\nBy the times of \`requestAnimationFrame\` over ${SECONDS} s each, in Chromium without a screen, which draws by the processor. The last rows prove that the method notices a busy page.\n`,
  )
  printTable(
    [
      'while',
      'slower',
      'frames a second',
      `later than ${LATE_MS} ms`,
      'longest, ms',
      'moves of the line a second',
    ],
    rows,
  )
}

async function watch(
  browser: BenchBrowser,
  key: string,
  { path, begin }: Scene,
  slowdown: Slowdown,
): Promise<Frames> {
  await using tab = await browser.openTab(key, slowdown)
  const { page } = tab
  await page.goto(browser.at(path))
  await begin(page)
  return await page.evaluate<Frames>(`new Promise((resolve) => {
    const times = []
    let moves = 0
    let at
    const note = (time) => {
      times.push(time)
      const now = document.querySelector('.playhead')?.style.transform
      if (now !== at) moves++
      at = now
      const tookMs = time - times[0]
      if (tookMs < ${SECONDS * 1000}) return requestAnimationFrame(note)
      const gaps = times.slice(1).map((end, index) => end - times[index])
      resolve({
        perSecond: (1000 * gaps.length) / tookMs,
        lateShare: gaps.filter((gap) => gap > ${LATE_MS}).length / gaps.length,
        worstMs: Math.max(...gaps),
        moves: (1000 * Math.max(0, moves - 1)) / tookMs,
      })
    }
    requestAnimationFrame(note)
  })`)
}
