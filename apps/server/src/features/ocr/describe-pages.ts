import type { OcrDocumentPage, OcrResult } from '@vaani/contracts'
import { meanConfidence, type ReadPage, textOf } from '@vaani/identity-checks/ocr'

const confidenceOf = (pages: readonly ReadPage[]): number =>
  Math.round(meanConfidence(pages.flatMap(({ blocks }) => blocks)) * 1000) / 1000

/** Joins the text of all pages. */
export const textOfPages = (pages: readonly ReadPage[]): string =>
  pages.map(({ blocks }) => textOf(blocks)).join('\f')

/** Describes a document that was read at once. */
export function describePages(pages: readonly ReadPage[]): Omit<OcrResult, 'language'> {
  const fields = pages.map((page) => page.fields).find((found) => Object.keys(found).length > 0)
  return {
    text: textOfPages(pages),
    confidence: confidenceOf(pages),
    pages: pages.map(({ fields: _, ...page }) => page),
    ...(fields && { fields }),
  }
}

/** Describes a page of a document that is read in the background. */
export function describePage(number: number, read: ReadPage): OcrDocumentPage {
  const { fields, error, ...page } = read
  if (error !== undefined)
    return { number, error: { code: error.code, message: `The page ${error.message}` } }
  return {
    number,
    error: null,
    text: textOf(page.blocks),
    confidence: confidenceOf([read]),
    page,
    ...(Object.keys(fields).length > 0 && { fields }),
  }
}
