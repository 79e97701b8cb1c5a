import type { Events } from '@vaani/service-kit/telemetry/events'
import type { OcrEvent } from '../events.ts'
import type { DocumentStore } from './store.ts'
import type { DocumentUploads } from './uploads.ts'

const ERASED_AT_ONCE = 20

/** Makes the sweep that erases expired documents. Those that were not read end first, with their event. */
export function createDocumentSweep(options: {
  store: DocumentStore
  uploads: Pick<DocumentUploads, 'remove'>
  events: Events<OcrEvent>
}): () => Promise<void> {
  const { store, uploads, events } = options
  return async () => {
    for (let found = 1; found > 0;) {
      const expired = await store.listExpired(ERASED_AT_ONCE)
      for (const documentId of expired) {
        const ended = await store.expire(documentId)
        if (ended) events.record('document_ended', { document_id: documentId, outcome: ended.status })
        await uploads.remove(documentId)
        await store.delete(documentId)
        events.record('document_erased', { document_id: documentId })
      }
      found = expired.length
    }
  }
}
