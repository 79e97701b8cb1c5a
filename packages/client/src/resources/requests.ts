import { requestsRoutes } from '../generated/routes.ts'
import type { RefusalSummary, RefusedRequest } from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods, type Query } from './resource.ts'

/** Requests of the account that were refused. */
export interface Requests {
  /**
   * Lists refused requests, newest first; the query filters by request id, key, route, status and error code.
   *
   * @example
   * for await (const { code, param } of vaani.requests.list({ operation: 'calls.place' })) console.log(code, param)
   */
  list(query?: Query<'requests.list'>, options?: RequestOptions): List<RefusedRequest>
  /** Counts the refused requests of the last 24 hours by error code and route, the most frequent first. */
  summary(options?: RequestOptions): Pending<RefusalSummary>
}

/** Creates the requests namespace alone, for a smaller bundle. */
export const createRequests = (connection: Connection): Requests =>
  methods(connection, 'requests', requestsRoutes, list)
