import { CheckRunError } from '@vaani/identity-checks/ocr'
import { unavailabilityOf } from '@vaani/service-kit/database/database-error'
import { storageFault } from '@vaani/service-kit/http/errors/storage-fault'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { type ClaimLoop, startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import type { OcrEvent } from '../events.ts'
import type { OcrMetrics } from '../metrics.ts'
import { MAX_ATTEMPTS, retryDelaySeconds } from '../rules/attempts.ts'
import { givenUpPage } from '../rules/page-error.ts'
import type { DocumentRow } from '../tables.ts'
import type { ClaimedPage } from './claim-pages.ts'
import { packPage } from './pack-page.ts'
import { createStoredPageReader, type StoredPageReaderOptions } from './read-stored-page.ts'
import type { DocumentStore } from './store.ts'

const POLL_MS = 1000
/** Delay before the retry of a page whose document or result could not be read or written. */
const OUTAGE_SECONDS = 5

/** Reads pages of documents in the background. On stop, those that outlast the grace period are left to another worker. */
export type PageWorker = ClaimLoop<ClaimedPage>

export interface PageWorkerOptions extends StoredPageReaderOptions {
  lease: WorkerLease
  /** Maximum number of pages that are read at a time. */
  places: number
  store: DocumentStore
  vault: Vault
  events: Events<OcrEvent>
  metrics: OcrMetrics
  log: Logger
}

/** If the worker dies or loses its lease, another reads its pages, up to `MAX_ATTEMPTS` times each in all. */
export function startPageWorker(options: PageWorkerOptions): PageWorker {
  const { lease, places, store, log } = options
  const read = createRead(options)
  const letGo = createLetGo(options)
  /** The account served last. */
  let after = ''
  return startClaimLoop<ClaimedPage>({
    name: 'documents',
    lease,
    places,
    pollMs: POLL_MS,
    async claim({ workerId, room, held }) {
      const claimed = await store.claim({ workerId, reading: held, room, after })
      after = claimed.at(-1)?.account_id ?? after
      return claimed
    },
    work: (page, hold) => read(page, hold).catch((error: unknown) => letGo(page, hold, error)),
    giveBack: (pages, workerId) => store.release(pages, workerId),
    onClaimError: (error) => log.warn({ error }, 'Documents are waiting for the database'),
    onWorkError: (error, { document_id }) =>
      log.warn({ error, document_id }, 'A page of a document could not be released'),
  })
}

/** Makes a function that reads a page, and writes its end. */
function createRead(options: PageWorkerOptions) {
  const { store, uploads, vault, events, metrics, log } = options
  const readStored = createStoredPageReader(options)

  async function endDocument({ document_id, status, read }: DocumentRow): Promise<void> {
    metrics.read.add({ outcome: read === 0 ? 'unreadable' : 'read' })
    events.record('document_ended', { document_id, outcome: status })
    // If this fails, the file is removed when the document expires.
    await uploads
      .remove(document_id)
      .catch((error: unknown) => log.warn({ error, document_id }, 'The file of a document was not removed'))
  }

  return async (page: ClaimedPage, { lease: { workerId }, cut }: Hold): Promise<void> => {
    const { document_id: documentId, number } = page
    const key = openDataKey(vault, documentId, page.data_key)
    const ended = page.attempts > MAX_ATTEMPTS ? givenUpPage(number) : await readStored(page, key, cut)
    const packed = await packPage(ended, { documentId, number, key })
    const document = await store.endPage(page, workerId, packed)
    if (document === undefined) return
    if (ended.error === null) metrics.pages.add({})
    if (document.completed_at !== null) await endDocument(document)
  }
}

/** Makes a function that releases a page after an error. If that fails as well, the next claim releases it. */
function createLetGo({ store, log }: Pick<PageWorkerOptions, 'store' | 'log'>) {
  return async (page: ClaimedPage, { lease: { workerId }, cut }: Hold, error: unknown): Promise<void> => {
    const { document_id, attempts: attempt } = page
    if (cut.aborted) return log.info({ document_id }, 'A page of a document is left to another worker')
    if (error instanceof CheckRunError && error.code === 'busy') return store.release([page], workerId)
    if (isOutage(error)) {
      log.warn({ error, document_id }, 'A page of a document is waiting for storage')
      return store.postpone(page, workerId, { delaySeconds: OUTAGE_SECONDS, countsAsAttempt: false })
    }
    log.warn({ error, document_id, attempt }, 'A page of a document could not be read')
    await store.postpone(page, workerId, { delaySeconds: retryDelaySeconds(attempt), countsAsAttempt: true })
  }
}

/** Whether the error is an outage that affects all documents, not a problem of this one. */
const isOutage = (error: unknown): boolean =>
  storageFault(error) !== undefined || unavailabilityOf(error) !== null
