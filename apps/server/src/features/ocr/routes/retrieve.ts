import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import type { OcrContext } from '../context.ts'
import { unpackPage } from '../documents/pack-page.ts'
import { requireDocument } from '../documents/require-document.ts'
import { toDocument } from '../documents/view.ts'
import { readyPages } from '../rules/ready-pages.ts'

/** Pages of one response, unless a single page is larger. */
const MAX_BYTES = 2_097_152

/** GET /v1/ocr/documents/{document_id} */
export const retrieveDocument =
  ({ store, vault }: OcrContext): Handler<Contract['models']['ocrDocument']> =>
  async ({ params: { document_id: documentId }, query: { after }, request, reply }) => {
    // Read before its pages, so that one that has ended comes with all of them.
    const row = await requireDocument(store, principalOf(request), documentId)
    const { upTo, hasMore } = readyPages(await store.listPages(documentId, after), MAX_BYTES)
    const key = openDataKey(vault, documentId, row.data_key)
    const results = upTo === 0 ? [] : await store.readResults(documentId, { after, upTo })
    const pages = await Promise.all(
      results.flatMap(({ number, result }) =>
        result ? [unpackPage(result, { documentId, number, key })] : [],
      ),
    )
    reply.header('cache-control', 'no-store')
    return { status: 200, body: { ...toDocument(row), pages, has_more: hasMore } }
  }
