import type { Db } from '@vaani/service-kit/database/connect'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import { sql } from 'kysely'

export const declareOcrMetrics = (meter: Meter) => ({
  read: meter.counter({
    name: 'vaani_documents_total',
    help: 'Documents by outcome: read, unreadable, busy if too many pages waited, left if the caller had gone, or failed',
    labels: { outcome: ['read', 'unreadable', 'busy', 'left', 'failed'] },
  }),
  pages: meter.counter({ name: 'vaani_document_pages_total', help: 'Pages of documents that were read' }),
  reading: meter.gauge({
    name: 'vaani_document_pages_reading',
    help: 'Pages that this worker is reading in the background',
  }),
  open: meter.gauge({
    name: 'vaani_documents_open',
    help: 'Documents to read in the background that have not ended',
  }),
})

export type OcrMetrics = ReturnType<typeof declareOcrMetrics>

/** Makes each scrape read the gauges. */
export function followDocuments(
  metrics: OcrMetrics,
  { worker, database }: { worker: { working: () => number }; database: Db },
): void {
  metrics.reading.follow({}, worker.working)
  metrics.open.follow({}, async () => {
    const { rows } = await openDocuments().execute(database)
    return rows[0]?.open ?? 0
  })
}

/** Counts open documents, of which every account may have few. */
const openDocuments = () => sql<{ open: number }>`
  select count(*)::integer as open from documents where status in ('queued', 'processing')`
