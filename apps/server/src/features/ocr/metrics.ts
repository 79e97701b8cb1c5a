import type { Meter } from '@vaani/service-kit/telemetry/meter'

export const declareOcrMetrics = (meter: Meter) => ({
  read: meter.counter({
    name: 'vaani_documents_total',
    help: 'Documents by outcome: read, unreadable, busy if too many pages waited, left if the caller had gone, or failed',
    labels: { outcome: ['read', 'unreadable', 'busy', 'left', 'failed'] },
  }),
  pages: meter.counter({ name: 'vaani_document_pages_total', help: 'Pages of documents that were read' }),
})

export type OcrMetrics = ReturnType<typeof declareOcrMetrics>
