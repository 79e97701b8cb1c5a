import { DOCUMENT_EVENT_TYPES, type DocumentFailureReason, type OcrDocument } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import { sql } from 'kysely'
import { deriveEventId, writeEvent } from '../../webhooks/port.ts'
import type { DocumentRow } from '../tables.ts'
import type { PageKey } from './claim-pages.ts'
import type { PackedPage } from './pack-page.ts'
import { toDocument } from './view.ts'

/** Ends of pages, and of their documents with their events. */
export interface DocumentEndStore {
  /**
   * Writes the end of a page that the worker still holds, and that of its document after the last page.
   *
   * @returns the document; undefined, without any change, if the worker no longer holds the page
   */
  endPage(page: PageKey, workerId: string, packed: PackedPage): Promise<DocumentRow | undefined>
  /** Lists documents that have expired. */
  listExpired(limit: number): Promise<string[]>
  /** Ends a document that was not read before it expired. A no-op for those that have ended. */
  expire(documentId: string): Promise<DocumentRow | undefined>
  /** Deletes a document and what was read of it. */
  delete(documentId: string): Promise<void>
}

export function createDocumentEndStore(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): DocumentEndStore {
  const { database, clock, makeId, onEvents } = options
  const nowDate = () => new Date(clock.nowMs())

  /** Ends an open document, with its event. */
  async function end(
    tx: Tx,
    documentId: string,
    failureReason: DocumentFailureReason | null,
  ): Promise<DocumentRow | undefined> {
    const now = nowDate()
    const ended = await tx
      .updateTable('documents')
      .set({
        status: failureReason === null ? 'completed' : 'failed',
        failure_reason: failureReason,
        completed_at: now,
      })
      .where('document_id', '=', documentId)
      .where('status', 'in', ['queued', 'processing'])
      .returningAll()
      .executeTakeFirst()
    if (ended) await writeEnd(tx, ended, { clock, makeId, created_at: now })
    return ended
  }

  /** Runs a step in a transaction. */
  async function endWithin(
    run: (tx: Tx) => Promise<DocumentRow | undefined>,
  ): Promise<DocumentRow | undefined> {
    const document = await database.transaction().execute(run)
    if (document !== undefined && document.completed_at !== null) onEvents()
    return document
  }

  return {
    endPage: (page, workerId, packed) =>
      endWithin(async (tx) => {
        const counted = await writePage(tx, page, workerId, packed)
        if (counted === undefined) return undefined
        const { document_id, read, unreadable, total } = counted
        if (read + unreadable < total) return counted
        return end(tx, document_id, read === 0 ? 'unreadable' : null)
      }),
    async listExpired(limit) {
      const rows = await database
        .selectFrom('documents')
        .where('expires_at', '<=', nowDate())
        .select('document_id')
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      return rows.map(({ document_id }) => document_id)
    },
    expire: (documentId) => endWithin((tx) => end(tx, documentId, 'expired')),
    async delete(documentId) {
      await database.transaction().execute(async (tx) => {
        await tx.deleteFrom('document_pages').where('document_id', '=', documentId).execute()
        await tx.deleteFrom('documents').where('document_id', '=', documentId).execute()
      })
    },
  }
}

/** Writes the end of a page that its worker still holds, and counts it in its document. */
async function writePage(
  tx: Tx,
  { document_id, number }: PageKey,
  workerId: string,
  { outcome, result, bytes }: PackedPage,
): Promise<DocumentRow | undefined> {
  // In this order, so that two pages that end at the same time are both counted.
  await sql`select from documents where document_id = ${document_id} for update`.execute(tx)
  const { numUpdatedRows } = await tx
    .updateTable('document_pages')
    .set({ worker_id: null, outcome, result, bytes })
    .where('document_id', '=', document_id)
    .where('number', '=', number)
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  return tx
    .updateTable('documents')
    .set((column) => ({ [outcome]: column(outcome, '+', 1) }))
    .where('document_id', '=', document_id)
    .returningAll()
    .executeTakeFirst()
}

async function writeEnd(
  tx: Tx,
  row: DocumentRow,
  { created_at, ...ids }: { clock: Clock; makeId: IdMaker; created_at: Date },
): Promise<void> {
  const type = DOCUMENT_EVENT_TYPES.ended
  // A document may fail after it was restored, and the event has one type for both ends.
  const objectId = `${row.document_id} ${row.status}`
  const event_id = deriveEventId({ objectId, objectCreatedAt: row.created_at, type, step: 0 }, ids)
  const data: OcrDocument = toDocument(row)
  await writeEvent(tx, {
    event_id,
    account_id: row.account_id,
    livemode: row.livemode,
    type,
    object_id: row.document_id,
    callback_url: null,
    body: JSON.stringify({ event_id, type, created_at: created_at.toISOString(), data }),
    created_at,
    traceparent: currentTraceparent() ?? row.traceparent,
  })
}
