import { systemRoutes } from '../generated/routes.ts'
import type { Health, Readiness } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, type Data, methods } from './resource.ts'

/** Health and metadata of the server, for operators. */
export interface System {
  health(options?: RequestOptions): Pending<Health>
  /** Fails with `service_unavailable` if the server cannot take requests. */
  ready(options?: RequestOptions): Pending<Readiness>
  /** Returns the OpenAPI document of the routes that the server serves. */
  openapi(options?: RequestOptions): Pending<Data<'system.openapi'>>
}

export const createSystem = (connection: Connection): System => methods(connection, 'system', systemRoutes)
