import { deploymentsRoutes } from '../generated/routes.ts'
import type { DeployRequest, Deployment } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods } from './resource.ts'

/** Servers in the customer's own network. */
export interface Deployments {
  /** Returns a signed licence and a manifest that runs the server in the customer's network. Enterprise only. */
  create(deployment: DeployRequest, options?: RequestOptions): Pending<Deployment>
}

export const createDeployments = (connection: Connection): Deployments =>
  methods(connection, 'deployments', deploymentsRoutes)
