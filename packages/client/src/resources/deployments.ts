import { deploymentsRoutes } from '../generated/routes.ts'
import type { CreatedDeployment, DeployRequest, Deployment, LicenseIssuer } from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { type Connection, methods, type Query } from './resource.ts'

/** Servers in the customer's own network. */
export interface Deployments {
  /**
   * Returns a signed license and a manifest that runs the server in the customer's network. Enterprise only.
   *
   * @example
   * const { license, manifest } = await vaani.deployments.create({
   *   name: 'speech',
   *   base_model: 'synth-v1',
   *   target: 'docker',
   *   options: { expires_in_days: 90 },
   * })
   */
  create(deployment: DeployRequest, options?: RequestOptions): Pending<CreatedDeployment>
  /** Lists the account's deployments without their licenses, newest first. */
  list(query?: Query<'deployments.list'>, options?: RequestOptions): List<Deployment>
  retrieve(deploymentId: string, options?: RequestOptions): Pending<Deployment>
  /** Revokes the license, for servers that read the revocation list. Revoking again changes nothing. */
  revoke(deploymentId: string, options?: RequestOptions): Pending<Deployment>
  /** Returns the public keys that verify licenses, and the signed revocation lists. */
  issuer(options?: RequestOptions): Pending<LicenseIssuer>
}

/** Creates the deployments namespace alone, for a smaller bundle. */
export const createDeployments = (connection: Connection): Deployments =>
  methods(connection, 'deployments', deploymentsRoutes, list)
