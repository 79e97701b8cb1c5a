import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenedImage } from '../image/open-image.ts'
import type { PageReader } from '../ocr/page-reader.ts'

export interface PageReaderConformanceOptions {
  name: string
  createReader(): PageReader | Promise<PageReader>
  /** A page, and words that are on it. */
  page(): Promise<OpenedImage>
  words: readonly string[]
  /** A page without text. */
  blank(): Promise<OpenedImage>
}

/** Tests a `PageReader`. */
export function runPageReaderConformance(options: PageReaderConformanceOptions): void {
  describe(`${options.name} as a page reader`, () => {
    let reader: PageReader
    beforeAll(async () => {
      reader = await options.createReader()
    }, 60_000)
    afterAll(() => reader?.[Symbol.asyncDispose]())

    test('reads the words of a page', { timeout: 60_000 }, async () => {
      const { text } = await reader.read(await options.page())
      for (const word of options.words) expect(text.toUpperCase()).toContain(word.toUpperCase())
    })

    test('reads next to nothing on a blank page', { timeout: 60_000 }, async () => {
      const { text } = await reader.read(await options.blank())
      expect(text.trim().length).toBeLessThan(20)
    })

    test('reads several pages concurrently', { timeout: 60_000 }, async () => {
      const page = await options.page()
      const [first, second] = await Promise.all([reader.read(page), reader.read(page)])
      expect(second).toEqual(first)
    })
  })
}
