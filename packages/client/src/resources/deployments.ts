import { deploymentsRoutes } from '../generated/routes.ts'
import type { DeployRequest, Deployment } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods } from './resource.ts'

/** Models in the customer's own network. */
export interface Deployments {
  /** The answer holds the licence; it is shown this once. */
  create(deployment: DeployRequest, options?: RequestOptions): Pending<Deployment>
}

export const createDeployments = (connection: Connection): Deployments =>
  methods(connection, 'deployments', deploymentsRoutes)
