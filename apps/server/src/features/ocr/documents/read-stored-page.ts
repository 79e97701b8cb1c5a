import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { OcrDocumentPage } from '@vaani/contracts'
import { type DocumentReader, MediaError, type ReadPage, toLanguageCodes } from '@vaani/identity-checks/ocr'
import { describePage } from '../describe-pages.ts'
import { unreadablePage } from '../rules/page-error.ts'
import type { ClaimedPage } from './claim-pages.ts'
import type { DocumentUploads } from './uploads.ts'

export interface StoredPageReaderOptions {
  reader: Pick<DocumentReader, 'readPage'>
  uploads: DocumentUploads
  /** Folder of this process for unencrypted media. */
  unsealed: { path: string }
}

/** Makes a function that reads a page of a stored document. @throws CheckRunError, BlobError, VaultError */
export function createStoredPageReader({ reader, uploads, unsealed }: StoredPageReaderOptions) {
  return async (page: ClaimedPage, key: Buffer, signal: AbortSignal): Promise<OcrDocumentPage> => {
    const { document_id, number, account_id: owner, orientation, text_layer: textLayer } = page
    const languages = toLanguageCodes(page.language)
    if (languages === undefined) throw new Error('The data of a language was removed')
    const file = path.join(unsealed.path, randomUUID())
    await using held = new AsyncDisposableStack()
    held.defer(() => rm(file, { force: true }))
    await uploads.unpack(document_id, { file, key })
    let read: ReadPage
    try {
      const document = { file, languages, orientation, textLayer, owner, signal }
      read = await reader.readPage(document, number - 1)
    } catch (error) {
      if (error instanceof MediaError) return unreadablePage(number, error)
      throw error
    }
    return describePage(number, read)
  }
}
