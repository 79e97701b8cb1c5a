import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { contract, LIMITS } from '@vaani/contracts'
import { createDocumentReader } from '@vaani/identity-checks/ocr'
import { mountStreamed } from '@vaani/service-kit/http/body/mount-streamed'
import { JSON_TYPES } from '@vaani/service-kit/http/body/json-types'
import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { defineFeature, handle, type Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { z } from 'zod'
import type { IdentityPort } from '../identity/port.ts'
import type { WebhooksPort } from '../webhooks/port.ts'
import type { OcrContext } from './context.ts'
import { documentLimit } from './documents/limit.ts'
import { startPageWorker } from './documents/page-worker.ts'
import { createDocumentStore } from './documents/store.ts'
import { createDocumentSweep } from './documents/sweep-documents.ts'
import { createDocumentUploads } from './documents/uploads.ts'
import { OCR_EVENTS, type OcrEvent } from './events.ts'
import { declareOcrMetrics, followDocuments, type OcrMetrics } from './metrics.ts'
import * as documents from './migrations/0038-documents.ts'
import * as documentOptions from './migrations/0041-document-options.ts'
import { requireLanguages } from './require-languages.ts'
import { processDocument } from './routes/process.ts'
import { retrieveDocument } from './routes/retrieve.ts'
import { DOCUMENT_SAMPLES } from './rules/sample-event.ts'
import { type OcrSettings, ocrSettings } from './settings.ts'

type Needs = Pick<
  Services,
  | 'blobs'
  | 'clock'
  | 'database'
  | 'held'
  | 'idempotency'
  | 'isWorker'
  | 'lease'
  | 'log'
  | 'makeId'
  | 'pool'
  | 'unsealed'
  | 'vault'
> & {
  identity: Pick<IdentityPort, 'photos'>
  webhooks: WebhooksPort
  settings: OcrSettings
  events: Events<OcrEvent>
  metrics: OcrMetrics
}

/** One more of each than is allowed, so that the refusal can name the part. The size is limited while it arrives. */
const FORM_LIMITS = {
  fieldNameSize: 100,
  fields: 4,
  fieldSize: 4096,
  files: 2,
  parts: 6,
  fileSize: Number.POSITIVE_INFINITY,
}

const { ocr, ocrDocument } = contract.models

/** Text recognition of documents, at once or in the background. */
export const ocrFeature = defineFeature({
  name: 'ocr',
  contract: { models: { ocr, ocrDocument } },
  settings: ocrSettings,
  migrations: { '0038-documents': documents, '0041-document-options': documentOptions },
  sealed: [{ table: 'documents', column: 'data_key', id: 'document_id' }],
  events: OCR_EVENTS,
  metrics: declareOcrMetrics,
  async start(needs: Needs) {
    const { settings, metrics, events, database, blobs, isWorker, held, log, identity, webhooks } = needs
    requireLanguages(settings.ocrLanguages)
    webhooks.provideSamples(DOCUMENT_SAMPLES)
    const reader = held.use(
      createDocumentReader({
        // An account may use all but one, so that one is left for the others.
        places: Math.max(2, availableParallelism()),
        maxPages: LIMITS.ocrPages,
        pageProcessorMs: settings.ocrPageSeconds * 1000,
        photos: { photoReader: identity.photos.photoReader, directory: identity.photos.directory },
        onTrouble: ({ job, end }) => log.warn({ operation: job, outcome: end }, 'A document was not read'),
      }),
    )
    const store = createDocumentStore({ ...needs, onEvents: webhooks.wake })
    const uploads = createDocumentUploads(blobs)
    const worker = isWorker
      ? startPageWorker({ ...needs, places: settings.ocrBackgroundPages, reader, store, uploads })
      : null
    if (worker !== null) {
      held.defer(() => worker.stop(STOP_NOW))
      followDocuments(metrics, { worker, database })
    }
    const retentionHours = settings.ocrRetentionHours
    const context: OcrContext = { ...needs, reader, store, uploads, retentionHours, worker }
    return {
      mounts: [handle({ ocrDocument }, { ocrDocument: retrieveDocument(context) }), mountProcess(context)],
      port: undefined,
      workers: worker ? [worker] : [],
      counters: { unfinished_documents: (principal) => documentLimit.count(database, principal) },
      sweeps: { documents: createDocumentSweep({ store, uploads, events }) },
    }
  },
})

const mountProcess =
  (context: OcrContext): Mount =>
  async (app) => {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      await scope.register(multipart, { limits: FORM_LIMITS })
      scope.addContentTypeParser([...JSON_TYPES], (_, payload, done) => done(null, payload))
      // The body is parsed while it arrives, so no schema validates it here.
      const route = { ...ocr, body: z.custom<Readable>() }
      const { idempotency } = context
      await mountStreamed(scope, route, { receive: processDocument(context), idempotency })
    })
  }
