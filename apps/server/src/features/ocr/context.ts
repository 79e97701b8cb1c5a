import type { DocumentReader } from '@vaani/identity-checks/ocr'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { PageWorker } from './documents/page-worker.ts'
import type { DocumentStore } from './documents/store.ts'
import type { DocumentUploads } from './documents/uploads.ts'
import type { OcrEvent } from './events.ts'
import type { OcrMetrics } from './metrics.ts'

/** Dependencies of the routes. */
export interface OcrContext extends Pick<
  Services,
  'clock' | 'database' | 'idempotency' | 'makeId' | 'unsealed' | 'vault'
> {
  reader: DocumentReader
  metrics: OcrMetrics
  events: Events<OcrEvent>
  store: DocumentStore
  uploads: DocumentUploads
  /** How long a document that is read in the background is kept. */
  retentionHours: number
  /** Null in a process that only serves requests. */
  worker: Pick<PageWorker, 'wake'> | null
}
