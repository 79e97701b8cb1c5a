import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Turns } from '@vaani/turns'
import type { WebhooksPort } from '../webhooks/port.ts'
import type { BatchLogEvent } from './events.ts'
import type { BatchStore } from './store.ts'
import type { BatchWorker } from './work/batch-worker.ts'
import type { ResultStore } from './work/result-store.ts'

/** Dependencies of the routes of batches. */
export interface BatchContext extends Pick<
  Services,
  'clock' | 'database' | 'idempotency' | 'log' | 'makeId' | 'vault'
> {
  webhooks: WebhooksPort
  events: Events<BatchLogEvent>
  store: BatchStore
  results: ResultStore
  /** One at a time for each account. */
  uploads: Turns
  /** Null in a process that only serves requests. */
  worker: Pick<BatchWorker, 'drop' | 'wake'> | null
}
