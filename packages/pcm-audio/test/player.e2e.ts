import { CHROMIUM } from '@vaani/browser'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FLAGS, type Pages, servePages } from './pages.ts'
import type * as Harness from './player/harness.ts'

// Runs the player in a real browser and measures its output.
const RATE_HZ = 16_000
/** The server sends a stream at three times real time, in chunks that split samples. */
const CHUNK_BYTES = 4801
const CHUNK_EVERY_MS = 50

/** Makes the bytes of a tone. */
function toneBytes(seconds: number): Buffer {
  const samples = Int16Array.from({ length: seconds * RATE_HZ }, (_, index) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * 440 * index) / RATE_HZ)),
  )
  return Buffer.from(samples.buffer)
}

declare const harness: typeof Harness

// Again, because Chromium itself leaves out audio, without a sign of it, while the machine is too busy.
describe('the player in Chromium', { tags: 'chromium', retry: 2 }, () => {
  let pages: Pages
  let url: string
  let browser: Browser
  let page: Page
  let requestClosed = false

  beforeAll(async () => {
    pages = await servePages({
      scripts: {
        '/harness.js': 'player/harness.ts',
        '/player-worklet.js': '../src/player/worklet-file.ts',
      },
      respond({ pathname, searchParams }, response) {
        if (pathname !== '/tone') return false
        const bytes = toneBytes(Number(searchParams.get('seconds')))
        let at = 0
        const timer = setInterval(() => {
          if (at >= bytes.length) response.end()
          else response.write(bytes.subarray(at, (at += CHUNK_BYTES)))
        }, CHUNK_EVERY_MS)
        response.on('close', () => {
          clearInterval(timer)
          requestClosed = at < bytes.length
        })
        return true
      },
    })
    url = pages.url
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: [...FLAGS] })
  })
  afterAll(async () => {
    await browser?.close()
    pages.close()
  })
  beforeEach(async () => {
    requestClosed = false
    page = await browser.newPage()
    await page.goto(`${url}/page`)
    await page.waitForFunction(() => 'harness' in globalThis)
  })
  afterEach(() => page.close())

  test('plays a whole stream from a server in order and without gaps', async () => {
    const result = await page.evaluate(async () => harness.playStream('/tone?seconds=2', {}))
    expect(result.playedMs).toBeCloseTo(2000, 0)
    expect(result.underruns).toBe(0)
    // 440 Hz, from the first audible sample to the last.
    expect(result.soundMs).toBeGreaterThan(1990)
    expect(result.soundMs).toBeLessThan(2015)
    expect(result.toneHz).toBeCloseTo(440, 0)
    expect(result.peak).toBeCloseTo(12_000 / 32_768, 2)
    // The largest step of a sine of this level; a click would exceed it.
    expect(result.largestStep).toBeLessThan(1.05 * (12_000 / 32_768) * ((2 * Math.PI * 440) / RATE_HZ))
  })

  test('resamples for a context with another rate', async () => {
    const result = await page.evaluate(async () =>
      harness.playStream('/tone?seconds=1', { contextRateHz: 48_000 }),
    )
    expect(result.playedMs).toBeCloseTo(1000, 0)
    expect(result.toneHz).toBeCloseTo(440, 0)
    expect(result.underruns).toBe(0)
  })

  test('plays two channels apart, at the rate of the context and at another', async () => {
    for (const contextRateHz of [RATE_HZ, 48_000]) {
      const result = await page.evaluate(async (rate) => harness.playStereo(rate), contextRateHz)
      expect(result.leftHz).toBeCloseTo(440, 0)
      expect(result.rightHz).toBeCloseTo(880, 0)
      expect(result.playedMs).toBeCloseTo(500, 0)
    }
  })

  test('can load its worklet from a file, for a strict content security policy', async () => {
    await page.goto(`${url}/strict`)
    await page.waitForFunction(() => 'harness' in globalThis)
    await expect(page.evaluate(async () => harness.playStream('/tone?seconds=0.5', {}))).rejects.toThrow('')
    const result = await page.evaluate(async () =>
      harness.playStream('/tone?seconds=0.5', { workletUrl: '/player-worklet.js' }),
    )
    expect(result.playedMs).toBeCloseTo(500, 0)
  })

  test('falls silent at once when it is flushed, and plays later audio', async () => {
    const result = await page.evaluate(async () => harness.bargeIn())
    expect(result.silentAfterMs).toBeLessThan(150)
    expect(result.bufferedAfterFlushMs).toBe(0)
    expect(result.secondHz).toBeCloseTo(880, -1)
  })

  test('fades and counts an underrun, and prebuffers again after it', async () => {
    const result = await page.evaluate(async () => harness.starve())
    expect(result.underruns).toBe(1)
    expect(result.playedMs).toBeCloseTo(600, 0)
    expect(result.largestStep).toBeLessThan(0.1)
  })

  test('reads only as far ahead as allowed, and an abort ends the request and the sound', async () => {
    const result = await page.evaluate(async () => harness.abortStream('/tone?seconds=20'))
    expect(result.maxBufferedMs).toBeLessThan(1500)
    expect(result.error).toBe('enough')
    expect(result.bufferedMs).toBe(0)
    await expect.poll(() => requestClosed).toBe(true)
  })
})
