import { batchesResults, batchesRoutes } from '../generated/routes.ts'
import type { Batch, BatchResult, CreateBatchRequest } from '../generated/types.ts'
import { type ItemStream, iterable, type PendingStream, readNdjson } from '../streams/item-stream.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, methods, type Query } from './resource.ts'
import { growingInterval, type WaitOptions, waitUntilFinal } from './wait.ts'

const HOUR_MS = 3_600_000
const INTERVAL = { minMs: 2000, maxMs: 30_000 }

/** Asynchronous batches. */
export interface Batches {
  /** Takes up to 10 000 requests to one endpoint and processes them in the background. */
  create(batch: CreateBatchRequest, options?: RequestOptions): Pending<Batch>
  retrieve(batchId: string, options?: RequestOptions): Pending<Batch>
  /** Lists the account's batches, newest first. */
  list(query?: Query<'batches.list'>, options?: RequestOptions): List<Batch>
  /**
   * Streams one result per request, in the order in which the requests ended.
   *
   * @example
   * for await (const { custom_id, status } of vaani.batches.results(batch_id)) console.log(custom_id, status)
   */
  results(batchId: string, options?: RequestOptions): PendingStream<ItemStream<BatchResult>>
  /** Drops the requests that have not started. */
  cancel(batchId: string, options?: RequestOptions): Pending<Batch>
  /**
   * Polls the batch every 2 to 30 s until it is completed, failed or canceled.
   *
   * @param options `forMs` defaults to one hour
   * @throws StillPending if the batch is not final by then
   */
  waitUntilFinished(batchId: string, options?: WaitOptions): Promise<Batch>
}

/** Creates the batches namespace alone, for a smaller bundle. */
export function createBatches(connection: Connection): Batches {
  const transport = connect(connection)
  const plain = methods(transport, 'batches', batchesRoutes, list)
  return {
    ...plain,
    results: (id, options) =>
      iterable(
        transport.send({
          route: batchesResults,
          id,
          accept: 'application/x-ndjson',
          options,
          read: readNdjson<BatchResult>,
        }),
      ),
    waitUntilFinished: (id, options) =>
      waitUntilFinal(transport, {
        operation: 'batches.retrieve',
        id,
        forMs: HOUR_MS,
        ...options,
        read: (options) => plain.retrieve(id, options),
        statusOf: ({ status }) => status,
        finalStatuses: ['completed', 'failed', 'canceled'],
        intervalMs: growingInterval(INTERVAL),
      }),
  }
}
