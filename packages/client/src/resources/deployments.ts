import { deploymentsCreate } from '../generated/routes.ts'
import type { DeployRequest, Deployment } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection, method } from './resource.ts'

/** Models in the customer's own network. */
export interface Deployments {
  /** The answer holds the licence; it is shown this once. */
  create(deployment: DeployRequest, options?: RequestOptions): Pending<Deployment>
}

export function createDeployments(connection: Connection): Deployments {
  const transport = connect(connection)
  return { create: method(transport, deploymentsCreate, 'json') }
}
