import type { Clock } from '@vaani/service-kit/clock'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db } from '@vaani/service-kit/database/connect'
import { inTransaction, type Queryable } from '@vaani/service-kit/database/transaction'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { CompiledQuery, Insertable } from 'kysely'
import type { Pool } from 'pg'
import type { PageState } from '../rules/ready-pages.ts'
import type { DocumentRow, DocumentTable } from '../tables.ts'
import { createDocumentEndStore, type DocumentEndStore } from './end-store.ts'
import { createHeldPageStore, type HeldPageStore } from './held-page-store.ts'

export interface DocumentStore extends HeldPageStore, DocumentEndStore {
  /** Writes a document and its pages, and runs `within`, in one transaction. */
  create(
    row: Insertable<DocumentTable>,
    within: (client: Queryable, row: DocumentRow) => Promise<void>,
  ): Promise<DocumentRow>
  find(tenant: Tenant, documentId: string): Promise<DocumentRow | undefined>
  /** Lists the pages after a number, in their order. */
  listPages(documentId: string, after: number): Promise<PageState[]>
  /** Reads the sealed results of the pages after a number and up to another, which have all ended. */
  readResults(
    documentId: string,
    range: { after: number; upTo: number },
  ): Promise<{ number: number; result: Buffer | null }[]>
}

export function createDocumentStore(options: {
  pool: Pool
  database: Db
  clock: Clock
  makeId: IdMaker
  /** Called after an event is committed. */
  onEvents: () => void
}): DocumentStore {
  const { pool, database } = options
  return {
    ...createHeldPageStore(options),
    ...createDocumentEndStore(options),
    create: (row, within) =>
      inTransaction(pool, async (client) => {
        const run = ({ sql, parameters }: CompiledQuery) => client.query<DocumentRow>(sql, [...parameters])
        const { rows } = await run(database.insertInto('documents').values(row).returningAll().compile())
        const [written] = rows
        if (written === undefined) throw new Error('The document was not written')
        const pages = Array.from({ length: row.total }, (_, index) => ({
          document_id: row.document_id,
          number: index + 1,
        }))
        await run(database.insertInto('document_pages').values(pages).compile())
        await within(client, written)
        return written
      }),
    find: ({ accountId, livemode }, documentId) =>
      database
        .selectFrom('documents')
        .where('document_id', '=', documentId)
        .where('account_id', '=', anyOf(accountId))
        .where('livemode', '=', livemode)
        .selectAll()
        .executeTakeFirst(),
    listPages: (documentId, after) =>
      database
        .selectFrom('document_pages')
        .where('document_id', '=', documentId)
        .where('number', '>', after)
        .select(['number', 'bytes'])
        .orderBy('number')
        .execute(),
    readResults: (documentId, { after, upTo }) =>
      database
        .selectFrom('document_pages')
        .where('document_id', '=', documentId)
        .where('number', '>', after)
        .where('number', '<=', upTo)
        .select(['number', 'result'])
        .orderBy('number')
        .execute(),
  }
}
