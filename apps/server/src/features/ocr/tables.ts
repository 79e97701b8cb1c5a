import type { DocumentFailureReason, DocumentStatus, Id, OcrOptions } from '@vaani/contracts'
import type { Generated, Selectable } from 'kysely'

export interface DocumentTable {
  document_id: string
  account_id: Id<'account'>
  livemode: boolean
  status: DocumentStatus
  failure_reason: DocumentFailureReason | null
  language: string
  orientation: Generated<OcrOptions['orientation']>
  text_layer: Generated<OcrOptions['text_layer']>
  /** Sealed. */
  data_key: Buffer
  /** Pages, and how many of them ended each way. */
  total: number
  read: Generated<number>
  unreadable: Generated<number>
  created_at: Date
  /** When it is erased. */
  expires_at: Date
  completed_at: Date | null
  /** Trace context of the request that created it; null unless that is sampled. */
  traceparent: string | null
}

export type DocumentRow = Selectable<DocumentTable>

export interface DocumentPageTable {
  document_id: string
  /** From 1. */
  number: number
  worker_id: string | null
  /** How often it was started. */
  attempts: Generated<number>
  /** Earliest time of the next claim. */
  not_before: Generated<Date>
  /** Null until the page has ended. */
  outcome: 'read' | 'unreadable' | null
  /** Sealed; null until the page has ended. */
  result: Buffer | null
  /** Size of the result before it was packed. */
  bytes: number | null
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    documents: DocumentTable
    document_pages: DocumentPageTable
  }
}
