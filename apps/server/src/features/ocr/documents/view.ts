import type { OcrDocument } from '@vaani/contracts'
import type { DocumentRow } from '../tables.ts'

export const toDocument = (row: DocumentRow): OcrDocument => ({
  document_id: row.document_id,
  status: row.status,
  failure_reason: row.failure_reason,
  language: row.language,
  livemode: row.livemode,
  counts: { total: row.total, read: row.read, unreadable: row.unreadable },
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
})
