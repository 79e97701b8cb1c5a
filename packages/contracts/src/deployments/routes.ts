import { z } from 'zod'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { defineRoute } from '../shared/route.ts'
import { noBody } from '../shared/ts-rest.ts'
import { createdDeploymentSchema, deploymentSchema, deploySchema, licenseIssuerSchema } from './resources.ts'

const pathParams = z.object({ deployment_id: namedIdSchema('deployment', 'not_found') })

/** Servers in the customer's own network. */
export const deploymentRoutes = {
  create: defineRoute({
    operation: 'deployments.create',
    secretAnswer: true,
    method: 'POST',
    path: '/enterprise/deploy',
    summary: 'Deploy on premise',
    description: `Returns a signed license and a manifest that runs the server in the customer’s network. Only this response contains them. Enterprise only. A test key gets a license for test mode. An account can have ${LIMITS.deploymentsPerAccount} deployments per mode whose licenses have not expired, including revoked ones.`,
    scope: 'deploy:write',
    limit: 'deployments',
    body: deploySchema,
    success: { 201: createdDeploymentSchema },
    errors: ['state_conflict'],
  }),
  list: defineRoute({
    operation: 'deployments.list',
    method: 'GET',
    path: '/enterprise/deploy',
    summary: 'List deployments',
    description: 'Lists the account’s deployments, newest first, without their licenses.',
    scope: 'deploy:write',
    beyondSpecification: true,
    query: pageQuerySchema('deployment'),
    success: { 200: pageSchema(deploymentSchema) },
  }),
  retrieve: defineRoute({
    operation: 'deployments.retrieve',
    method: 'GET',
    path: '/enterprise/deploy/:deployment_id',
    summary: 'Get a deployment',
    description: 'Returns a deployment without its license.',
    scope: 'deploy:write',
    beyondSpecification: true,
    pathParams,
    success: { 200: deploymentSchema },
    errors: ['not_found'],
  }),
  revoke: defineRoute({
    operation: 'deployments.revoke',
    method: 'POST',
    path: '/enterprise/deploy/:deployment_id/revoke',
    summary: 'Revoke a license',
    description:
      'Revokes the license permanently. The server on premise refuses requests once it has read the revocation list, within the hour ' +
      'if it can reach this service; one that cannot works until the license expires. Revoking again changes nothing.',
    scope: 'deploy:write',
    beyondSpecification: true,
    pathParams,
    body: noBody,
    success: { 200: deploymentSchema },
    errors: ['not_found'],
  }),
  issuer: defineRoute({
    operation: 'deployments.issuer',
    method: 'GET',
    path: '/enterprise/issuer',
    summary: 'Read issuer keys and revocations',
    description:
      'Returns the public keys that verify licenses, and the revoked licenses that have not expired, signed by each key.',
    access: 'public',
    addressLimit: 'public_documents',
    beyondSpecification: true,
    success: { 200: licenseIssuerSchema },
  }),
} as const
