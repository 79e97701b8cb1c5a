import type { Readable } from 'node:stream'
import { contract, LINES_TYPES } from '@vaani/contracts'
import { createInnerRequests, type InnerRequests } from '@vaani/service-kit/http/inner/inner-requests'
import { JSON_TYPES } from '@vaani/service-kit/http/body/json-types'
import { mountStreamed } from '@vaani/service-kit/http/body/mount-streamed'
import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { defineFeature, handle, type Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { createTurns } from '@vaani/turns'
import { z } from 'zod'
import type { AccountAuthenticator } from '../../tenancy/authenticator.ts'
import type { WebhooksPort } from '../webhooks/port.ts'
import type { BatchContext } from './context.ts'
import { BATCH_EVENTS, type BatchLogEvent } from './events.ts'
import { batchLimit } from './limit.ts'
import { type BatchMetrics, declareBatchMetrics, followBatches } from './metrics.ts'
import * as batches from './migrations/0024-batches.ts'
import { createBatch } from './routes/create.ts'
import { cancelBatch, listBatches, readResults, retrieveBatch } from './routes/read.ts'
import { BATCH_SAMPLES } from './rules/sample-event.ts'
import { type BatchSettings, batchSettings } from './settings.ts'
import { createBatchStore } from './store.ts'
import { startBatchWorker } from './work/batch-worker.ts'
import { createResultStore } from './work/result-store.ts'

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
  | 'vault'
> & {
  authenticator: AccountAuthenticator
  webhooks: WebhooksPort
  settings: BatchSettings
  events: Events<BatchLogEvent>
  metrics: BatchMetrics
}

const DELETED_AT_ONCE = 20
const DAY_MS = 86_400_000

/** The route that reads its requests as they arrive is mounted separately. */
const { create: createRoute, ...wholeRoutes } = contract.batches

/** Batches: many requests to one endpoint, made in the background. */
export const batchesFeature = defineFeature({
  name: 'batches',
  contract: { batches: contract.batches },
  settings: batchSettings,
  migrations: { '0024-batches': batches },
  sealed: [{ table: 'batches', column: 'data_key', id: 'batch_id' }],
  events: BATCH_EVENTS,
  metrics: declareBatchMetrics,
  async start(needs: Needs) {
    const { webhooks, settings, blobs, isWorker, clock, held, database, events } = needs
    webhooks.provideSamples(BATCH_SAMPLES)
    const store = createBatchStore({ ...needs, onEvents: webhooks.wake })
    const results = createResultStore({ blobs, store })
    const inner = Promise.withResolvers<InnerRequests>()
    const worker = isWorker
      ? startBatchWorker({
          ...needs,
          limit: needs.authenticator.limitOwn,
          places: settings.batchPlaces,
          store,
          results,
          inner: inner.promise,
        })
      : null
    if (worker !== null) {
      held.defer(() => worker.stop(STOP_NOW))
      followBatches(needs.metrics, { worker, database })
    }
    const uploads = createTurns({ places: Infinity, placesPerTenant: 1 })
    const context: BatchContext = { ...needs, store, results, uploads, worker }
    return {
      mounts: [
        handle(wholeRoutes, {
          retrieve: retrieveBatch(context),
          list: listBatches(context),
          results: readResults(context),
          cancel: cancelBatch(context),
        }),
        mountCreate(context),
        async (app) => inner.resolve(createInnerRequests(app)),
      ],
      port: undefined,
      workers: worker ? [worker] : [],
      counters: { unfinished_batches: (principal) => batchLimit.count(database, principal) },
      sweeps: {
        async batches() {
          const endedBefore = new Date(clock.nowMs() - settings.batchRetentionDays * DAY_MS)
          for (let found = 1; found > 0;) {
            const old = await store.listOld(endedBefore, DELETED_AT_ONCE)
            for (const batchId of old) {
              await results.delete(batchId)
              events.record('batch_deleted', { batch_id: batchId })
            }
            found = old.length
          }
        },
      },
    }
  },
})

const mountCreate =
  (context: BatchContext): Mount =>
  async (app) => {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser([...JSON_TYPES, ...LINES_TYPES], (_, payload, done) => done(null, payload))
      // The body is parsed while it streams in, so no schema validates it here.
      const route = { ...createRoute, body: z.custom<Readable>() }
      await mountStreamed(scope, route, { receive: createBatch(context), idempotency: context.idempotency })
    })
  }
