import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenedImage } from '../image/open-image.ts'
import type { PageReader, PageText } from '../ocr/page-reader.ts'

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

    let texts: Promise<readonly [PageText, PageText]> | undefined
    /** Reads the page twice at once, and only once for all tests, because a page may take seconds. */
    const readTwice = () =>
      (texts ??= options.page().then((page) => Promise.all([reader.read(page), reader.read(page)])))

    test('reads the words of a page', { timeout: 60_000 }, async () => {
      const [{ text }] = await readTwice()
      for (const word of options.words) expect(text.toUpperCase()).toContain(word.toUpperCase())
    })

    test('reads next to nothing on a blank page', { timeout: 60_000 }, async () => {
      const { text } = await reader.read(await options.blank())
      expect(text.trim().length).toBeLessThan(20)
    })

    test('reads several pages concurrently', { timeout: 60_000 }, async () => {
      const [first, second] = await readTwice()
      expect(second).toEqual(first)
    })
  })
}
