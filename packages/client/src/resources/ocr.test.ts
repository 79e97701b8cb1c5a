import { expect, test } from 'vitest'
import { createService } from '../../test/support/service.ts'
import type { OcrDocument, OcrDocumentPages } from '../generated/types.ts'
import { createOcr } from './ocr.ts'

const DOCUMENT: OcrDocument = {
  document_id: 'doc_1',
  status: 'processing',
  failure_reason: null,
  language: 'en',
  livemode: false,
  counts: { total: 3, read: 0, unreadable: 0 },
  created_at: '2026-01-01T00:00:00Z',
  completed_at: null,
  expires_at: '2026-01-02T00:00:00Z',
}
type Page = OcrDocumentPages['pages'][number]
const page = (number: number, text: string, confidence: number): Page => ({
  number,
  error: null,
  text,
  confidence,
  page: { width: 10, height: 10, rotation: 0, source: 'recognition', blocks: [], barcodes: [] },
})
const unread: Page = {
  number: 3,
  error: { code: 'time_limit', message: 'The document has a page 3 that takes more than 30 s to read' },
}

/** A service that gives two pages, then nothing new, then the last one. */
const serve = (last: Page) => {
  const pages = [page(1, 'one', 1), page(2, 'two', 0.5), last]
  return createService(({ method, url }, number) => {
    if (method === 'POST') return Response.json(DOCUMENT, { status: 202 })
    const after = Number(url.searchParams.get('after'))
    const isOver = number > 3
    const known = pages.slice(after, isOver ? 3 : 2)
    return Response.json({
      ...DOCUMENT,
      status: isOver ? 'completed' : 'processing',
      pages: known.slice(0, 1),
      has_more: known.length > 1,
    })
  })
}
const image = new Blob(['%PDF'])

test('process follows a long document to its end, reading each page once', async () => {
  const { options, requests } = serve(page(3, 'three', 1))
  const { data, status } = await createOcr(options).process({ image }).withResponse()
  expect(status).toBe(202)
  expect(data).toMatchObject({ text: 'one\ftwo\fthree', language: 'en', confidence: 0.864 })
  expect(data.pages).toHaveLength(3)
  expect(requests.slice(1).map(({ url }) => url.searchParams.get('after'))).toEqual(['0', '1', '2'])
})

test('process is refused by the reason of a page that cannot be read; submit gives the others', async () => {
  await expect(createOcr(serve(unread).options).process({ image })).rejects.toMatchObject({
    name: 'ApiError',
    code: 'media_unreadable',
    retryable: false,
    message: 'models.ocr: 422 media_unreadable: The document has a page 3 that takes more than 30 s to read',
  })
  const ocr = createOcr(serve(unread).options)
  const { document_id } = await ocr.submit({ image })
  const { pages } = await ocr.waitUntilRead(document_id)
  expect(pages.map(({ error }) => error?.code)).toEqual([undefined, undefined, 'time_limit'])
})

test('asResponse gives the handle of a long document unread', async () => {
  const { options, requests } = serve(unread)
  const response = await createOcr(options).process({ image }).asResponse()
  expect(await response.json()).toEqual(DOCUMENT)
  expect(requests).toHaveLength(1)
})
