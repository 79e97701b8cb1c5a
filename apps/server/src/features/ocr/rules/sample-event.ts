import { DOCUMENT_EVENT_TYPES, type DocumentEventType, type OcrDocument } from '@vaani/contracts'
import type { Samples } from '../../webhooks/port.ts'

export const DOCUMENT_SAMPLES: Samples<DocumentEventType> = {
  [DOCUMENT_EVENT_TYPES.ended]({ now, makeId, livemode }) {
    const at = now.toISOString()
    const document_id = makeId('document')
    const data: OcrDocument = {
      document_id,
      status: 'completed',
      failure_reason: null,
      language: 'en',
      livemode,
      counts: { total: 12, read: 12, unreadable: 0 },
      created_at: at,
      completed_at: at,
      expires_at: at,
    }
    return { objectId: document_id, data }
  },
}
