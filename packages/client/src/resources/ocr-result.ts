import { ApiError } from '../errors.ts'
import type { OcrDocument, OcrDocumentPages, OcrResult } from '../generated/types.ts'
import type { Pending } from '../transport/pending.ts'

/** Resolves with the result of a request whose response may be the handle of a document. */
export function finishLater(
  sent: Pending<OcrResult | OcrDocument>,
  finish: (document: OcrDocument) => Promise<OcrResult>,
): Pending<OcrResult> {
  // Undefined if the caller takes the response instead.
  const result = sent.then((answer) => (answer && 'document_id' in answer ? finish(answer) : answer))
  return Object.assign(result, {
    async withResponse() {
      // Callers see the rejection here; silence the duplicate on `result`.
      result.catch(() => undefined)
      return { ...(await sent.withResponse()), data: await result }
    },
    asResponse: () => sent.asResponse(),
  })
}

/** Joins the pages of a document. @throws ApiError `media_unreadable` if one of them could not be read */
export function toResult({ language, status, pages }: OcrDocumentPages): OcrResult {
  const read = pages.map((page) => {
    if (page.error !== null) throw unreadable(page.error.message)
    return page
  })
  if (status === 'failed') throw unreadable('The document expired before it was read')
  const letters = read.reduce((sum, { text }) => sum + text.length, 0) || 1
  const confidence = read.reduce((sum, page) => sum + page.confidence * page.text.length, 0) / letters
  const fields = read.find((page) => page.fields)?.fields
  return {
    text: read.map(({ text }) => text).join('\f'),
    language,
    confidence: Math.round(confidence * 1000) / 1000,
    pages: read.map(({ page }) => page),
    ...(fields && { fields }),
  }
}

const unreadable = (sentence: string): ApiError =>
  new ApiError({
    operation: 'models.ocr',
    attempts: 1,
    status: 422,
    code: 'media_unreadable',
    retryable: false,
    param: 'image',
    sentence,
  })
