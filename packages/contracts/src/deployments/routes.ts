import { defineRoute } from '../shared/route.ts'
import { deploySchema, deploymentSchema } from './resources.ts'

/** Models in the customer's own network. */
export const deploymentRoutes = {
  create: defineRoute({
    operation: 'deployments.create',
    secretAnswer: true,
    method: 'POST',
    path: '/enterprise/deploy',
    summary: 'Deploy on premise',
    description:
      'Returns a signed licence and a manifest that runs the server in the customer’s network. Enterprise only.',
    scope: 'deploy:write',
    body: deploySchema,
    success: { 201: deploymentSchema },
  }),
} as const
