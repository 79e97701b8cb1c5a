import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CHROMIUM } from '@vaani/browser'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { encodeWav, interleave } from '../src/index.ts'
import type * as Harness from './microphone/harness.ts'
import { FLAGS, type Pages, servePages } from './pages.ts'

declare const harness: typeof Harness

const tone = (hz: number) =>
  Int16Array.from(
    { length: 48_000 * 4 },
    (_, index) => 12_000 * Math.sin((2 * Math.PI * hz * index) / 48_000),
  )

// Chromium's fake device plays a file: 440 Hz on the left, 880 Hz on the right.
describe('the microphone in Chromium', { tags: 'chromium' }, () => {
  let folder: string
  let pages: Pages
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vaani-microphone-'))
    const file = path.join(folder, 'microphone.wav')
    await writeFile(
      file,
      encodeWav(interleave([tone(440), tone(880)]), { sampleRateHz: 48_000, channels: 2 }),
    )
    pages = await servePages({
      scripts: {
        '/harness.js': 'microphone/harness.ts',
        '/resampler-worklet.js': 'microphone/resampler-worklet.ts',
        '/microphone-worklet.js': '../src/microphone/worklet-file.ts',
      },
    })
    browser = await chromium.launch({
      executablePath: CHROMIUM ?? '',
      args: [
        ...FLAGS,
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${file}`,
      ],
    })
  })
  afterAll(async () => {
    await browser?.close()
    pages.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    page = await browser.newPage()
    await page.goto(`${pages.url}/page`)
    await page.waitForFunction(() => 'harness' in globalThis)
  })
  afterEach(() => page.close())

  test('gives frames of two channels at the wanted rate, each with its tone', async () => {
    const heard = await page.evaluate(async () => harness.listen({ sampleRateHz: 16_000, channels: 2 }))
    expect(heard.lengths).toEqual([640])
    expect(heard.tonesHz[0]).toBeCloseTo(440, -1)
    expect(heard.tonesHz[1]).toBeCloseTo(880, -1)
    expect(heard.peak).toBeGreaterThan(10_000)
    expect(heard.droppedMs).toBe(0)
  })

  test('mixes to mono, with frames of any length, from a worklet file on a strict page', async () => {
    await page.goto(`${pages.url}/strict`)
    await page.waitForFunction(() => 'harness' in globalThis)
    await expect(page.evaluate(async () => harness.listen({ sampleRateHz: 8000 }))).rejects.toThrow('')
    const heard = await page.evaluate(async () =>
      harness.listen({ sampleRateHz: 8000, frameMs: 10, workletUrl: '/microphone-worklet.js' }),
    )
    expect(heard.lengths).toEqual([80])
    expect(heard.peak).toBeGreaterThan(8000)
  })

  test('keeps the newest audio for a reader that is late', async () => {
    const { keptMs, droppedMs } = await page.evaluate(async () => harness.neglect())
    expect(keptMs).toBe(100)
    expect(droppedMs).toBeGreaterThanOrEqual(200)
  })

  test('ends with its device', async () => {
    const { frames } = await page.evaluate(async () => harness.unplug())
    expect(frames).toBeGreaterThanOrEqual(5)
  })

  test('a resampler works in an AudioWorklet, with WebAssembly', async () => {
    const result = await page.evaluate(async () => harness.resampleInWorklet())
    expect(result).toMatchObject({ kernel: 'wasm', samples: 16_000, hasAtob: false })
    expect(result.peak).toBeGreaterThan(9900)
  })
})
