import { modelsOcr, modelsOcrDocument } from '../generated/routes.ts'
import type { OcrDocument, OcrDocumentPages, OcrRequest, OcrResult } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import type { MediaSource } from '../media-source.ts'
import { finishLater, toResult } from './ocr-result.ts'
import { upload } from './upload.ts'
import { jsonUpload, type UploadOptions } from '../upload/upload-body.ts'
import { connect, type Connection, type Query } from './resource.ts'
import { growingInterval, type WaitOptions, waitUntilFinal } from './wait.ts'

const HOUR_MS = 3_600_000
const INTERVAL = { minMs: 2000, maxMs: 15_000 }

/** A document as a source. */
export type DocumentToRead = Omit<OcrRequest, 'image_b64'> & { readonly image: MediaSource }

/** Text recognition. */
export interface Ocr {
  /**
   * Returns the text of an image (JPEG, PNG, WebP, HEIC, AVIF or TIFF) or a PDF, with the position of each block, line and word.
   * A document of more than ten pages is read in the background, and polled for up to an hour.
   *
   * @throws ApiError `media_unreadable` if a page cannot be read; `submit` gives the other pages as well
   * @throws StillPending if it has not been read by then
   * @example
   * const { text } = await vaani.ocr.process({ image: 'letter.png', language: 'ne' })
   */
  process(document: DocumentToRead, options?: RequestOptions & UploadOptions): Pending<OcrResult>
  /**
   * Has a document read in the background, whatever its length.
   *
   * @example
   * const { document_id } = await vaani.ocr.submit({ image: 'contract.pdf' })
   * const { pages } = await vaani.ocr.waitUntilRead(document_id)
   * for (const page of pages) if (page.error === null) console.log(page.number, page.text)
   */
  submit(document: DocumentToRead, options?: RequestOptions & UploadOptions): Pending<OcrDocument>
  /** Returns the status of a document, and the pages after `after` that are done. */
  retrieve(
    documentId: string,
    query?: Query<'models.ocrDocument'>,
    options?: RequestOptions,
  ): Pending<OcrDocumentPages>
  /**
   * Polls the document every 2 to 15 s until it is completed or failed, and returns it with all its pages.
   *
   * @param options `forMs` defaults to one hour
   * @throws StillPending if the document is not final by then
   */
  waitUntilRead(documentId: string, options?: WaitOptions): Promise<OcrDocumentPages>
}

/** Creates the text recognition namespace alone, for a smaller bundle. */
export function createOcr(connection: Connection): Ocr {
  const transport = connect(connection)

  const retrieve: Ocr['retrieve'] = (id, query, options) =>
    transport.send({ route: modelsOcrDocument, id, query, options })

  const waitUntilRead: Ocr['waitUntilRead'] = (id, options) => {
    const pages: OcrDocumentPages['pages'] = []
    return waitUntilFinal(transport, {
      operation: 'models.ocrDocument',
      id,
      forMs: HOUR_MS,
      ...options,
      async read(readOptions) {
        for (;;) {
          const document = await retrieve(id, { after: pages.at(-1)?.number ?? 0 }, readOptions)
          pages.push(...document.pages)
          if (!document.has_more) return { ...document, pages }
        }
      },
      statusOf: ({ status }) => status,
      finalStatuses: ['completed', 'failed'],
      intervalMs: growingInterval(INTERVAL),
    })
  }

  return {
    process({ image, ...fields }, options) {
      // What the two responses have in common.
      const route = { ...modelsOcr, fields: 'language' } as const
      const sent = upload<'models.ocr', OcrResult | OcrDocument>(
        transport,
        route,
        jsonUpload,
        { media: { image }, fields },
        options,
      )
      return finishLater(sent, async (document) =>
        toResult(await waitUntilRead(document.document_id, { signal: options?.signal })),
      )
    },
    submit: ({ image, ...fields }, options) =>
      upload<'models.ocr', OcrDocument>(
        transport,
        { ...modelsOcr, fields: modelsOcrDocument.fields },
        jsonUpload,
        { media: { image }, fields },
        { ...options, headers: { ...options?.headers, prefer: 'respond-async' } },
      ),
    retrieve,
    waitUntilRead,
  }
}
